import { repeat } from "@leeway/shared/platform/repeat";
import type { Platform, Running } from "@leeway/shared/service/service";

import { createNotices } from "../notices/notices.ts";
import { newsOfViews } from "../views/news.ts";
import { runDueSchedules } from "./scheduler.ts";
import { settleEndedScans } from "./settle.ts";

const DUE_EVERY_MS = 2_000;
const ENDED_EVERY_MS = 1_000;

/** Starts the loops that run schedules, process finished scans and publish events. */
export function startSchedules(platform: Platform): Running {
  const { log } = platform;
  const loops = [
    repeat({ name: "schedules", everyMs: DUE_EVERY_MS, log, work: () => runDueSchedules(platform) }),
    repeat({ name: "ended scans", everyMs: ENDED_EVERY_MS, log, work: () => settleEndedScans(platform) }),
    createNotices(platform, newsOfViews).start(),
  ];
  return {
    async drain() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
