import { callWithBody } from "@leeway/shared/bus/request";
import { withContext } from "@leeway/shared/context";
import { TakeEvents } from "@leeway/shared/contracts/analyzer/jobs";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError, type ErrorCode } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { jobIdOf } from "./job-id.ts";
import { forgetTaken, overdueEvents, untakenEvents, type UntakenEvent } from "./store/work.ts";

/** Gives the analyzer the events of deliveries. What it misses, the database knows: the sweep gives it again. */
export interface HandOver {
  /** Gives events that have just been kept; never fails. */
  offer(orgId: string, events: readonly UntakenEvent[]): void;
  /** Gives every event that has waited for too long. */
  sweep(): Promise<void>;
}

/** Calls on their way at once; what doesn't fit is left to the sweep. */
const MOST_UNDER_WAY = 16;
/** As much as a message of the bus takes, with room. */
const MOST_BYTES = 4 << 20;
/** An analyzer that isn't there is left alone for so long. */
const AWAY_MS = 1_000;
/** Refusals that no other try changes. */
const NEVER: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["invalid_parameter", "payload_too_large"]);
const OVERDUE = { offeredSeconds: 15, limit: 256 };

export function createHandOver(platform: Platform): HandOver {
  const { database, bus, log } = platform;
  let underWay = 0;
  let awayUntil = 0;

  return {
    offer(orgId, events) {
      const isAway = !bus.connected || performance.now() < awayUntil;
      if (events.length === 0 || isAway || underWay >= MOST_UNDER_WAY) return;
      underWay += 1;
      // Not in the context of the delivery that brought them, which is over.
      withContext({ requestId: crypto.randomUUID() }, () => give(platform, orgId, events))
        .catch((error: unknown) => {
          awayUntil = performance.now() + AWAY_MS;
          log.warn({ error }, "events weren't taken; they will be given again");
        })
        .finally(() => {
          underWay -= 1;
        });
    },
    async sweep() {
      if (!bus.connected) return;
      const overdue = await overdueEvents(database.system, OVERDUE);
      for (const [orgId, own] of Map.groupBy(overdue, ({ org_id }) => org_id)) {
        const ids = own.map(({ id }) => id);
        await giveOverdue(platform, orgId, ids).catch((error: unknown) => {
          log.warn({ error, org_id: orgId }, "events weren't taken; they will be given again");
        });
      }
    },
  };
}

/** @throws {AppError} `unavailable`: the analyzer is away, or takes too long over what this organization has */
async function giveOverdue(platform: Platform, orgId: string, ids: readonly string[]): Promise<void> {
  for await (const events of untaken(platform.database.org(orgId), ids)) {
    await give(platform, orgId, events).catch(() => giveEach(platform, orgId, events));
  }
}

/** A few at a time: hundreds may have waited for an analyzer that was away, each of some megabytes. */
async function* untaken(sql: OrgStatements, ids: readonly string[]): AsyncGenerator<UntakenEvent[]> {
  let left = ids.toSorted();
  while (left.length > 0) {
    const events = await untakenEvents(sql, left, MOST_BYTES);
    const last = events.at(-1);
    if (!last) return;
    yield events;
    left = left.filter((id) => id > last.id);
  }
}

async function give(
  { database, bus }: Platform,
  orgId: string,
  events: readonly UntakenEvent[],
): Promise<void> {
  for (const together of batches(events)) {
    const named = together.map((event) => ({
      delivery_id: event.id,
      job_id: jobIdOf(event),
      config_id: event.config_id,
      bytes: Buffer.byteLength(event.event),
    }));
    const body = Buffer.from(together.map(({ event }) => event).join(""));
    await callWithBody(bus, TakeEvents, { org_id: orgId, events: named }, body);
    await forgetTaken(database.org(orgId), together);
  }
}

/** One that the analyzer can't take must not hold up the others, of whatever organization. */
async function giveEach(platform: Platform, orgId: string, events: readonly UntakenEvent[]): Promise<void> {
  for (const event of events) {
    try {
      await give(platform, orgId, [event]);
    } catch (error) {
      const code = error instanceof AppError ? error.code : "internal";
      if (code === "unavailable") throw error;
      platform.log.error({ error, delivery_id: event.id }, "an event can't be taken");
      if (NEVER.has(code)) await forgetTaken(platform.database.org(orgId), [event]);
    }
  }
}

function* batches(events: readonly UntakenEvent[]): Generator<UntakenEvent[]> {
  let together: UntakenEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    if (together.length > 0 && bytes + event.event.length > MOST_BYTES) {
      yield together;
      together = [];
      bytes = 0;
    }
    together.push(event);
    bytes += event.event.length;
  }
  if (together.length > 0) yield together;
}
