/** Reads large bodies, aside; see `reader.ts`. */
import { workAside } from "@leeway/shared/fairness/aside";

import { readBody } from "./read-body.ts";

workAside(() => ({ readBody }));
