import postgres, { type Sql } from "postgres";

import { currentContext } from "../platform/context.ts";
import { unavailable } from "../values/errors.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { createFairSemaphore, type FairSemaphore } from "../concurrency/fair-semaphore.ts";
import { isConnectionFailure, translateFailure } from "./failure.ts";
import { openLinks, type Link, type LinkOptions } from "./links.ts";

const { PostgresError } = postgres;

/** Statements in flight on a shared connection: the next is sent while one runs. */
const USES_AT_ONCE = 2;
/** Extra time before the client gives up. If the server's timeout hasn't fired by then, the link is at fault. */
const GRACE_MS = 400;

/**
 * A few connections for one kind of work. Every use has a deadline that includes waiting for a connection. A lost or
 * hanging connection is replaced, so the next use gets a fresh one.
 */
export interface Lane {
  /**
   * Runs `work` on a connection. Waiting callers take turns by `key`.
   * @throws {AppError} `unavailable` if it fails, time runs out, or the request was aborted
   */
  use<T>(key: string, work: (sql: Sql) => PromiseLike<T>): Promise<T>;
  /**
   * Opens all connections, which are otherwise opened on first use.
   * @throws {AppError} `unavailable` if one can't be opened
   */
  open(): Promise<void>;
  /** Tags fragments of statements; never runs them. */
  part: Sql;
  close(): Promise<void>;
}

export interface LaneOptions extends LinkOptions {
  /** Whether work ends, and its connection with it, as soon as the current request is aborted. */
  endsWithCaller?: boolean;
  /** Concurrent uses that no single key may take. */
  reserved?: number;
}

export function openLane(options: LaneOptions): Lane {
  const links = openLinks(options);
  const semaphore = semaphoreOf(options);
  const deadlineMs = options.statementTimeoutMs + GRACE_MS;

  /**
   * Handles a late answer. A shared connection that has answered others in the meantime is busy, not hung, and is
   * kept.
   */
  function late(link: Link, started: number): string {
    if (!options.shared || link.answeredAt < started) links.replace(link);
    return "the database didn't answer in time";
  }

  async function use<T>(key: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    refuseAborted();
    const started = performance.now();
    const deadline = started + deadlineMs;
    const wait = semaphore.acquire(key);
    if (wait) {
      await within(deadline, wait.granted, () => {
        wait.cancel();
        return "the database is busy";
      });
    }
    try {
      refuseAborted();
      return await useLink(deadline, work);
    } finally {
      semaphore.release(key);
    }
  }

  async function useLink<T>(deadline: number, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const started = performance.now();
    const link = links.acquire(started);
    try {
      // The server ends a statement whose connection is closed within `CHECK_MS`, and rolls its transaction back.
      const close = options.endsWithCaller && (() => links.replace(link));
      const outcome = close ? untilAborted(work(link.sql), close) : work(link.sql);
      const answer = await within(deadline, outcome, () => late(link, started));
      link.answeredAt = performance.now();
      if (link.isOutdone()) links.replace(link);
      return answer;
    } catch (error) {
      if (isConnectionFailure(error)) links.replace(link);
      else if (error instanceof PostgresError) link.answeredAt = performance.now();
      throw translateFailure(error);
    } finally {
      links.release(link);
    }
  }

  async function open(): Promise<void> {
    // Each use takes the least busy connection, so every connection is opened.
    await Promise.all(Array.from({ length: options.connections }, () => use("", (sql) => sql`select`)));
  }

  return { part: links.part, use, open, close: links.close };
}

function semaphoreOf({ connections, shared, reserved = 0 }: LaneOptions): FairSemaphore {
  const permits = connections * (shared ? USES_AT_ONCE : 1);
  return createFairSemaphore(permits, () => permits - reserved);
}

/** @throws {AppError} `unavailable` if the current request was aborted */
export function refuseAborted(): void {
  if (currentContext()?.signal?.aborted) throw unavailable("the caller disconnected");
}

/**
 * Waits for `work` until `deadline`, then fails with `unavailable` and the message of `onLate`. A later outcome is
 * ignored.
 */
async function within<T>(deadline: number, work: PromiseLike<T>, onLate: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable(onLate())), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
