import { repeat } from "@leeway/shared/repeat";
import type { Platform, Running } from "@leeway/shared/service";

import { publishNotices } from "../notices/notices.ts";
import { runDueSchedules } from "./scheduler.ts";
import { settleEndedScans } from "./settle.ts";

const DUE_EVERY_MS = 2_000;
const ENDED_EVERY_MS = 1_000;

/** Starts what runs schedules, and what tells of scans that have ended. */
export function startSchedules(platform: Platform): Running {
  const { log } = platform;
  const loops = [
    repeat({ name: "schedules", everyMs: DUE_EVERY_MS, log, work: () => runDueSchedules(platform) }),
    repeat({
      name: "ended scans",
      everyMs: ENDED_EVERY_MS,
      log,
      async work() {
        await settleEndedScans(platform);
        await publishNotices(platform);
      },
    }),
  ];
  return {
    async drain() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
