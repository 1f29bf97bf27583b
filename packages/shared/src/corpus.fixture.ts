import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Where the collection of real data is, which is no part of the project. */
export const CORPUS = process.env["LEEWAY_CORPUS"] ?? resolve(import.meta.dir, "../../../../shared/corpus");
export const hasCorpus = existsSync(CORPUS);
