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

/** A task to do; without one, what others have left behind is forgotten. */
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
  let session: Aside<T> | undefined;
  return {
    async work<N extends keyof T & string>(
      task: N,
      args: Parameters<T[N]>,
      given?: Transferable[],
    ): Promise<Result<T, N>> {
      await turn.take();
      const own = openSession<T>(url);
      session = own; // which may be stopped, and another's, before the task is done
      try {
        return await own.work(task, args, given);
      } finally {
        own.stop();
        Bun.gc(false); // the next may be as large
        turn.give();
      }
    },
    stop: () => session?.stop(),
  };
}

/**
 * A thread for one piece of work of many steps, that remembers from one to the next until it is stopped. It runs the file
 * at `url`, which calls {@link workAside}.
 */
export function openSession<T extends Tasks>(url: URL): Aside<T> {
  const thread = takeIdle(url) ?? startThread(url);
  let ended = false;
  return {
    work(task, args, given) {
      const asked = ended ? Promise.reject(unavailable("the thread ended")) : thread.work(task, args, given);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the task that it is asked for
      return asked as Promise<Result<T, typeof task>>;
    },
    stop() {
      if (!ended) leave(url, thread);
      ended = true;
    },
  };
}

/** Threads that nobody works with, by what they run: the next one's code is compiled already. */
const idle = new Map<string, Thread[]>();

function takeIdle({ href }: URL): Thread | undefined {
  const threads = idle.get(href) ?? [];
  for (let thread = threads.pop(); thread; thread = threads.pop()) if (thread.isAlive()) return thread;
  return undefined;
}

/** Ends a thread that is at work; another waits for a while whether somebody needs it. */
function leave({ href }: URL, thread: Thread): void {
  if (!thread.isAlive() || thread.isBusy()) return thread.stop();
  thread.forget();
  const threads = idle.get(href) ?? [];
  threads.push(thread);
  idle.set(href, threads);
  setTimeout(() => {
    const place = threads.indexOf(thread);
    if (place === -1) return;
    threads.splice(place, 1);
    thread.stop();
  }, IDLE_MS).unref();
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

interface Thread {
  /** @throws as {@link Aside} */
  work(task: string, args: unknown[], given?: Transferable[]): Promise<unknown>;
  isAlive(): boolean;
  isBusy(): boolean;
  /** Frees what its tasks have left behind, and remembers nothing of them. */
  forget(): void;
  stop(): void;
}

function startThread(url: URL): Thread {
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
    async work(task, args, given = []) {
      if (!alive) throw unavailable("the thread ended");
      const { promise, ...settle } = Promise.withResolvers<Outcome>();
      // Throws for what can't pass, which then nobody waits for.
      worker.postMessage({ task, args }, given);
      waiting.push(settle);
      return resultOf(await promise);
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
 * @param begin makes the tasks of one session
 * @param given what of a result goes over to who asked, and is empty here
 */
export function workAside<T extends Tasks>(
  begin: () => T,
  given: (result: Result<T, keyof T>) => Transferable[] = () => [],
): void {
  lowerPriority();
  let tasks = begin();
  let last = Promise.resolve();
  parentPort?.on("message", ({ task, args = [] }: Message) => {
    const before = last;
    last = (async () => {
      await before;
      if (task === undefined) {
        tasks = begin();
        return Bun.gc(true);
      }
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
