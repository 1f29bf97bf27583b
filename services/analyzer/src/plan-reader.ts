import type { SettledCode } from "@leeway/analysis/settle/settle";
import { readingSize } from "@leeway/rules/condition";
import { openReaders } from "@leeway/shared/concurrency/readers";
import { ownBuffer } from "@leeway/shared/concurrency/serve-tasks";

import type { ReadEvent } from "./events/read-event.ts";
import type { MadeFix } from "./noise/make-fix.ts";
import type { ReadSubmission } from "./plans/read-submission.ts";
import { TASKS, type ReadPlan } from "./tasks.ts";

type Arguments<N extends keyof typeof TASKS> = Parameters<(typeof TASKS)[N]>;
type Rest<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never;

/**
 * Processes uploads in worker threads, so that other requests don't wait: a plan of 20 MB takes a tenth of a second.
 * Each organization's work waits in its own queue.
 * All methods throw the errors of their task, `too_slow_to_read`, and `unavailable` when the thread ended.
 */
export interface PlanReader {
  /** Reads a submission. The thread takes over `bytes`, so the caller can't use them afterwards. */
  read(orgId: string, bytes: Uint8Array): Promise<ReadSubmission>;
  /** Analyzes a masked plan. */
  analyze(orgId: string, plan: string, rest: Rest<Arguments<"analyzeMasked">>): Promise<ReadPlan>;
  report(orgId: string, plan: string, rest: Rest<Arguments<"reportMasked">>): Promise<string | undefined>;
  /** Returns the addresses that a masked plan changes, with the actions. */
  planned(orgId: string, plan: string): Promise<ReturnType<(typeof TASKS)["plannedIn"]>>;
  /** Returns what a masked plan changes, with the attributes of one address if it is given. */
  changes(
    orgId: string,
    plan: string,
    address: string | undefined,
  ): Promise<ReturnType<(typeof TASKS)["planChanges"]>>;
  event(orgId: string, text: string, rest: Rest<Arguments<"readEvent">>): Promise<ReadEvent>;
  fix(orgId: string, ...request: Arguments<"makeFix">): Promise<MadeFix>;
  /** Settles changes of drift in code. */
  settle(orgId: string, ...request: Arguments<"settleCode">): Promise<SettledCode>;
  /** Finds the block that declares a resource. */
  locate(
    orgId: string,
    ...request: Arguments<"locateBlock">
  ): Promise<Awaited<ReturnType<(typeof TASKS)["locateBlock"]>>>;
  stop(): void;
}

/** Time for code compared with a plan of the same size: code is parsed, changed, parsed again and compared. */
const CODE_WEIGHT = 32;

/** Code that takes as long to read as one more change to settle takes. */
const SETTLED_BYTES = 10_000;

export function createPlanReader(): PlanReader {
  const readers = openReaders({ url: new URL("./thread.ts", import.meta.url), begin: () => TASKS });
  return {
    read: (orgId, bytes) =>
      readers.do({ orgId, bytes: bytes.length }, "readSubmission", [bytes], ownBuffer(bytes)),
    analyze: (orgId, plan, rest) => {
      const bytes = plan.length + readingSize(rest[0].rules ?? []);
      return readers.do({ orgId, bytes }, "analyzeMasked", [plan, ...rest]);
    },
    report: (orgId, plan, rest) => readers.do({ orgId, bytes: plan.length }, "reportMasked", [plan, ...rest]),
    planned: (orgId, plan) => readers.do({ orgId, bytes: plan.length }, "plannedIn", [plan]),
    changes: (orgId, plan, address) =>
      readers.do({ orgId, bytes: plan.length }, "planChanges", [plan, address]),
    event: (orgId, text, rest) => readers.do({ orgId, bytes: text.length }, "readEvent", [text, ...rest]),
    fix: (orgId, ...request) => {
      const bytes = CODE_WEIGHT * request[0].sources.length;
      return readers.do({ orgId, bytes }, "makeFix", request);
    },
    settle: (orgId, ...request) => {
      const [{ sources, changes }] = request;
      const bytes = CODE_WEIGHT * (sources.length + SETTLED_BYTES * changes.length);
      return readers.do({ orgId, bytes }, "settleCode", request);
    },
    locate: (orgId, ...request) =>
      readers.do({ orgId, bytes: CODE_WEIGHT * request[0].sources.length }, "locateBlock", request),
    stop: readers.stop,
  };
}
