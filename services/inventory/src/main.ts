import { serve } from "@leeway/shared/bus/answer";
import { openBodies } from "@leeway/shared/bus/bodies";
import { loadConfig } from "@leeway/shared/config";
import { createCursors } from "@leeway/shared/cursor";
import { runService, serveHealth } from "@leeway/shared/service";

import { VARIABLES } from "./config.ts";
import { createRegistry } from "./connectors/registry.ts";
import { handlers } from "./handlers.ts";
import { startDriftUpkeep } from "./drift/upkeep.ts";
import { startScanWorker } from "./scans/worker.ts";
import { startSchedules } from "./schedules/start.ts";
import { SCHEMA } from "./schema.ts";

const config = loadConfig(VARIABLES, Bun.env);
const ring = config.LEEWAY_MASTER_KEYS;
const clouds = createRegistry({
  providers: config.CLOUD_PROVIDERS,
  egressAllow: config.EGRESS_ALLOW,
  endpoints: {
    aws: config.AWS_ENDPOINT_URL,
    gcp: config.GCP_ENDPOINT_URL,
    azure: config.AZURE_ENDPOINT_URL,
  },
});

await runService(SCHEMA, config, async (platform) => {
  const bodies = openBodies(platform.bus, config.NATS_REPLICAS);
  const endpoints = handlers({ ...platform, ring, cursors: createCursors(ring), bodies, clouds });
  serve(platform.bus, { service: SCHEMA.service, endpoints, log: platform.log });
  const stopScans = await startScanWorker(platform, config.NATS_REPLICAS);
  const stopUpkeep = startDriftUpkeep(platform);
  const schedules = startSchedules(platform);
  const health = serveHealth(config.HEALTH_PORT, platform);
  return {
    async drain() {
      await Promise.all([stopScans(), stopUpkeep(), schedules.drain()]);
      health.stop();
    },
  };
});
