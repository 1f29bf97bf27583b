import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";

import { stepsOf } from "@leeway/analysis/report/identity";
import type { Code, CodeFile } from "@leeway/analysis/report/locations";

import type { Environment } from "../arguments.ts";
import { readText } from "../fix/sources.ts";

const MAX_FILES = 1_000;
const MAX_BYTES = 10 << 20;
const MAX_MS = 10_000;
/** Terraform ignores hidden files. */
const CONFIGURATION = /^[^.].*\.(?:tf|tofu)(?:\.json)?$/;

/** Finds a project's code on this machine: in `dir`, or in the working directory if `dir` isn't set. */
export async function findCode(dir: string | undefined, env: Environment): Promise<Code | undefined> {
  const cwd = resolve(".");
  const wanted = stepsOf(dir).join("/") || ".";
  for (const root of await rootsOf(cwd, wanted, env)) {
    const directory = dir === undefined ? await placeIn(root, cwd) : wanted;
    if (directory !== undefined && (await isDirectory(join(root, directory)))) return codeIn(root, directory);
  }
  return undefined;
}

/** Returns the candidates for the repository's root, most likely first. */
async function rootsOf(cwd: string, wanted: string, env: Environment): Promise<string[]> {
  const above = cwd.endsWith(`${sep}${wanted.replaceAll("/", sep)}`) ? cwd.slice(0, -wanted.length - 1) : "";
  return [env["CI_PROJECT_DIR"], env["GITHUB_WORKSPACE"], await checkoutOf(cwd), cwd, above].filter(
    (root): root is string => Boolean(root),
  );
}

/** Returns the root of the Git checkout that contains a directory. */
async function checkoutOf(directory: string): Promise<string | undefined> {
  const isRoot = await stat(join(directory, ".git")).then(
    () => true,
    () => false,
  );
  if (isRoot) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : checkoutOf(parent);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Reads code up to a limit of files, bytes and time. Skips unreadable files. */
function codeIn(root: string, directory: string): Code {
  const deadline = performance.now() + MAX_MS;
  const left = { files: MAX_FILES, bytes: MAX_BYTES };
  async function* files(wanted: string): AsyncGenerator<CodeFile> {
    for (const name of await configurationIn(root, wanted)) {
      if (left.files === 0 || performance.now() >= deadline) return;
      const path = await placeIn(root, join(root, wanted, name));
      const size = path === undefined ? undefined : await sizeOf(join(root, path));
      if (path === undefined || size === undefined || size > left.bytes) continue;
      left.files -= 1;
      left.bytes -= size;
      const text = await readText(join(root, path));
      if (text !== undefined) yield { path, text };
    }
  }
  return { directory, files };
}

async function configurationIn(root: string, directory: string): Promise<string[]> {
  const place = await placeIn(root, join(root, directory));
  if (place === undefined) return [];
  const names = await readdir(join(root, place)).catch(() => []);
  return names.filter((name) => CONFIGURATION.test(name)).toSorted();
}

/** Returns the path within the root, with slashes and links resolved; undefined if it is absent or outside. */
async function placeIn(root: string, path: string): Promise<string | undefined> {
  try {
    const place = relative(await realpath(root), await realpath(path));
    const isOutside = place === ".." || place.startsWith(`..${sep}`) || isAbsolute(place);
    return isOutside ? undefined : place.replaceAll(sep, posix.sep) || ".";
  } catch {
    return undefined;
  }
}

/** Returns the size of a file; undefined for anything else, such as a pipe. */
async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  );
}
