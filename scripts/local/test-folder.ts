import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { stopLeftoverPostgres } from "./cluster.ts";
import { readPrivateJson, writePrivateJson } from "./files.ts";
import { stopLeftoverNats } from "./nats.ts";
import { identityOf, isRunning, parseIdentity } from "./process.ts";

/** Start of the name of every such folder. */
export const PREFIX = "leeway-test-";
const OWNER = "owner.json";

/** In-memory file system of Linux. Tests create and drop many databases, each with hundreds of files. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4 * 1024 ** 3;

/** Returns the fastest folder for throw-away data: in memory, if there is enough. */
export async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir();
}

/** Creates a folder for throw-away servers and records this process as its owner. */
export async function makeTestFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, PREFIX));
  // PostgreSQL may run as another user, who must be able to pass through.
  await chmod(folder, 0o711);
  await writePrivateJson(join(folder, OWNER), identityOf(process.pid));
  return folder;
}

/** Removes the folders of killed processes and stops the servers that run in them. */
export async function removeLeftTestFolders(): Promise<void> {
  const owners = new Bun.Glob(`${PREFIX}*/${OWNER}`);
  // Includes memory even if it is nearly full, because leftovers may be the cause.
  for (const cwd of new Set([tmpdir(), MEMORY])) {
    if (!existsSync(cwd)) continue;
    for await (const file of owners.scan({ cwd, absolute: true })) {
      await removeIfLeft(dirname(file)).catch(() => undefined);
    }
  }
}

async function removeIfLeft(folder: string): Promise<void> {
  // Other users can create such folders, so only our own count.
  if ((await lstat(folder)).uid !== process.getuid?.()) return;
  const owner = parseIdentity(await readPrivateJson(join(folder, OWNER)));
  if (owner && isRunning(owner)) return;
  await stopLeftoverNats(folder);
  await stopLeftoverPostgres(folder);
  await rm(folder, { recursive: true, force: true });
}
