import { redactLive } from "@leeway/clouds/listings/redact-properties";
import { listingTasks } from "@leeway/clouds/reading/listing-tasks";
import { once } from "@leeway/shared/values/once";

const pairs = () => import("@leeway/drift/changes/compare-pairs");
const plans = () => import("@leeway/drift/changes/plan-findings");
const undeclared = () => import("@leeway/drift/changes/undeclared-resources");
const adopt = () => import("@leeway/drift/adopt/stored");
const rules = () => import("@leeway/rules/drift-subject");
const problems = () => import("@leeway/rules/rule-problem");

/**
 * Returns the tasks on untrusted input. They take as long as the input is large. A thread often reads only one
 * listing, and the code of the other tasks takes more time to load than a small listing takes to read.
 */
export function inventoryTasks() {
  const states = once(async () => (await import("@leeway/drift/reading/state-tasks")).stateTasks());
  return {
    ...listingTasks(),
    redactLive,
    readPlanLines: loaded(async () => (await import("@leeway/drift/reading/plan-lines")).readPlanLines),
    beginState: loaded(async () => (await states()).beginState),
    readState: loaded(async () => (await states()).readState),
    closeState: loaded(async () => (await states()).closeState),
  };
}

/** Returns the tasks on stored resources and plans. Their inputs are JSON text, because parsing is part of the task. */
export function driftTasks() {
  return {
    comparePairs: loaded(async () => (await pairs()).comparePairs),
    judgeRefreshes: loaded(async () => (await plans()).judgeRefreshes),
    judgePending: loaded(async () => (await plans()).judgePending),
    judgeUndeclared: loaded(async () => (await undeclared()).judgeUndeclared),
    adoptStored: loaded(async () => (await adopt()).adoptStored),
    judgeByRules: loaded(async () => (await rules()).judgeByRules),
    matchByCondition: loaded(async () => (await rules()).matchByCondition),
    whenProblem: loaded(async () => (await problems()).whenProblem),
  };
}

/** Returns a task whose module is loaded when it is called. */
function loaded<Args extends unknown[], R>(
  load: () => Promise<(...args: Args) => R | Promise<R>>,
): (...args: Args) => Promise<R> {
  return async (...args) => (await load())(...args);
}
