/** Reads one large listing, aside; see `reader.ts`. */
import { ownBuffer, workAside } from "@leeway/shared/fairness/aside";

import { listingTasks } from "./tasks.ts";

workAside(listingTasks, (result) => (result && "lines" in result ? ownBuffer(result.lines) : []));
