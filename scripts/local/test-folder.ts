import { chmod, lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { stopLeftoverPostgres } from "./cluster.ts";
import { readPrivateJson, writePrivateJson } from "./files.ts";
import { stopLeftoverNats } from "./nats.ts";
import { identityOf, isRunning, parseIdentity } from "./process.ts";

const PREFIX = "leeway-test-";
const OWNER = "owner.json";

/** A new folder for throw-away servers, known to be this process's. */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  // PostgreSQL may have to run as another user, who must get through.
  await chmod(folder, 0o711);
  await writePrivateJson(join(folder, OWNER), identityOf(process.pid));
  return folder;
}

/** Removes the folders of processes that were killed, and ends the servers that run in them. */
export async function removeLeftTestFolders(): Promise<void> {
  for await (const file of new Bun.Glob(`${PREFIX}*/${OWNER}`).scan({ cwd: tmpdir(), absolute: true })) {
    await removeIfLeft(dirname(file)).catch(() => undefined);
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
