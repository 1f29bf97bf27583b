/** Runs tasks in a worker thread; see `plan-reader.ts`. */
import { serveTasks } from "@leeway/shared/concurrency/serve-tasks";

import { TASKS } from "./tasks.ts";

serveTasks(() => TASKS);
