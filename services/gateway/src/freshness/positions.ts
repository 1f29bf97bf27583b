import type { Database } from "@leeway/shared/database/database";
import { toItsEnd } from "@leeway/shared/platform/context";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import { currentPosition, notePosition, positionSince } from "./store/positions.ts";

/** Most that a read replica may be behind. */
const LAG_LIMIT_MS = 10_000;

/** How far a read replica must be, so that no organization is shown less than before. */
export interface Positions {
  /** Returns the position that a replica needs to answer; undefined if only the primary can. */
  of(orgId: string): Promise<string | undefined>;
  /** Notes that the organization was shown the primary's present state. Never fails. */
  note(orgId: string): Promise<void>;
  /** Looks at the primary's position. A loop calls it. @throws {AppError} `unavailable` */
  look(): Promise<void>;
}

export function createPositions({ database, log }: { database: Database; log: Logger }): Positions {
  /** Positions of the primary, the oldest first. The first is the one that the lag limit requires. */
  let seen: { position: string; at: number }[] = [];
  /** Organizations whose note failed. */
  const missed = new Set<string>();

  const note = oneByOne(async (orgId) => {
    try {
      await toItsEnd(() => notePosition(database.org(orgId)));
      missed.delete(orgId);
    } catch (error) {
      missed.add(orgId);
      log.warn({ error, org_id: orgId }, "couldn't note a position for read replicas");
    }
  });

  return {
    note,
    async of(orgId) {
      const [floor, newest] = [seen[0], seen.at(-1)];
      if (!floor || !newest || performance.now() - newest.at > LAG_LIMIT_MS || missed.has(orgId))
        return undefined;
      return positionSince(database.org(orgId), floor.position).catch(() => undefined);
    },
    async look() {
      const at = performance.now();
      try {
        seen.push({ at, position: await currentPosition(database.system) });
      } catch (error) {
        // After a crash or failover, a replica must have all that the primary has then.
        seen = [];
        throw error;
      }
      const oldEnough = seen.findLastIndex((one) => one.at <= at - LAG_LIMIT_MS);
      seen = seen.slice(Math.max(0, oldEnough));
      await Promise.all([...missed].map(note));
    },
  };
}

/**
 * Runs `write` for one caller of a key at a time. Callers that come meanwhile share the next run, because the current one
 * may have begun too early for them. `write` must not fail.
 */
function oneByOne(write: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const runs = new Map<string, { now: Promise<void>; next?: Promise<void> }>();

  function start(key: string): Promise<void> {
    const run: { now: Promise<void>; next?: Promise<void> } = { now: write(key) };
    runs.set(key, run);
    return run.now.finally(() => {
      if (!run.next) runs.delete(key);
    });
  }

  return (key) => {
    const run = runs.get(key);
    if (!run) return start(key);
    run.next ??= run.now.then(() => start(key));
    return run.next;
  };
}
