import { serve } from "@leeway/shared/bus/answer";
import { loadConfig } from "@leeway/shared/config";
import { runService, serveHealth } from "@leeway/shared/service";

import { VARIABLES } from "./config.ts";
import { handlers } from "./handlers.ts";
import { SCHEMA } from "./schema.ts";

const config = loadConfig(VARIABLES, Bun.env);
await runService(SCHEMA, config, async (platform) => {
  serve(platform.bus, { service: SCHEMA.service, endpoints: handlers(platform), log: platform.log });
  const health = serveHealth(config.HEALTH_PORT, platform);
  return { drain: async () => health.stop() };
});
