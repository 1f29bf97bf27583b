import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, Worker, type Transferable } from "node:worker_threads";

import { AppError, unavailable, type ErrorCode, type ErrorDetail } from "../errors.ts";
import { createSlots } from "./slots.ts";

/** What a thread can be asked to do, by name; arguments and results pass between threads. */
type Tasks = Readonly<Record<string, (...args: never[]) => unknown>>;

/** How a task ended, in a form that passes between threads. */
type Outcome =
  | { result: unknown }
  | { failure: { code: ErrorCode; message: string; details: ErrorDetail[] | undefined } };

type Result<T extends Tasks, N extends keyof T> = Awaited<ReturnType<T[N]>>;

/** A task to do; without one, what others have left behind is collected. */
interface Message {
  task?: string;
  args?: never[];
}

/** A thread of its own for work that would hold others up. */
export interface Aside<T extends Tasks> {
  /**
   * Does one task after the other. What is `given` goes over to the thread, and is empty here.
   * @throws {AppError} as the task does; `unavailable` when the thread ended on the way
   */
  work<N extends keyof T & string>(
    task: N,
    args: Parameters<T[N]>,
    given?: Transferable[],
  ): Promise<Result<T, N>>;
  stop(): void;
}

/** A thread's niceness: a third of what others get, where all want more than there is. */
const LOWER = 5;
/** An idle thread ends, and what it took of memory with it. */
const IDLE_MS = 2_000;

/** A thread that runs the file at `url`, which calls {@link workAside}; it is there while there is work. */
export function openAside<T extends Tasks>(url: URL): Aside<T> {
  const turn = createSlots(1);
  let thread: Thread<T> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(idle);
    thread?.stop();
    thread = undefined;
  }

  return {
    async work<N extends keyof T & string>(
      task: N,
      args: Parameters<T[N]>,
      given?: Transferable[],
    ): Promise<Result<T, N>> {
      await turn.take();
      clearTimeout(idle);
      const own = thread?.isAlive() ? thread : startThread<T>(url);
      thread = own; // which may be stopped, and another's, before the task is done
      try {
        return await own.work(task, args, given);
      } finally {
        own.collect();
        Bun.gc(false); // the next may be as large
        idle = setTimeout(stop, IDLE_MS);
        turn.give();
      }
    },
    stop,
  };
}

/**
 * A thread for one piece of work of many steps, that remembers from one to the next; what it took of memory goes when
 * it is stopped. It runs the file at `url`, which calls {@link workAside}.
 */
export function openSession<T extends Tasks>(url: URL): Aside<T> {
  return startThread<T>(url);
}

/** The same without a thread, for what is so small that a thread would cost more. */
export function workHere<T extends Tasks>(tasks: T): Aside<T> {
  return {
    async work<N extends keyof T>(task: N, args: Parameters<T[N]>): Promise<Result<T, N>> {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a task's own result
      return (await tasks[task]?.(...args)) as Result<T, N>;
    },
    stop: () => undefined,
  };
}

interface Thread<T extends Tasks> extends Aside<T> {
  isAlive(): boolean;
  /** Frees what its tasks have left behind: the next may be as large. */
  collect(): void;
}

function startThread<T extends Tasks>(url: URL): Thread<T> {
  const worker = new Worker(url);
  const waiting: { resolve(outcome: Outcome): void; reject(error: unknown): void }[] = [];
  let alive = true;
  const lose = (cause?: unknown): void => {
    alive = false;
    for (const { reject } of waiting.splice(0)) reject(unavailable("the thread ended", cause));
  };
  worker.on("message", (outcome: Outcome) => waiting.shift()?.resolve(outcome));
  worker.on("error", lose).on("exit", () => lose());
  return {
    isAlive: () => alive,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    collect: () => worker.postMessage({}),
    work<N extends keyof T & string>(
      task: N,
      args: Parameters<T[N]>,
      given: Transferable[] = [],
    ): Promise<Result<T, N>> {
      if (!alive) return Promise.reject(unavailable("the thread ended"));
      const { promise, ...settle } = Promise.withResolvers<Outcome>();
      // Throws for what can't pass, which then nobody waits for.
      worker.postMessage({ task, args }, given);
      waiting.push(settle);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the task that it is asked for
      return promise.then((outcome) => resultOf(outcome) as Result<T, N>);
    },
    stop() {
      lose();
      void worker.terminate();
    },
  };
}

function resultOf(outcome: Outcome): unknown {
  if ("result" in outcome) return outcome.result;
  const { code, message, details } = outcome.failure;
  throw new AppError(code, message, { ...(details && { details }) });
}

/** The memory that bytes are in, to be given with them, unless there is something else in it. */
export function ownBuffer(bytes: Uint8Array): Transferable[] {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? [bytes.buffer]
    : [];
}

/**
 * On a thread: does what it is asked for, one task after the other. A failure that is no `AppError` ends the thread.
 * @param given what of a result goes over to who asked, and is empty here
 */
export function workAside<T extends Tasks>(
  tasks: T,
  given: (result: Result<T, keyof T>) => Transferable[] = () => [],
): void {
  lowerPriority();
  let last = Promise.resolve();
  parentPort?.on("message", ({ task, args = [] }: Message) => {
    const before = last;
    last = (async () => {
      await before;
      if (task === undefined) return Bun.gc(true);
      const outcome = await outcomeOf(async () => tasks[task]?.(...args));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a task's own result
      const over = "result" in outcome ? given(outcome.result as Result<T, keyof T>) : [];
      parentPort?.postMessage(outcome, over);
    })();
  });
}

/** Lets whoever waits for something small go first. Only Linux knows priorities of threads. */
function lowerPriority(): void {
  if (process.platform !== "linux" || getPriority() >= LOWER) return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), LOWER);
  } catch {
    // A courtesy: where it may not be, the work goes on as it is.
  }
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { failure: { code, message, details } };
  }
}
