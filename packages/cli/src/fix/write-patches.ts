import { randomUUID } from "node:crypto";
import { chmod, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";

import { plain } from "../api/refusal.ts";
import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";
import { applyDiff } from "./apply-diff.ts";
import { readText, type Source } from "./sources.ts";

/**
 * Patches the files that were sent. Reads them again first: if one has changed, or a patch doesn't fit, writes none.
 * @returns the paths of the written files
 * @throws {Failure} that explains why no file was written
 */
export async function writePatches(
  directory: string,
  sources: readonly Source[],
  patches: FixResult["patches"],
): Promise<string[]> {
  const texts = new Map(sources.map(({ path, hcl }) => [path, hcl]));
  const changed = new Map<string, string>();
  for (const { path, diff } of patches) {
    const before = changed.get(path) ?? texts.get(path);
    const after = before === undefined ? undefined : applyDiff(before, diff);
    if (after === undefined)
      throw nothingWritten(`the patch of ${plain(path)} doesn't match the file that was sent`);
    changed.set(path, after);
  }
  for (const path of changed.keys()) {
    const isSame = (await readText(join(directory, path))) === texts.get(path);
    if (!isSame) throw nothingWritten(`${path} has changed since it was sent`);
  }
  for (const [path, text] of changed) await replace(join(directory, path), text);
  return [...changed.keys()];
}

/** Replaces a file atomically, so that readers never see half of it. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text, { flag: "wx" });
    await chmod(beside, (await stat(file)).mode);
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new Failure("refused", `can't write ${file}: ${reasonOf(cause)}`, { cause });
  }
}

function nothingWritten(problem: string): Failure {
  return new Failure("refused", `${problem}: nothing was written`);
}
