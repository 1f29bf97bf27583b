import { setPriority } from "node:os";

import { serve } from "@leeway/shared/bus/answer";
import { loadConfig } from "@leeway/shared/config";
import { runService, serveHealth, settingsOf } from "@leeway/shared/service";

import { VARIABLES } from "./config.ts";
import { handlers } from "./handlers.ts";
import { SCHEMA } from "./schema.ts";
import { startAnalyzer } from "./start.ts";

/** A third of what others get, where all want more than there is: with less, who waits for an analysis starves. */
const LOWER = 5;

const config = settingsOf(SCHEMA, () => loadConfig(VARIABLES, Bun.env));

// Whoever sends a webhook comes first: a plan is analysed in what processor time is left.
setPriority(LOWER);

await runService(SCHEMA, config, async (platform) => {
  const { dependencies, drain } = await startAnalyzer(platform, {
    ring: config.LEEWAY_MASTER_KEYS,
    replicas: config.NATS_REPLICAS,
    publicBaseUrl: config.PUBLIC_BASE_URL ?? "http://localhost:8080",
  });
  const stop = serve(platform.bus, {
    service: SCHEMA.service,
    endpoints: handlers(dependencies),
    log: platform.log,
  });
  const health = serveHealth(config, platform);
  return {
    async drain() {
      await stop();
      await drain();
      health.stop();
    },
  };
});
