/** Reads one large listing, aside; see `reader.ts`. */
import { workAside } from "@leeway/shared/aside";

import { listingTasks } from "./tasks.ts";

workAside(listingTasks());
