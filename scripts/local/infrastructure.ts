import { chmod, lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { startContainers } from "./containers.ts";
import { stopLeftoverPostgres } from "./cluster.ts";
import { readPrivateJson, writePrivateJson } from "./files.ts";
import { startNats, stopLeftoverNats } from "./nats.ts";
import { FAST_NOT_DURABLE, startPostgres } from "./postgres.ts";
import { identityOf, isRunning, parseIdentity } from "./process.ts";
import type { Infrastructure } from "./running.ts";

/** Containers when a Docker engine answers and they start, embedded servers otherwise. */
export async function startInfrastructure(
  { mayUseDocker }: { mayUseDocker: boolean },
  say: (line: string) => void,
): Promise<Infrastructure> {
  await removeLeftovers();
  if (!mayUseDocker) return startEmbedded("no containers asked for", say);
  try {
    return await startContainers(say);
  } catch (error) {
    return startEmbedded(error instanceof Error ? error.message : String(error), say);
  }
}

const FOLDER = join(tmpdir(), "leeway-test-");
const OWNER = "owner.json";

async function startEmbedded(reason: string, say: (line: string) => void): Promise<Infrastructure> {
  const dir = await mkdtemp(FOLDER);
  // PostgreSQL may have to run as another user, who must get through.
  await chmod(dir, 0o711);
  await writePrivateJson(join(dir, OWNER), identityOf(process.pid));
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rm(dir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dir, database: "postgres", settings: FAST_NOT_DURABLE });
  undo.defer(postgres.stop);
  const nats = await startNats({ dir, say });
  undo.defer(nats.stop);
  const owned = undo.move();
  return {
    databaseUrl: postgres.url,
    natsUrl: nats.url,
    description: `embedded PostgreSQL 18 and nats-server ${nats.version} (${reason})`,
    stop: () => owned.disposeAsync(),
  };
}

/** Ends what a run that was killed together with its guard left running. */
async function removeLeftovers(): Promise<void> {
  for await (const file of new Bun.Glob(`leeway-test-*/${OWNER}`).scan({ cwd: tmpdir(), absolute: true })) {
    await removeLeftover(dirname(file)).catch(() => undefined);
  }
}

async function removeLeftover(dir: string): Promise<void> {
  // Anybody can make such a folder: only our own is believed.
  if ((await lstat(dir)).uid !== process.getuid?.()) return;
  const owner = parseIdentity(await readPrivateJson(join(dir, OWNER)));
  if (owner && isRunning(owner)) return;
  await stopLeftoverNats(dir);
  await stopLeftoverPostgres(dir);
  await rm(dir, { recursive: true, force: true });
}
