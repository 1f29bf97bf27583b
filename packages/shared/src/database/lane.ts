import postgres, { type Sql } from "postgres";

import { currentContext } from "../context.ts";
import { unavailable } from "../errors.ts";
import { createTurns } from "../fairness/turns.ts";
import { isConnectionFailure, translateFailure } from "./failure.ts";
import { openLinks, type Link, type LinkOptions } from "./links.ts";

const { PostgresError } = postgres;

/** Of a shared connection: one statement runs, and the next is there already. */
const USES_AT_ONCE = 2;
/** The client gives up this much later than the server: by then the link, not the statement, is at fault. */
const GRACE_MS = 400;

/**
 * A few connections for one kind of work. Every use has a deadline, waiting for its turn included; a
 * connection that is lost or hangs is replaced, so that the next use starts on a fresh one.
 */
export interface Lane {
  /**
   * Runs `work` on a connection. Who has to wait for one takes turns by `key`.
   * @throws {AppError} `unavailable` when it fails, time runs out, or nobody waits for the answer any more
   */
  use<T>(key: string, work: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /** Makes its connections, which are made when they are first used else. @throws {AppError} `unavailable` when one isn't */
  open(): Promise<void>;
  /** Tags parts of statements; never runs them. */
  part: Sql;
  close(): Promise<void>;
}

export function openLane(options: LinkOptions): Lane {
  const links = openLinks(options);
  const turns = createTurns(options.connections * (options.shared ? USES_AT_ONCE : 1));
  const deadlineMs = options.statementTimeoutMs + GRACE_MS;

  /** A shared connection that answered somebody since isn't hung, it has much to do. */
  function late(link: Link, started: number): string {
    if (!options.shared || link.answeredAt < started) links.replace(link);
    return "the database didn't answer in time";
  }

  async function use<T>(key: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    refuseAborted();
    const started = performance.now();
    const deadline = started + deadlineMs;
    const wait = turns.take(key);
    if (wait) {
      await within(deadline, wait.turn, () => {
        wait.cancel();
        return "the database is busy";
      });
    }
    try {
      refuseAborted();
      return await useLink(deadline, work);
    } finally {
      turns.giveBack();
    }
  }

  async function useLink<T>(deadline: number, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const started = performance.now();
    const link = links.take(started);
    try {
      const answer = await within(deadline, work(link.sql), () => late(link, started));
      link.answeredAt = performance.now();
      if (link.isOutdone()) links.replace(link);
      return answer;
    } catch (error) {
      if (isConnectionFailure(error)) links.replace(link);
      else if (error instanceof PostgresError) link.answeredAt = performance.now();
      throw translateFailure(error);
    } finally {
      links.giveBack(link);
    }
  }

  async function open(): Promise<void> {
    // Each takes the one with the least to do: another than the others'.
    await Promise.all(Array.from({ length: options.connections }, () => use("", (sql) => sql`select`)));
  }

  return { part: links.part, use, open, close: links.close };
}

/** @throws {AppError} `unavailable` when nobody waits for the current request's answer any more */
export function refuseAborted(): void {
  if (currentContext()?.signal?.aborted) throw unavailable("the caller is gone");
}

/** `work`, or `unavailable` at `deadline` with what `onLate` says; the outcome is ignored then. */
async function within<T>(deadline: number, work: PromiseLike<T>, onLate: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable(onLate())), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
