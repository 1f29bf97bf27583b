/** Works on large plans, aside; see `plan-reader.ts`. */
import { workAside } from "@leeway/shared/fairness/aside";

import { TASKS } from "./tasks.ts";

workAside(() => TASKS);
