import { adoptStored } from "@leeway/drift/adopt/stored";
import { comparePairs } from "@leeway/drift/changes/compare-pairs";
import { judgePending, judgeRefreshes } from "@leeway/drift/changes/plan-findings";
import { judgeUndeclared } from "@leeway/drift/changes/undeclared-resources";
import { judgeByRules, matchByCondition } from "@leeway/rules/drift-subject";
import { whenProblem } from "@leeway/rules/rule-problem";

/** Tasks on stored resources and plans. Their inputs are JSON text, because parsing is part of the task. */
export const DRIFT_TASKS = {
  comparePairs,
  judgeRefreshes,
  judgePending,
  judgeUndeclared,
  adoptStored,
  judgeByRules,
  matchByCondition,
  whenProblem,
};
