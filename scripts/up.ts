/** Starts all of Leeway on this machine with demo data, and runs until Ctrl-C. */
import { join } from "node:path";

import { LEEWAY } from "./up/stack.ts";
import { up } from "./up/up.ts";

const root = join(import.meta.dir, "..");
process.exit(await up(LEEWAY, root));
