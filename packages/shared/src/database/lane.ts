import postgres, { type Sql } from "postgres";

import { currentContext } from "../context.ts";
import { unavailable } from "../errors.ts";
import { registerArrays } from "./arrays.ts";
import { isConnectionFailure, translateFailure } from "./failure.ts";

const { PostgresError } = postgres;

interface LaneOptions {
  url: string;
  applicationName: string;
  connections: number;
  /** The server gives up on a statement after this. */
  statementTimeoutMs: number;
  /** Whether uses share a connection, one statement behind the other, or have one to themselves. */
  shared: boolean;
  /** Settings of the server for these connections, beside the time-outs. */
  settings?: Record<string, string>;
}

/** One connection, and what it is doing. */
interface Link {
  sql: Sql;
  uses: number;
  /** When it last answered; 0 when it never did. */
  answeredAt: number;
  /** Not used before: the one in its place could not be opened. */
  usableAt: number;
}

/** The client gives up this much later than the server: by then the link, not the statement, is at fault. */
const GRACE_MS = 400;
const CONNECT_TIMEOUT_SECONDS = 1;
/** A database that can't be reached is asked this seldom; meanwhile every use fails at once. */
const RETRY_MS = 100;

/**
 * A few connections for one kind of work. Every use has a deadline, waiting for its turn included; a
 * connection that is lost or hangs is replaced, so that the next use starts on a fresh one.
 */
export interface Lane {
  /**
   * Runs `work` on a connection.
   * @throws {AppError} `unavailable` when it fails, time runs out, or nobody waits for the answer any more
   */
  use<T>(work: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /** Tags parts of statements; never runs them. */
  part: Sql;
  close(): Promise<void>;
}

export function openLane(options: LaneOptions): Lane {
  const links = Array.from({ length: options.connections }, () => newLink(options));
  const waiting: ((link: Link) => void)[] = [];
  const deadlineMs = options.statementTimeoutMs + GRACE_MS;
  let closed = false;

  async function take(started: number): Promise<Link> {
    const [idlest] = links.filter(({ usableAt }) => usableAt <= started).toSorted((a, b) => a.uses - b.uses);
    if (!idlest) throw unavailable("the database can't be reached");
    if (options.shared || idlest.uses === 0) {
      idlest.uses += 1;
      return idlest;
    }
    const { promise, resolve } = Promise.withResolvers<Link>();
    waiting.push(resolve);
    return within(started + deadlineMs, promise, () => {
      waiting.splice(waiting.indexOf(resolve), 1);
      return "the database is busy";
    });
  }

  function giveBack(link: Link): void {
    link.uses -= 1;
    const free = links.find(({ uses }) => uses === 0);
    const next = free && waiting.shift();
    if (!next) return;
    free.uses += 1;
    next(free);
  }

  function replace(link: Link): void {
    const place = links.indexOf(link);
    if (place === -1 || closed) return;
    links[place] = newLink(options, link.answeredAt === 0 ? performance.now() + RETRY_MS : 0);
    link.sql.end({ timeout: 0 }).catch(() => undefined); // what was under way has been rejected already
  }

  /** A shared connection that answered somebody since isn't hung, it has much to do. */
  function late(link: Link, started: number): string {
    if (!options.shared || link.answeredAt < started) replace(link);
    return "the database didn't answer in time";
  }

  async function use<T>(work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    if (closed) throw unavailable("the database is closed");
    refuseAborted();
    const started = performance.now();
    const link = await take(started);
    try {
      refuseAborted();
      const answer = await within(started + deadlineMs, work(link.sql), () => late(link, started));
      link.answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (isConnectionFailure(error)) replace(link);
      else if (error instanceof PostgresError) link.answeredAt = performance.now();
      throw translateFailure(error);
    } finally {
      giveBack(link);
    }
  }

  return {
    // Any connection's would do: it is never used for more than to write a statement.
    part: newLink(options).sql,
    use,
    close: async () => {
      closed = true;
      await Promise.all(links.map(({ sql }) => sql.end({ timeout: 5 })));
    },
  };
}

/** @throws {AppError} `unavailable` when nobody waits for the current request's answer any more */
export function refuseAborted(): void {
  if (currentContext()?.signal?.aborted) throw unavailable("the caller is gone");
}

/** A connection, made when it is first used. */
function newLink(options: LaneOptions, usableAt = 0): Link {
  const sql = postgres(options.url, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    backoff: () => RETRY_MS / 1000,
    fetch_types: false,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      ...options.settings,
    },
  });
  registerArrays(sql);
  return { sql, uses: 0, answeredAt: 0, usableAt };
}

/** `work`, or `unavailable` at `deadline` with what `onLate` says; the outcome is ignored then. */
async function within<T>(deadline: number, work: PromiseLike<T>, onLate: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable(onLate())), deadline - performance.now());
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
