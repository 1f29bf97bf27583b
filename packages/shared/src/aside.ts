import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, Worker, type Transferable } from "node:worker_threads";

import { AppError, unavailable, type ErrorCode, type ErrorDetail } from "./errors.ts";
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
/** How long a thread rests before it ends. A new one has to compile again what it runs. */
const REST_MS = 30_000;

/** Threads that rest, at most one for each file that they run. */
const resting = new Map<string, { thread: Thread; end: NodeJS.Timeout }>();

/**
 * A thread for one piece of work of many steps, that remembers from one to the next until it is stopped. It runs the
 * file at `url`, which calls {@link workAside}.
 */
export function openSession<T extends Tasks>(url: URL): Aside<T> {
  const thread = takeRested(url.href) ?? startThread(url);
  let isOver = false;
  return {
    async work<N extends keyof T & string>(
      task: N,
      args: Parameters<T[N]>,
      given?: Transferable[],
    ): Promise<Result<T, N>> {
      if (isOver) throw unavailable("the thread ended");
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the task that it is asked for
      return (await thread.work(task, args, given)) as Result<T, N>;
    },
    stop() {
      if (isOver) return;
      isOver = true;
      if (thread.isAtWork() || !thread.isAlive() || resting.has(url.href)) thread.stop();
      else rest(url.href, thread);
    },
  };
}

/** A thread for tasks of which none remembers another, one after the other; it runs what a session does. */
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
      session = own;
      try {
        return await own.work(task, args, given);
      } finally {
        own.stop();
        turn.give();
      }
    },
    stop() {
      session?.stop();
      takeRested(url.href)?.stop();
    },
  };
}

function takeRested(file: string): Thread | undefined {
  const rested = resting.get(file);
  clearTimeout(rested?.end);
  resting.delete(file);
  if (!rested?.thread.isAlive()) return undefined;
  rested.thread.hold();
  return rested.thread;
}

function rest(file: string, thread: Thread): void {
  thread.forget();
  thread.letGo();
  Bun.gc(false); // what it was given may be as large the next time
  const end = setTimeout(() => takeRested(file)?.stop(), REST_MS);
  end.unref();
  resting.set(file, { thread, end });
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
  work(task: string, args: unknown[], given?: Transferable[]): Promise<unknown>;
  isAlive(): boolean;
  isAtWork(): boolean;
  /** Its tasks remember nothing from now on, and what they have left behind is freed. */
  forget(): void;
  /** Whether the process may end while it is there. */
  hold(): void;
  letGo(): void;
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
    isAlive: () => alive,
    isAtWork: () => waiting.length > 0,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    forget: () => worker.postMessage({}),
    hold: () => worker.ref(),
    letGo: () => worker.unref(),
    async work(task, args, given = []) {
      if (!alive) throw unavailable("the thread ended");
      const { promise, ...settle } = Promise.withResolvers<Outcome>();
      waiting.push(settle);
      worker.postMessage({ task, args }, given);
      return resultOf(await promise);
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
 * @param make makes the tasks of a session, who may remember what its earlier ones did
 * @param given what of a result goes over to who asked, and is empty here
 */
export function workAside<T extends Tasks>(
  make: () => T,
  given: (result: Result<T, keyof T>) => Transferable[] = () => [],
): void {
  lowerPriority();
  let tasks = make();
  let last = Promise.resolve();
  parentPort?.on("message", ({ task, args = [] }: Message) => {
    const before = last;
    last = (async () => {
      await before;
      if (task === undefined) {
        tasks = make();
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
