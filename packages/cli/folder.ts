import { join } from "node:path";

/** Folder of the built package, which the gateway also serves. */
export const CLI_DIR = join(import.meta.dir, "dist");
/** Name of the program. As `.cjs` it runs in any folder, also below a package of ES modules. */
export const PROGRAM = "leeway.cjs";
