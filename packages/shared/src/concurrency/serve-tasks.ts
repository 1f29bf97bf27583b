import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, type Transferable } from "node:worker_threads";

import { AppError } from "../values/errors.ts";
import type { Greeting, Message, Outcome } from "./thread.ts";

/** A thread's tasks by name. Arguments and results are passed between threads. */
export type Tasks = Readonly<Record<string, (...args: never[]) => unknown>>;

export type Result<T extends Tasks, N extends keyof T> = Awaited<ReturnType<T[N]>>;

/** Niceness of a thread: under contention it gets a third of the normal CPU share. */
const LOWER = 5;

/**
 * Runs inside a thread: does the requested tasks one after another. A failure that isn't an `AppError` ends the
 * thread.
 * @param begin creates the tasks of one piece of work
 * @param given returns buffers of a result to move to the caller; they are empty here afterwards
 */
export function serveTasks<T extends Tasks>(
  begin: () => T,
  given: (result: Result<T, keyof T>) => Transferable[] = () => [],
): void {
  const tid = threadNumber();
  lowerPriority(tid);
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
  const greeting: Greeting = { isUp: true, ...(tid !== undefined && { tid }) };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(greeting);
}

/** Returns the buffer that the bytes fill completely, for transfer with them; empty if they share it. */
export function ownBuffer(bytes: Uint8Array): Transferable[] {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? [bytes.buffer]
    : [];
}

/** Returns the thread's number, which only Linux has. */
function threadNumber(): number | undefined {
  try {
    return process.platform === "linux" ? Number(basename(readlinkSync("/proc/thread-self"))) : undefined;
  } catch {
    return undefined;
  }
}

/** Lowers a thread's priority, so that small requests go first. */
function lowerPriority(tid: number | undefined): void {
  if (tid === undefined || getPriority() >= LOWER) return;
  try {
    setPriority(tid, LOWER);
  } catch {
    // Optional: without the permission, the thread keeps its priority.
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
