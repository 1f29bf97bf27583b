import { join } from "node:path";

/** Where the built dashboard lies, for whoever serves it. */
export const DASHBOARD_DIR = join(import.meta.dir, "dist");
