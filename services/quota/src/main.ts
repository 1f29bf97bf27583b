import { serve } from "@leeway/shared/bus/answer";
import { loadConfig } from "@leeway/shared/config";
import { runService, serveHealth, settingsOf } from "@leeway/shared/service";

import { VARIABLES } from "./config.ts";
import { handlers } from "./handlers.ts";
import { platformModel } from "./model/platform-model.ts";
import { SCHEMA } from "./schema.ts";
import { startQuota } from "./start.ts";

const config = settingsOf(SCHEMA, () => {
  const values = loadConfig(VARIABLES, Bun.env);
  return { ...values, platformModel: platformModel(values) };
});
await runService(SCHEMA, config, async (platform) => {
  const { dependencies, drain } = startQuota(platform, {
    ring: config.LEEWAY_MASTER_KEYS,
    egressAllow: config.EGRESS_ALLOW,
    platformModel: config.platformModel,
  });
  const stop = serve(platform.bus, {
    service: SCHEMA.service,
    endpoints: handlers(dependencies),
    log: platform.log,
  });
  const health = serveHealth(config, platform);
  return {
    async drain() {
      await Promise.all([stop(), drain()]);
      health.stop();
    },
  };
});
