import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

import type { Adoption } from "@leeway/shared/contracts/inventory/adoptions";

import { quoted } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";

/**
 * Writes files below a folder.
 * @throws {Failure} that names a file that exists already or is outside, before any is written, or one that can't be written
 */
export async function writeFiles(
  files: Adoption["files"],
  folder: string,
  { overwrites }: { overwrites: boolean },
): Promise<void> {
  for (const { path } of files) requireInside(path);
  const all = files.map(({ path, content }) => ({ file: join(folder, path), content }));
  for (const { file } of overwrites ? [] : all) {
    if ((await stat(file).catch(() => undefined)) === undefined) continue;
    throw new Failure("refused", `${file} exists already; choose another folder, or add --force`);
  }
  for (const { file, content } of all) {
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { flag: overwrites ? "w" : "wx" });
    } catch (cause) {
      throw new Failure("refused", `${file}: ${reasonOf(cause)}`, { cause });
    }
  }
}

/** Refuses a path that leads out of its folder. A server names paths, too. @throws {Failure} */
export function requireInside(path: string): void {
  const isInside =
    path !== "" && !isAbsolute(path) && !path.split(/[/\\]/).includes("..") && !/[\0:]/.test(path);
  if (!isInside)
    throw new Failure("refused", `${quoted(path)} isn't a path inside the folder: nothing was written`);
}
