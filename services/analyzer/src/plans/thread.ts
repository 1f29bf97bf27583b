/** Works on large plans on a thread of its own; see `planner.ts`. */
import { parentPort } from "node:worker_threads";

import { runPlanTask, type PlanTask } from "./run-plan-task.ts";

parentPort?.on("message", (task: PlanTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(runPlanTask(task));
  Bun.gc(true); // the next may be as large
});
