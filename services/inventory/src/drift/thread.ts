/** Compares and judges large batches on a thread; see `../readers.ts`. */
import { serveTasks } from "@leeway/shared/concurrency/serve-tasks";

import { driftTasks } from "../tasks.ts";

serveTasks(driftTasks);
