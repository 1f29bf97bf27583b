import { redactLive } from "@leeway/clouds/listings/redact-properties";

import { DRIFT_TASKS } from "./drift/drift-tasks.ts";
import { listingTasks } from "./listings/reading/listing-tasks.ts";
import { readPlanLines } from "./plans/plan-lines.ts";
import { stateTasks } from "./sources/state-tasks.ts";

/** Returns the tasks on untrusted input. They take as long as the input is large. */
export function inventoryTasks() {
  return { ...listingTasks(), ...stateTasks(), ...DRIFT_TASKS, readPlanLines, redactLive };
}
