import { startAuditOutbox } from "@leeway/shared/service/audit/audit-outbox";
import { RecordAudit } from "@leeway/shared/contracts/gateway/audit";
import { RETENTION, RETENTION_BATCH } from "@leeway/shared/contracts/retention";
import { repeat } from "@leeway/shared/platform/repeat";
import { startRetention, type Deletion } from "@leeway/shared/service/retention";
import type { Platform, Started } from "@leeway/shared/service/service";

import type { Dependencies } from "./handlers.ts";
import { reportOpenBreakers } from "./llm-config/open-breakers.ts";
import type { Slots } from "./completions/slots.ts";
import { startModels, type ModelSettings } from "./completions/start-models.ts";
import { consumeSlot, forgetReservations, releaseExpired, releaseSlot } from "./slots/store/slots.ts";
import { createNotices } from "./notices.ts";
import { SCHEMA } from "./schema.ts";
import { createReserver } from "./slots/reserver.ts";

const SWEEP_MS = 10_000;
const MAX_AT_ONCE = 1_000;
const DELETIONS: readonly Deletion[] = [
  (sql) => forgetReservations(sql, { days: RETENTION.reservations.days, atMost: RETENTION_BATCH }),
];
const COUNT_MS = 10_000;

type QuotaSettings = Omit<ModelSettings, "slots" | "notices">;

/** Creates the dependencies of the handlers, without background work. */
export function openQuota(platform: Platform, settings: QuotaSettings): Started<Dependencies> {
  const { database, bus, log } = platform;
  const notices = createNotices(bus, log);
  const reserver = createReserver(database, (orgId, denial) => notices.denied(orgId, denial));
  const slots: Slots = {
    reserve: (job) => reserver.reserve(job),
    consume: ({ orgId, jobId }) => consumeSlot(database.org(orgId), jobId),
    release: ({ orgId, jobId }) => releaseSlot(database.org(orgId), jobId),
  };
  const models = startModels(platform, { ...settings, slots, notices });
  return { dependencies: { ...platform, ...models, reserver }, drain: () => models.drain() };
}

/** Starts the background work, and returns the dependencies of the handlers. */
export function startQuota(platform: Platform, settings: QuotaSettings): Started<Dependencies> {
  const { database, log } = platform;
  const { dependencies, drain } = openQuota(platform, settings);
  const sweep = async (): Promise<void> => {
    const released = await releaseExpired(database.system, MAX_AT_ONCE);
    if (released > 0) log.warn({ released }, "released slots whose jobs never finished");
    if (released === MAX_AT_ONCE) sweeper.wake();
  };
  const sweeper = repeat({ name: "slots", everyMs: SWEEP_MS, log, work: sweep });
  const counting = repeat({
    name: "breakers",
    everyMs: COUNT_MS,
    log,
    work: () => reportOpenBreakers(database.system),
  });
  const loops = [
    sweeper,
    counting,
    startRetention(platform, DELETIONS),
    startAuditOutbox(platform, SCHEMA.name, RecordAudit),
  ];
  return {
    dependencies,
    async drain() {
      await Promise.all([...loops.map((loop) => loop.stop()), drain()]);
    },
  };
}
