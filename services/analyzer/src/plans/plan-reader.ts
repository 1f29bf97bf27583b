import { Worker } from "node:worker_threads";

import type { AnalyzeOptions } from "@leeway/analysis/analyze";
import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import { AppError, unavailable } from "@leeway/shared/errors";
import { createSlots } from "@leeway/shared/slots";

import type { ReadSubmission } from "./read-submission.ts";
import { analyzeTask, readTask, type PlanTask, type TaskFailure } from "./run-plan-task.ts";

/** Works on plans without holding up whoever waits for something else: one of 20 MB takes seconds. */
export interface PlanReader {
  /** @throws {AppError} as `readSubmission`; `unavailable` when the thread ended on the way */
  read(bytes: Uint8Array): Promise<ReadSubmission>;
  /** Of a masked plan. @throws {AppError} as `requirePlan`; `unavailable` when the thread ended on the way */
  analyze(plan: string, options: AnalyzeOptions): Promise<Analysis>;
  stop(): void;
}

/** What is worked on at once: some milliseconds. */
const MOST_SMALL_BYTES = 256 * 1024;
const THREAD = new URL("./thread.ts", import.meta.url);
/** An idle thread ends, and what it took of memory with it. */
const IDLE_MS = 2_000;

export function createPlanReader(): PlanReader {
  const turn = createSlots(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function post<T extends object>(task: PlanTask): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T | TaskFailure>();
    const worker = (thread ??= new Worker(THREAD));
    const lose = (): void => {
      thread = undefined;
      reject(unavailable("the thread for plans ended"));
    };
    worker.once("message", resolve).once("error", lose).once("exit", lose);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(task);
    const outcome = await promise.finally(() =>
      worker.off("message", resolve).off("error", lose).off("exit", lose),
    );
    if ("failure" in outcome) {
      const { code, message, details } = outcome.failure;
      throw new AppError(code, message, { ...(details && { details }) });
    }
    return outcome;
  }

  async function aside<T extends object>(task: PlanTask): Promise<T> {
    await turn.take();
    clearTimeout(idle);
    try {
      return await post<T>(task);
    } finally {
      Bun.gc(false); // the next may be as large
      idle = setTimeout(stop, IDLE_MS);
      turn.give();
    }
  }

  function stop(): void {
    clearTimeout(idle);
    void thread?.terminate();
    thread = undefined;
  }

  return {
    async read(bytes) {
      if (bytes.length <= MOST_SMALL_BYTES) return readTask({ bytes });
      return aside<ReadSubmission>({ task: "read", bytes });
    },
    async analyze(plan, options) {
      if (plan.length <= MOST_SMALL_BYTES) return analyzeTask({ plan, options });
      return aside<Analysis>({ task: "analyze", plan, options });
    },
    stop,
  };
}
