import { chmod, chown, mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { type RunAs, succeeds } from "./command.ts";

/** Returns the user for PostgreSQL, which refuses to run as root; undefined means the current user. */
export async function postgresUser(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL doesn't run as root and there is no user postgres or nobody: set DATABASE_URL");
}

/**
 * Returns a folder for PostgreSQL that `as` owns and can enter: in `dir`, otherwise under /var/lib/leeway with a name
 * derived from `dir`.
 */
export async function postgresHome(dir: string, as: RunAs | undefined): Promise<string> {
  const [inside, outside] = homesOf(dir);
  if (!as) return owned(inside, as);
  if (await succeeds(["sh", "-c", 'test -x "$1"', "sh", dir], { as })) return owned(inside, as);
  await mkdir(dirname(outside), { recursive: true, mode: 0o755 });
  return owned(outside, as);
}

/** Returns the folders that {@link postgresHome} chooses from. */
export function homesOf(dir: string): [inside: string, outside: string] {
  return [join(dir, "postgres"), join("/var/lib/leeway", Bun.hash(resolve(dir)).toString(36))];
}

async function owned(path: string, as: RunAs | undefined): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
  if (as) await chown(path, as.uid, as.gid);
  return path;
}
