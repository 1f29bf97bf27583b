/** Reads large bodies in a worker thread; see `reader.ts`. */
import { serveTasks } from "@leeway/shared/concurrency/serve-tasks";

import { TASKS } from "./read-event.ts";

serveTasks(() => TASKS);
