import { readFileSync } from "node:fs";
import { Worker, type Transferable } from "node:worker_threads";

import { AppError, unavailable, type ErrorCode, type ErrorDetail } from "../values/errors.ts";

/** Outcome of a task, in a form that can be passed between threads. */
export type Outcome =
  | { result: unknown }
  | { failure: { code: ErrorCode; message: string; details: ErrorDetail[] | undefined } };

/** A task to run. Without a task, the thread discards the state of earlier ones. */
export interface Message {
  task?: string;
  args?: never[];
}

/** A thread's first message once its code has loaded, with its number on Linux. */
export interface Greeting {
  isUp: true;
  tid?: number;
}

interface Work {
  /** Limit of the thread's processor time, in ms. */
  limitMs: number;
  /** Buffers that move to the thread and are empty here afterwards. */
  given?: Transferable[];
}

export interface Thread {
  /**
   * Runs tasks one after another.
   * @throws {AppError} as the task does; `too_slow_to_read` if it exceeded its limit, which ends the thread;
   * `unavailable` if the thread ended for another reason
   */
  work(task: string, args: unknown[], work: Work): Promise<unknown>;
  isAlive(): boolean;
  isBusy(): boolean;
  /** Discards the state of earlier tasks and frees its memory. */
  forget(): void;
  stop(): void;
}

/** Starts a thread that runs the file at `url`, which calls `serveTasks`. */
export function startThread(url: URL): Thread {
  const worker = new Worker(url);
  const up = Promise.withResolvers<Greeting>();
  const waiting: { resolve(outcome: Outcome): void; reject(error: unknown): void }[] = [];
  let alive = true;
  const end = (failure: AppError): void => {
    alive = false;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  const lose = (cause?: unknown): void => end(unavailable("the reader thread ended", cause));
  worker.on("message", (message: Greeting | Outcome) => {
    if ("isUp" in message) up.resolve(message);
    else waiting.shift()?.resolve(message);
  });
  worker.on("error", lose).on("exit", () => lose());
  return {
    async work(task, args, { limitMs, given = [] }) {
      if (!alive) throw unavailable("the reader thread ended");
      const { promise, ...settle } = Promise.withResolvers<Outcome>();
      // Throws if an argument can't be passed, so this comes before waiting for the outcome.
      worker.postMessage({ task, args }, given);
      waiting.push(settle);
      const watch = watchTime(up.promise, limitMs, () => {
        end(tooSlow(limitMs));
        void worker.terminate();
      });
      return resultOf(await promise.finally(watch.stop));
    },
    isAlive: () => alive,
    isBusy: () => waiting.length > 0,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    forget: () => worker.postMessage({}),
    stop() {
      lose();
      void worker.terminate();
    },
  };
}

function tooSlow(limitMs: number): AppError {
  const seconds = Math.ceil(limitMs / 1000);
  return new AppError(
    "too_slow_to_read",
    `reading the document was stopped after ${seconds} s of processor time; send a smaller or less deeply nested one`,
  );
}

function resultOf(outcome: Outcome): unknown {
  if ("result" in outcome) return outcome.result;
  const { code, message, details } = outcome.failure;
  throw new AppError(code, message, { ...(details && { details }) });
}

const CHECK_MS = 100;
/** Limit by wall clock, as a multiple of the processor time limit, because others compete for the processor. */
const CLOCK_TIMES = 10;

/**
 * Calls `onOver` once a thread exceeds its limit, counted from when it is up. Uses wall-clock time if the processor
 * time is unknown.
 */
function watchTime(up: Promise<Greeting>, limitMs: number, onOver: () => void): { stop(): void } {
  let timer: Timer | undefined;
  let isOver = false;
  const begin = async (): Promise<void> => {
    const { tid } = await up;
    if (isOver) return;
    const spentMs = createStopwatch(tid);
    timer = setInterval(() => {
      if (spentMs() <= limitMs) return;
      clearInterval(timer);
      onOver();
    }, CHECK_MS);
  };
  void begin();
  return {
    stop() {
      isOver = true;
      clearInterval(timer);
    },
  };
}

/** Returns a function that measures a thread's working time in ms. It must be called every {@link CHECK_MS}. */
function createStopwatch(tid: number | undefined): () => number {
  let last = performance.now();
  let clockMs = 0;
  let startMs: number | undefined;
  return () => {
    const now = performance.now();
    // Time in which the whole process stood still, as on a sleeping machine, doesn't count.
    clockMs += Math.min(now - last, 2 * CHECK_MS);
    last = now;
    const processorMs = tid === undefined ? undefined : processorTimeOf(tid);
    if (processorMs === undefined) return clockMs;
    startMs ??= processorMs;
    return Math.max(processorMs - startMs, clockMs / CLOCK_TIMES);
  };
}

/** Returns the thread's processor time in ms; undefined if the thread is gone. */
function processorTimeOf(tid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${tid}/stat`, "utf8");
    // proc(5): after the name, utime and stime are the 12th and 13th fields, in hundredths of a second
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
    return (user + system) * 10;
  } catch {
    return undefined;
  }
}
