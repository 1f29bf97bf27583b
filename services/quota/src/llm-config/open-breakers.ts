import type { Statements } from "@leeway/shared/database/database";
import { gauge } from "@leeway/shared/platform/telemetry/metrics";

import { openBreakers } from "./store.ts";

const breakers = gauge("model_breakers_open", "Organization model keys whose breaker is open", ["provider"]);

/** Exports the number of open breakers as a metric, omitting providers without keys. */
export async function reportOpenBreakers(sql: Statements): Promise<void> {
  const counted = await openBreakers(sql);
  breakers.reset();
  for (const { provider, open } of counted) breakers.set({ provider }, open);
}
