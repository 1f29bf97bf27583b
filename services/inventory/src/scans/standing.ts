import { tellBacklog } from "@leeway/shared/telemetry/backlog";
import type { Statements } from "@leeway/shared/database/database";
import { gauge } from "@leeway/shared/telemetry/metrics";
import { repeat } from "@leeway/shared/repeat";
import type { Platform } from "@leeway/shared/service";

import { matchCounts } from "../matching/store/match-counts.ts";
import { backlog } from "./store/work.ts";

const COUNT_MS = 60_000;

const resources = gauge("resources", "Resources of all organizations, by what became of them", ["match"]);

/** Tells how much waits, and how much of what is live is declared. */
export function tellStanding({ database, log }: Platform): () => Promise<void> {
  const loops = [
    tellBacklog(log, () => backlog(database.system)),
    repeat({ name: "match-counts", everyMs: COUNT_MS, log, work: () => count(database.system) }),
  ];
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

async function count(sql: Statements): Promise<void> {
  for (const [match, number] of Object.entries(await matchCounts(sql))) resources.set({ match }, number);
}
