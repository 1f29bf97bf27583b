import type { AnalyzeOptions } from "@leeway/analysis/analyze";
import { openAside, ownBuffer } from "@leeway/shared/fairness/aside";
import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";

import { readSubmission, type ReadSubmission } from "./read-submission.ts";
import { analyzeMasked, reportMasked, type TASKS } from "./tasks.ts";

/** Works on plans without holding up whoever waits for something else: one of 20 MB takes a tenth of a second. */
export interface PlanReader {
  /** `bytes` are used up. @throws {AppError} as `readSubmission`; `unavailable` when the thread ended on the way */
  read(bytes: Uint8Array): Promise<ReadSubmission>;
  /** Of a masked plan. @throws {AppError} as `requirePlan`; `unavailable` when the thread ended on the way */
  analyze(plan: string, options: AnalyzeOptions): Promise<Analysis>;
  /** As {@link reportMasked}. @throws {AppError} as `requirePlan`; `unavailable` when the thread ended on the way */
  report(plan: string, options: AnalyzeOptions): Promise<string | undefined>;
  stop(): void;
}

/** What is worked on at once: some milliseconds. */
const MOST_SMALL_BYTES = 256 * 1024;

export function createPlanReader(): PlanReader {
  const aside = openAside<typeof TASKS>(new URL("./thread.ts", import.meta.url));
  return {
    async read(bytes) {
      if (bytes.length <= MOST_SMALL_BYTES) return readSubmission(bytes);
      return aside.work("readSubmission", [bytes], ownBuffer(bytes));
    },
    async analyze(plan, options) {
      if (plan.length <= MOST_SMALL_BYTES) return analyzeMasked(plan, options);
      return aside.work("analyzeMasked", [plan, options]);
    },
    async report(plan, options) {
      if (plan.length <= MOST_SMALL_BYTES) return reportMasked(plan, options);
      return aside.work("reportMasked", [plan, options]);
    },
    stop: aside.stop,
  };
}
