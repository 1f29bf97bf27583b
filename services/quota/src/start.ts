import { repeat } from "@leeway/shared/repeat";
import type { Platform, Running } from "@leeway/shared/service";

import type { Dependencies } from "./handlers.ts";
import { tellOpenBreakers } from "./model/open-breakers.ts";
import type { Slots } from "./model/slots.ts";
import { startModels, type ModelSettings } from "./model/start-models.ts";
import { consumeSlot, forgetReservations, releaseExpired, releaseSlot } from "./store/slots.ts";
import { createNotices } from "./notices.ts";
import { createReserver } from "./usecases/reserver.ts";

const SWEEP_MS = 10_000;
const MOST_AT_ONCE = 1_000;
const HOUSE_MS = 60 * 60 * 1000;
/** As far as the history goes back. */
const RETENTION_DAYS = 90;
const MOST_FORGOTTEN_AT_ONCE = 10_000;
const COUNT_MS = 10_000;

type QuotaSettings = Omit<ModelSettings, "slots" | "notices">;

/** What the service's handlers work with; nothing is done by itself. */
export function openQuota(
  platform: Platform,
  settings: QuotaSettings,
): Running & { dependencies: Dependencies } {
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

/** Starts what the service does by itself, and gives what its handlers work with. */
export function startQuota(
  platform: Platform,
  settings: QuotaSettings,
): Running & { dependencies: Dependencies } {
  const { database, log } = platform;
  const { dependencies, drain } = openQuota(platform, settings);
  const sweep = async (): Promise<void> => {
    const released = await releaseExpired(database.system, MOST_AT_ONCE);
    if (released > 0) log.warn({ released }, "slots were left by dead workers");
    if (released === MOST_AT_ONCE) sweeper.wake();
  };
  const sweeper = repeat({ name: "slots", everyMs: SWEEP_MS, log, work: sweep });
  const house = repeat({
    name: "retention",
    everyMs: HOUSE_MS,
    log,
    async work() {
      const forgotten = await forgetReservations(database.system, RETENTION_DAYS, MOST_FORGOTTEN_AT_ONCE);
      if (forgotten === MOST_FORGOTTEN_AT_ONCE) house.wake();
    },
  });
  const counting = repeat({
    name: "breakers",
    everyMs: COUNT_MS,
    log,
    work: () => tellOpenBreakers(database.system),
  });
  return {
    dependencies,
    async drain() {
      await Promise.all([...[sweeper, house, counting].map((loop) => loop.stop()), drain()]);
    },
  };
}
