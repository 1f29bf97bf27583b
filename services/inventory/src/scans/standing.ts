import { reportBacklog } from "@leeway/shared/platform/telemetry/backlog";
import type { Statements } from "@leeway/shared/database/database";
import { gauge } from "@leeway/shared/platform/telemetry/metrics";
import { repeat } from "@leeway/shared/platform/repeat";
import type { Platform } from "@leeway/shared/service/service";

import { matchCounts } from "../matching/store/match-counts.ts";
import { backlog } from "./store/work.ts";

const COUNT_MS = 60_000;

const resources = gauge("resources", "Resources of all organizations, by match status", ["match"]);

/** Reports the number of waiting scans, and counts of resources by match, as metrics. */
export function reportMetrics({ database, log }: Platform): () => Promise<void> {
  const loops = [
    reportBacklog(log, () => backlog(database.system)),
    repeat({ name: "match-counts", everyMs: COUNT_MS, log, work: () => count(database.system) }),
  ];
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

async function count(sql: Statements): Promise<void> {
  for (const [match, number] of Object.entries(await matchCounts(sql))) resources.set({ match }, number);
}
