import { serve } from "@leeway/shared/bus/answer";
import { loadConfig } from "@leeway/shared/config";
import { runService, serveHealth, settingsOf } from "@leeway/shared/service";

import { githubAppOf } from "./code-host/github-app.ts";
import { VARIABLES } from "./config.ts";
import { handlers } from "./handlers.ts";
import { mailOf } from "./notifications/mail.ts";
import { SCHEMA } from "./schema.ts";
import { startWebhooks } from "./start.ts";

const config = settingsOf(SCHEMA, () => {
  const values = loadConfig(VARIABLES, Bun.env);
  return { ...values, githubApp: githubAppOf(values), mail: mailOf(values) };
});
const { githubApp, mail } = config;

await runService(SCHEMA, config, async (platform) => {
  const { dependencies, drain } = await startWebhooks(platform, {
    ring: config.LEEWAY_MASTER_KEYS,
    replicas: config.NATS_REPLICAS,
    publicBaseUrl: config.PUBLIC_BASE_URL ?? "http://localhost:8080",
    egressAllow: config.EGRESS_ALLOW,
    githubApp,
    mail,
    dedupeHours: config.WEBHOOK_DEDUPE_HOURS,
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
