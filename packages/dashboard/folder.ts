import { join } from "node:path";

/** Folder of the built dashboard, for the server. */
export const DASHBOARD_DIR = join(import.meta.dir, "dist");
