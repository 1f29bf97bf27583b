import { availableParallelism } from "node:os";
import type { Transferable } from "node:worker_threads";

import { currentContext } from "../platform/context.ts";
import { AppError, unavailable } from "../values/errors.ts";
import { counter } from "../platform/telemetry/metrics.ts";
import type { Result, Tasks } from "./serve-tasks.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import { startThread, type Thread } from "./thread.ts";
import { createFairSemaphore, type FairSemaphore } from "./fair-semaphore.ts";

/** Untrusted text, by its organization and size. */
export interface Piece {
  orgId: string;
  bytes: number;
}

/** Works on one piece, step by step. */
export interface Reader<T extends Tasks> {
  /**
   * Runs a step after all earlier ones.
   * @throws {AppError} as the task does; `too_slow_to_read` if it took longer than its size allows, which ends the
   * whole piece; `unavailable` if the thread ended or the current request was aborted
   */
  do<N extends keyof T & string>(
    task: N,
    args: Parameters<T[N]>,
    step?: { bytes?: number; given?: Transferable[] },
  ): Promise<Result<T, N>>;
}

/**
 * Processes untrusted text. A small piece is read at once. A larger one goes to a thread, so that the process can
 * serve other requests. Organizations take turns by step, and none runs more than its share at once.
 */
export interface Readers<T extends Tasks> {
  /** Works on a piece in several steps, which share state. */
  within<R>(piece: Piece, steps: (reader: Reader<T>) => Promise<R>): Promise<R>;
  /**
   * Runs one task. Buffers in `given` move to the thread and are empty here afterwards.
   * @throws {AppError} as {@link Reader.do}
   */
  do<N extends keyof T & string>(
    piece: Piece,
    task: N,
    args: Parameters<T[N]>,
    given?: Transferable[],
  ): Promise<Result<T, N>>;
  stop(): void;
}

interface ReadersOptions<T extends Tasks> {
  /** URL of the threads' module, which calls `serveTasks`. */
  url: URL;
  /** Creates the tasks of one piece, for small pieces that run without a thread. */
  begin: () => T;
  /** Largest size that is read on the event loop. */
  smallBytes?: number;
  limitMs?: (bytes: number) => number;
  /** Time after which an idle thread ends and frees its memory. */
  idleMs?: number;
  /** Limits the steps that run at once; other readers may share it. */
  permits?: FairSemaphore;
}

/** A piece of this size takes at most ten milliseconds, and passing it to a thread takes 0.1 ms. */
export const SMALL_BYTES = 16 << 10;
const LARGE_BYTES = 1 << 20;
const MAX_RUNNING = Math.max(2, availableParallelism());
const SHARE = Math.floor(MAX_RUNNING / 2);
const IDLE_MS = 30_000;

const stopped = counter(
  "readings_stopped_total",
  "Documents whose parsing exceeded the time limit for their size",
  ["task"],
);

/** Returns the limit of a step's processor time in ms. Legitimate input mostly takes a hundredth of it. */
function limitOf(bytes: number): number {
  return 2_000 + (bytes / (1 << 20)) * 1_000;
}

/** Returns permits for as many steps at once as there are processors, half of them for one organization. */
export function readingPermits(): FairSemaphore {
  return createFairSemaphore(MAX_RUNNING, () => SHARE);
}

export function openReaders<T extends Tasks>({
  url,
  begin,
  smallBytes = SMALL_BYTES,
  limitMs = limitOf,
  idleMs = IDLE_MS,
  permits = readingPermits(),
}: ReadersOptions<T>): Readers<T> {
  const threads = openThreads(url, idleMs);

  async function within<R>({ orgId, bytes }: Piece, steps: (reader: Reader<T>) => Promise<R>): Promise<R> {
    if (bytes <= smallBytes) return steps(readerHere(begin()));
    let thread: Thread | undefined;
    let last: Promise<unknown> = Promise.resolve();
    const reader: Reader<T> = {
      do(task, args, { bytes: stepBytes = bytes, given } = {}) {
        const before = last;
        const step = (async () => {
          await before.catch(() => undefined); // its caller gets the error
          return withPermit(permits, orgId, () => {
            thread ??= threads.acquire();
            // When the request is aborted, `within` leaves a thread at work, which ends it.
            return untilAborted(
              thread.work(task, args, { limitMs: limitMs(stepBytes), ...(given && { given }) }),
            );
          });
        })();
        last = step;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the task that it is asked for
        return counted(task, step) as Promise<Result<T, typeof task>>;
      },
    };
    try {
      return await steps(reader);
    } finally {
      if (thread) threads.release(thread);
      if (bytes > LARGE_BYTES) Bun.gc(false); // the next piece may be as large
    }
  }

  return {
    within,
    do: (piece, task, args, given) =>
      within(piece, (reader) => reader.do(task, args, { ...(given && { given }) })),
    stop: threads.stop,
  };
}

/** Creates a reader without a thread. */
function readerHere<T extends Tasks>(tasks: T): Reader<T> {
  return {
    async do(task, args) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a task's own result
      return (await tasks[task]?.(...args)) as Result<T, typeof task>;
    },
  };
}

/**
 * Runs `work` with one of the organization's permits.
 * @throws {AppError} `unavailable` if the request was aborted, otherwise as `work` does
 */
async function withPermit<R>(semaphore: FairSemaphore, orgId: string, work: () => Promise<R>): Promise<R> {
  await semaphore.acquire(orgId)?.granted;
  try {
    if (currentContext()?.signal?.aborted) throw unavailable("the caller disconnected");
    return await work();
  } finally {
    semaphore.release(orgId);
  }
}

async function counted<R>(task: string, step: Promise<R>): Promise<R> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_slow_to_read") stopped.inc({ task });
    throw error;
  }
}

interface Threads {
  acquire(): Thread;
  /** Keeps a thread for reuse for a while, unless it is busy or enough are idle. */
  release(thread: Thread): void;
  stop(): void;
}

function openThreads(url: URL, idleMs: number): Threads {
  const all = new Set<Thread>();
  /** Idle threads and the timers that end them; the last became idle last. */
  const idle: { thread: Thread; timer: Timer }[] = [];

  function end(thread: Thread): void {
    all.delete(thread);
    thread.stop();
  }

  return {
    acquire() {
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.thread.isAlive()) return last.thread;
        all.delete(last.thread);
      }
      const thread = startThread(url);
      all.add(thread);
      return thread;
    },
    release(thread) {
      if (!thread.isAlive() || thread.isBusy() || idle.length === MAX_RUNNING) return end(thread);
      thread.forget();
      const timer = setTimeout(() => {
        idle.splice(
          idle.findIndex((one) => one.thread === thread),
          1,
        );
        end(thread);
      }, idleMs);
      timer.unref();
      idle.push({ thread, timer });
    },
    stop: () => all.forEach(end),
  };
}
