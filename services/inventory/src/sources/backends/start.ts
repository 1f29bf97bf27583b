import { repeat } from "@leeway/shared/platform/repeat";
import type { Running } from "@leeway/shared/service/service";

import { leaseStates } from "../store/backends.ts";
import { readBackend, type BackendDependencies } from "./read-backend.ts";

const LOOK_EVERY_MS = 2_000;
/** Time between two reads of a backend. */
const READ_EVERY = "5 minutes";
/** Limit of concurrent reads. Each holds a state in memory. */
const AT_ONCE = 4;

/**
 * Reads the states of sources that have a backend, each in only one process at a time. An organization has one read
 * at a time, so that its slow hosts don't delay other organizations.
 */
export function startReadingStates(deps: BackendDependencies): Running {
  const { database, log } = deps;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  async function read(source: { orgId: string; sourceId: string }): Promise<void> {
    try {
      await readBackend(deps, source, stopping.signal);
    } catch (error) {
      log.warn({ error, org_id: source.orgId }, "couldn't read a state; retrying later");
    } finally {
      underWay.delete(source.orgId);
      loop.wake();
    }
  }

  const loop = repeat({
    name: "states",
    everyMs: LOOK_EVERY_MS,
    log,
    async work() {
      const room = { most: AT_ONCE - underWay.size, busy: [...underWay.keys()] };
      const due = room.most > 0 ? await leaseStates(database.system, READ_EVERY, room) : [];
      for (const source of due) underWay.set(source.orgId, read(source));
    },
  });
  return {
    async drain() {
      stopping.abort();
      await loop.stop();
      await Promise.all(underWay.values());
    },
  };
}
