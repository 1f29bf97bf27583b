import { join } from "node:path";

import type { SettlementWay } from "@leeway/shared/contracts/analyzer/settlements";

import { requireInside, writeFiles } from "../adopt/write-files.ts";
import { readText, type Source } from "../fix/sources.ts";
import { writePatches } from "../fix/write-patches.ts";
import type { SettleResult } from "./result.ts";

interface Target {
  how: SettlementWay;
  root: string;
  out: string | undefined;
  writes: boolean;
  overwrites: boolean;
}

/**
 * Writes the result if a flag asks for it. Existing files are patched, so that they keep what the patch doesn't name.
 * @returns the written files
 * @throws {Failure} before any file is written, if a patch doesn't fit or a new file exists already
 */
export async function writeResult(
  { patch, files }: SettleResult,
  { how, root, out, writes, overwrites }: Target,
): Promise<string[]> {
  const folder = out ?? (writes ? root : undefined);
  if (folder === undefined || files.length === 0) return [];
  for (const { path } of files) requireInside(path);
  if (out !== undefined || how === "adopt") await writeFiles(files, folder, { overwrites });
  else await writePatches(root, await present(root, files), patchesIn(patch));
  return files.map(({ path }) => join(folder, path));
}

async function present(root: string, files: SettleResult["files"]): Promise<Source[]> {
  const read = files.map(async ({ path }) => ({ path, hcl: await readText(join(root, path)) }));
  return (await Promise.all(read)).flatMap(({ path, hcl }) => (hcl === undefined ? [] : [{ path, hcl }]));
}

/** Splits a diff by file. */
function patchesIn(patch: string): { path: string; diff: string }[] {
  return patch.split(/^(?=--- .*\n\+\+\+ )/m).flatMap((diff) => {
    const path = /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1];
    return path === undefined ? [] : [{ path, diff }];
  });
}
