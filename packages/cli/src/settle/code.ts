import { isUtf8 } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, resolve, sep } from "node:path";

import { usage } from "../arguments.ts";
import { Failure } from "../failure.ts";
import type { Source } from "../fix/sources.ts";
import { reasonOf } from "../reason.ts";

const MAX_FILES = 1_000;
const MAX_BYTES = 10 << 20;
const CONFIGURATION = /^[^.].*\.(?:tf|tofu|tfvars)(?:\.json)?$/;

/** Code on this machine. */
export interface Code {
  sources: Source[];
  /** Folder of the root module in `root`; empty for `root` itself. */
  dir: string;
}

/**
 * Reads all configuration below `root`, except in hidden folders and `node_modules`.
 * @throws {Failure} if `dir` is outside, or the code is unreadable or too large
 */
export async function readCode(command: string, root: string, dir: string): Promise<Code> {
  const place = relative(resolve(root), resolve(dir)).replaceAll(sep, posix.sep);
  if (/^\.\.(?:\/|$)|^\/|:/.test(place))
    throw usage(command, `--dir ${dir} must be in --root ${root}; choose a folder that contains both`);
  const files = await filesIn(root);
  if (files.length === 0) throw new Failure("refused", `${root} contains no .tf or .tofu files; check --dir`);
  if (files.length > MAX_FILES) throw tooLarge(root);
  const sources: Source[] = [];
  let left = MAX_BYTES;
  for (const { path, isLink } of files) {
    const content = await read(join(root, path));
    left -= content.length;
    if (left < 0) throw tooLarge(root);
    // An open quotation mark keeps a file from being edited, and what it declares is still found.
    const isEdited = !isLink && isUtf8(content);
    sources.push({ path, hcl: content.toString() + (isEdited ? "" : '\n"') });
  }
  return { sources, dir: place };
}

interface Found {
  path: string;
  isLink: boolean;
}

async function filesIn(root: string): Promise<Found[]> {
  const found: Found[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name)) await visit(path);
      const isLink = entry.isSymbolicLink();
      if ((entry.isFile() || isLink) && CONFIGURATION.test(entry.name)) found.push({ path, isLink });
      if (found.length > MAX_FILES) return;
    }
  };
  await visit("").catch((cause: unknown) => {
    throw new Failure("refused", `can't read the code in ${root}: ${reasonOf(cause)}`, { cause });
  });
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

async function read(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    throw new Failure("refused", `${file}: ${reasonOf(cause)}`, { cause });
  });
}

function tooLarge(root: string): Failure {
  return new Failure(
    "refused",
    `${root} has more than ${MAX_FILES} configuration files or 10 MiB; set --root to a smaller folder`,
  );
}
