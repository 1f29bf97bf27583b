import type { Statements } from "@leeway/shared/database/database";
import { gauge } from "@leeway/shared/telemetry/metrics";

import { openBreakers } from "../llm-config/store.ts";

const breakers = gauge("model_breakers_open", "Model keys of organizations that are left alone for a while", [
  "provider",
]);

/** Tells by the metrics how many keys are left alone now; nothing of a provider that nobody has a key of any more. */
export async function tellOpenBreakers(sql: Statements): Promise<void> {
  const counted = await openBreakers(sql);
  breakers.reset();
  for (const { provider, open } of counted) breakers.set({ provider }, open);
}
