import { serve } from "@leeway/shared/bus/answer";
import { openBodies } from "@leeway/shared/bus/bodies";
import { createCursors } from "@leeway/shared/cursor";
import { createEgress } from "@leeway/shared/egress/egress";
import { runService, serveHealth, settingsOf } from "@leeway/shared/service";

import { readConfig } from "./config.ts";
import { createRegistry } from "./connectors/registry.ts";
import { handlers } from "./handlers.ts";
import { identityTokens } from "./issuer/identity-tokens.ts";
import { createSigningKeys } from "./issuer/signing-keys.ts";
import { startPullWorker } from "./scans/pull/pull-worker.ts";
import { tellStanding } from "./scans/standing.ts";
import { startActors } from "./drift/actors/seek-actors.ts";
import { startDriftUpkeep } from "./drift/upkeep.ts";
import { startScanWorker } from "./scans/worker.ts";
import { startSchedules } from "./schedules/start.ts";
import { SCHEMA } from "./schema.ts";
import { startReadingStates } from "./sources/backends/start.ts";

const config = settingsOf(SCHEMA, () => readConfig(Bun.env));
const { issuer, awsIdentity } = config;
const installation = { issuer, awsPrincipal: config.AWS_PRINCIPAL_ARN };
const ring = config.LEEWAY_MASTER_KEYS;

await runService(SCHEMA, config, async (platform) => {
  const signingKeys = createSigningKeys({ ...platform, ring });
  const clouds = createRegistry({
    providers: config.CLOUD_PROVIDERS,
    egressAllow: config.EGRESS_ALLOW,
    endpoints: {
      aws: config.AWS_ENDPOINT_URL,
      gcp: config.GCP_ENDPOINT_URL,
      azure: config.AZURE_ENDPOINT_URL,
    },
    awsIdentity,
    identityTokenOf: identityTokens(issuer, signingKeys),
  });
  const bodies = openBodies(platform.bus, config.NATS_REPLICAS);
  const cursors = createCursors(ring);
  const egress = createEgress({ allow: config.EGRESS_ALLOW });
  const deps = { ...platform, ring, cursors, bodies, egress, clouds, signingKeys, installation };
  const endpoints = handlers(deps);
  const stopServing = serve(platform.bus, { service: SCHEMA.service, endpoints, log: platform.log });
  const stopScans = await startScanWorker(platform, config.NATS_REPLICAS);
  const stopPulls = await startPullWorker(deps, config.NATS_REPLICAS);
  const schedules = startSchedules(platform);
  const states = startReadingStates(deps);
  const stopTelling = tellStanding(platform);
  const stopUpkeep = startDriftUpkeep(platform);
  const stopActors = startActors(deps);
  const health = serveHealth(config, platform);
  return {
    async drain() {
      await stopServing();
      await Promise.all([
        stopPulls(),
        stopScans(),
        schedules.drain(),
        states.drain(),
        stopTelling(),
        stopUpkeep(),
        stopActors(),
      ]);
      health.stop();
    },
  };
});
