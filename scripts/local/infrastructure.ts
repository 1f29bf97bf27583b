import { rm } from "node:fs/promises";

import { messageOf } from "./command.ts";
import { startContainers } from "./containers.ts";
import { startNats } from "./nats.ts";
import { THROW_AWAY, startPostgres } from "./postgres.ts";
import type { Infrastructure } from "./running.ts";
import { fastestFolder, makeTestFolder, removeLeftTestFolders } from "./test-folder.ts";
import { WORKERS } from "./workers.ts";

/** Starts containers if a Docker engine answers, otherwise embedded servers. */
export async function startInfrastructure(
  { mayUseDocker }: { mayUseDocker: boolean },
  say: (line: string) => void,
): Promise<Infrastructure> {
  await removeLeftTestFolders();
  if (!mayUseDocker) return startEmbedded("no containers asked for", say);
  try {
    return await startContainers(say);
  } catch (error) {
    return startEmbedded(messageOf(error), say);
  }
}

async function startEmbedded(reason: string, say: (line: string) => void): Promise<Infrastructure> {
  // Measurements need a server that keeps confirmed writes.
  const isDurable = Boolean(process.env["LEEWAY_TEST_DURABLE"]);
  const dir = await makeTestFolder(isDurable ? undefined : await fastestFolder());
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rm(dir, { recursive: true, force: true }));
  const settings = isDurable ? {} : THROW_AWAY;
  const postgres = await startPostgres({ dir, database: "postgres", settings });
  undo.defer(postgres.stop);
  const nats = await startNats({ dir, say, users: WORKERS });
  undo.defer(nats.stop);
  const owned = undo.move();
  return {
    databaseUrl: postgres.url,
    natsUrl: nats.url,
    description: `embedded PostgreSQL 18 and nats-server ${nats.version} (${reason})`,
    stop: () => owned.disposeAsync(),
  };
}
