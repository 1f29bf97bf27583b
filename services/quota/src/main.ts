import { serve } from "@leeway/shared/bus/answer";
import { loadConfig } from "@leeway/shared/config";
import { runService, serveHealth } from "@leeway/shared/service";

import { VARIABLES } from "./config.ts";
import { handlers } from "./handlers.ts";
import { platformModel } from "./model/platform-model.ts";
import { NO_SLOTS } from "./model/slots.ts";
import { startModels } from "./model/start-models.ts";
import { SCHEMA } from "./schema.ts";

const config = loadConfig(VARIABLES, Bun.env);
await runService(SCHEMA, config, async (platform) => {
  const models = startModels(platform, {
    ring: config.LEEWAY_MASTER_KEYS,
    egressAllow: config.EGRESS_ALLOW,
    platformModel: platformModel(config),
    slots: NO_SLOTS,
  });
  const stop = serve(platform.bus, {
    service: SCHEMA.service,
    endpoints: handlers({ ...platform, ...models }),
    log: platform.log,
  });
  const health = serveHealth(config.HEALTH_PORT, platform);
  return {
    async drain() {
      await Promise.all([stop(), models.drain()]);
      health.stop();
    },
  };
});
