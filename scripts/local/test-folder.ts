import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { stopLeftoverPostgres } from "./cluster.ts";
import { readPrivateJson, writePrivateJson } from "./files.ts";
import { stopLeftoverNats } from "./nats.ts";
import { identityOf, isRunning, parseIdentity } from "./process.ts";

const PREFIX = "leeway-test-";
const OWNER = "owner.json";

/** Where Linux keeps files in memory: tests make and drop many databases, each of hundreds of files. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4 * 1024 ** 3;

/** Where throw-away data is written fastest: in memory, if there is plenty. */
export async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir();
}

/** A new folder for throw-away servers, known to be this process's. */
export async function makeTestFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, PREFIX));
  // PostgreSQL may have to run as another user, who must get through.
  await chmod(folder, 0o711);
  await writePrivateJson(join(folder, OWNER), identityOf(process.pid));
  return folder;
}

/** Removes the folders of processes that were killed, and ends the servers that run in them. */
export async function removeLeftTestFolders(): Promise<void> {
  const owners = new Bun.Glob(`${PREFIX}*/${OWNER}`);
  // In memory too if there is little left: of that what was left behind may be the reason.
  for (const cwd of new Set([tmpdir(), MEMORY])) {
    if (!existsSync(cwd)) continue;
    for await (const file of owners.scan({ cwd, absolute: true })) {
      await removeIfLeft(dirname(file)).catch(() => undefined);
    }
  }
}

async function removeIfLeft(folder: string): Promise<void> {
  // Anybody can make such a folder: only our own is believed.
  if ((await lstat(folder)).uid !== process.getuid?.()) return;
  const owner = parseIdentity(await readPrivateJson(join(folder, OWNER)));
  if (owner && isRunning(owner)) return;
  await stopLeftoverNats(folder);
  await stopLeftoverPostgres(folder);
  await rm(folder, { recursive: true, force: true });
}
