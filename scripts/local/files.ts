import { isObject, type JsonObject } from "@leeway/shared/json";
import { chmod, lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivate(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, content, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * What {@link writePrivateJson} wrote; undefined when there is no such file.
 * @throws {Error} when it is there and can't be read: another user's, or damaged.
 */
export async function readPrivateJson(path: string): Promise<JsonObject | undefined> {
  const content = await contentOf(path);
  if (content === undefined) return undefined;
  const found = objectIn(content);
  if (found) return found;
  throw new Error(`${path} is damaged: put a copy of it back, or remove ${dirname(path)} to begin anew`);
}

/** As {@link readPrivateJson}, of what can be made again: undefined also when it is damaged. */
export async function readReplaceableJson(path: string): Promise<JsonObject | undefined> {
  return objectIn((await contentOf(path)) ?? "");
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    const why = hasCode(error, "EACCES") ? "it belongs to another user" : String(error);
    throw new Error(`can't read ${path}: ${why}`, { cause: error });
  }
}

function objectIn(content: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Leeway's folder for what can be fetched again, made if need be: `~/.cache/leeway`, else one in the temp directory. */
export async function cacheDir(): Promise<string> {
  const wanted = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "leeway");
  try {
    return await ownFolder(wanted);
  } catch {
    return ownFolder(join(tmpdir(), `leeway-cache-${userInfo().uid}`));
  }
}

/** In the shared temp directory somebody else may have been first with the name: what lies there would be run. */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o755 });
  const { uid } = await lstat(path);
  if (uid !== userInfo().uid) throw new Error(`${path} belongs to another user`);
  await writeFile(join(path, ".writable"), "");
  return path;
}
