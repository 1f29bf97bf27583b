import { parentPort, Worker, type Transferable } from "node:worker_threads";

import { AppError, unavailable, type ErrorCode, type ErrorDetail } from "./errors.ts";
import { createSlots } from "./slots.ts";

/** What a thread can be asked to do, by name; arguments and results pass between threads. */
type Tasks = Readonly<Record<string, (...args: never[]) => unknown>>;

/** How a task ended, in a form that passes between threads. */
type Outcome<R> =
  | { result: R }
  | { failure: { code: ErrorCode; message: string; details: ErrorDetail[] | undefined } };

/** A thread of its own for work that would hold others up. */
interface Aside<T extends Tasks> {
  /**
   * Does one task after the other. What is `given` goes over to the thread, and is empty here.
   * @throws {AppError} as the task does; `unavailable` when the thread ended on the way
   */
  work<N extends keyof T>(task: N, args: Parameters<T[N]>, given?: Transferable[]): Promise<ReturnType<T[N]>>;
  stop(): void;
}

/** An idle thread ends, and what it took of memory with it. */
const IDLE_MS = 2_000;

/** A thread that runs the file at `url`, which calls {@link workAside}; it is there while there is work. */
export function openAside<T extends Tasks>(url: URL): Aside<T> {
  const turn = createSlots(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function ask<R>(message: unknown, given: Transferable[]): Promise<Outcome<R>> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<R>>();
    const worker = (thread ??= new Worker(url));
    const lose = (): void => {
      thread = undefined;
      reject(unavailable("the thread ended"));
    };
    worker.once("message", resolve).once("error", lose).once("exit", lose);
    worker.postMessage(message, given);
    return promise.finally(() => worker.off("message", resolve).off("error", lose).off("exit", lose));
  }

  function stop(): void {
    clearTimeout(idle);
    void thread?.terminate();
    thread = undefined;
  }

  return {
    async work(task, args, given = []) {
      await turn.take();
      clearTimeout(idle);
      try {
        return resultOf(await ask({ task, args }, given));
      } finally {
        Bun.gc(false); // the next may be as large
        idle = setTimeout(stop, IDLE_MS);
        turn.give();
      }
    },
    stop,
  };
}

function resultOf<R>(outcome: Outcome<R>): R {
  if ("result" in outcome) return outcome.result;
  const { code, message, details } = outcome.failure;
  throw new AppError(code, message, { ...(details && { details }) });
}

/** On a thread that `openAside` opened: does what it is asked for. A failure that is no `AppError` ends the thread. */
export function workAside(tasks: Tasks): void {
  parentPort?.on("message", ({ task, args }: { task: string; args: never[] }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(outcomeOf(() => tasks[task]?.(...args)));
    Bun.gc(true); // the next may be as large
  });
}

function outcomeOf(work: () => unknown): Outcome<unknown> {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { failure: { code, message, details } };
  }
}
