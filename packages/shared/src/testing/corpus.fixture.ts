import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Folder with real data, which isn't part of the project. */
export const CORPUS =
  process.env["LEEWAY_CORPUS"] ?? resolve(import.meta.dir, "../../../../../shared/corpus");
export const hasCorpus = existsSync(CORPUS);
