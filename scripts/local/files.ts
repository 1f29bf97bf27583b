import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { chmod, lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

/** Writes a file atomically, readable only by its owner. */
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
 * Reads a file of {@link writePrivateJson}, or returns undefined if it doesn't exist.
 * @throws {Error} when it can't be read or is damaged
 */
export async function readPrivateJson(path: string): Promise<JsonObject | undefined> {
  const content = await contentOf(path);
  if (content === undefined) return undefined;
  const found = objectIn(content);
  if (found) return found;
  throw new Error(`${path} is damaged: put a copy of it back, or remove ${dirname(path)} to begin anew`);
}

/** Reads a file of {@link writePrivateJson} that can be recreated. Returns undefined also when it is damaged. */
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

/**
 * Returns Leeway's cache folder and creates it if needed: `~/.cache/leeway`, otherwise a folder in the temp
 * directory.
 */
export async function cacheDir(): Promise<string> {
  const wanted = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "leeway");
  try {
    return await ownFolder(wanted);
  } catch {
    return ownFolder(join(tmpdir(), `leeway-cache-${userInfo().uid}`));
  }
}

/**
 * Creates a folder and checks that we own it. In the shared temp directory another user could plant programs for us
 * to run.
 */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o755 });
  const { uid } = await lstat(path);
  if (uid !== userInfo().uid) throw new Error(`${path} belongs to another user`);
  await writeFile(join(path, ".writable"), "");
  return path;
}
