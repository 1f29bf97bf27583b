import postgres, { type Sql } from "postgres";

import { unavailable } from "../errors.ts";
import { isConnectionFailure, translateFailure } from "./failure.ts";

interface LaneOptions {
  url: string;
  applicationName: string;
  connections: number;
  /** The server gives up on a statement after this. */
  statementTimeoutMs: number;
  /** Settings of the server for these connections, beside the time-outs. */
  settings?: Record<string, string>;
}

/** The client gives up this much later than the server: by then the link, not the statement, is at fault. */
const GRACE_MS = 400;
const CONNECT_TIMEOUT_SECONDS = 2;
const RECONNECT_DELAY_SECONDS = 0.1;

/**
 * A few connections for one kind of work. Every use has a deadline; a use that shows the connections to
 * be lost or hung replaces all of them, so that the next one starts on a fresh one.
 */
export interface Lane {
  readonly deadlineMs: number;
  /** Runs `work` on the current connections. @throws {AppError} `unavailable` when they fail or time runs out */
  use<T>(work: (sql: Sql) => PromiseLike<T>, deadlineMs?: number): Promise<T>;
  /** Tags parts of statements; never runs them. */
  part: Sql;
  close(): Promise<void>;
}

export function openLane(options: LaneOptions): Lane {
  const open = () => connect(options);
  let current = open();

  function retire(failed: Sql): void {
    if (failed !== current) return;
    current = open();
    failed.end({ timeout: 0 }).catch(() => undefined); // what was under way has been rejected already
  }

  const deadlineMs = options.statementTimeoutMs + GRACE_MS;
  return {
    deadlineMs,
    part: current,
    async use(work, limitMs = deadlineMs) {
      const sql = current;
      try {
        return await within(limitMs, work(sql), () => retire(sql));
      } catch (error) {
        if (isConnectionFailure(error)) retire(sql);
        throw translateFailure(error);
      }
    },
    close: () => current.end({ timeout: 5 }),
  };
}

function connect({ url, applicationName, connections, statementTimeoutMs, settings }: LaneOptions): Sql {
  return postgres(url, {
    max: connections,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: () => RECONNECT_DELAY_SECONDS,
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      lock_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      ...settings,
    },
  });
}

/** `work`, or `unavailable` after `limitMs`; then `onTimeout` has been called and the outcome is ignored. */
async function within<T>(limitMs: number, work: PromiseLike<T>, onTimeout: () => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(unavailable("the database didn't answer in time"));
    onTimeout();
  }, limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
