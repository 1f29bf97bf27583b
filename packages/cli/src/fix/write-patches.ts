import { randomUUID } from "node:crypto";
import { chmod, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";

import { plain } from "../api/refusal.ts";
import { Failure } from "../failure.ts";
import { applyDiff } from "./apply-diff.ts";
import { readText, type Source } from "./sources.ts";

/**
 * Writes what patches make of the files that were sent. Files are read again first: when one has changed since, or a
 * patch isn't one of what was sent, none is written.
 * @returns the paths that were written
 * @throws {Failure} that says why none was
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
    if (after === undefined) throw nothingWritten(`the patch of ${plain(path)} isn't one of what was sent`);
    changed.set(path, after);
  }
  for (const path of changed.keys()) {
    const isSame = (await readText(join(directory, path))) === texts.get(path);
    if (!isSame) throw nothingWritten(`${path} has changed since it was sent`);
  }
  for (const [path, text] of changed) await replace(join(directory, path), text);
  return [...changed.keys()];
}

/** All at once, so that nobody reads half a file. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text, { flag: "wx" });
    await chmod(beside, (await stat(file)).mode);
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new Failure("refused", `${file} can't be written`, { cause });
  }
}

function nothingWritten(problem: string): Failure {
  return new Failure("refused", `${problem}: nothing was written`);
}
