import { startAuditOutbox } from "@leeway/shared/service/audit/audit-outbox";
import { openBodies } from "@leeway/shared/bus/bodies";
import { RecordAudit } from "@leeway/shared/contracts/gateway/audit";
import { createCursors } from "@leeway/shared/security/cursor";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { startRetention } from "@leeway/shared/service/retention";
import type { Platform, Started } from "@leeway/shared/service/service";

import type { Config } from "./config.ts";
import { createRegistry } from "@leeway/connectors/registry";
import type { Dependencies } from "./dependencies.ts";
import { startActors } from "./drift/actors/seek-actors.ts";
import { keepDrift } from "./drift/store/upkeep.ts";
import { startDriftUpkeep } from "./drift/upkeep.ts";
import { identityTokens } from "./issuer/identity-tokens.ts";
import { createSigningKeys } from "./issuer/signing-keys.ts";
import { startPullWorker } from "./scans/pull/pull-worker.ts";
import { reportMetrics } from "./scans/standing.ts";
import { startDriftWorker } from "./drift/worker.ts";
import { startSchedules } from "./schedules/start.ts";
import { SCHEMA } from "./schema.ts";
import { startReadingStates } from "./sources/backends/start.ts";

/** Starts the workers and background loops. Returns the dependencies of the handlers. */
export function startInventory(platform: Platform, config: Config): Started<Dependencies> {
  const deps = open(platform, config);
  const schedules = startSchedules(platform);
  const states = startReadingStates(deps);
  const stops = [
    startDriftWorker(platform),
    startPullWorker(deps),
    schedules.drain,
    states.drain,
    reportMetrics(platform),
    startDriftUpkeep(platform),
    startActors(deps),
    startRetention(platform, [keepDrift]).stop,
    startAuditOutbox(platform, SCHEMA.name, RecordAudit).stop,
  ];
  return {
    dependencies: deps,
    async drain() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function open(platform: Platform, config: Config): Dependencies {
  const { issuer, awsIdentity, LEEWAY_MASTER_KEYS: ring, EGRESS_ALLOW: egressAllow } = config;
  const signingKeys = createSigningKeys({ ...platform, ring });
  const clouds = createRegistry({
    providers: config.CLOUD_PROVIDERS,
    egressAllow,
    endpoints: {
      aws: config.AWS_ENDPOINT_URL,
      gcp: config.GCP_ENDPOINT_URL,
      azure: config.AZURE_ENDPOINT_URL,
    },
    awsIdentity,
    identityTokenOf: identityTokens(issuer, signingKeys),
  });
  return {
    ...platform,
    ring,
    clouds,
    signingKeys,
    bodies: openBodies(platform.bus, SCHEMA.service),
    cursors: createCursors(ring),
    egress: createEgress({ allow: egressAllow }),
    installation: { issuer, awsPrincipal: config.AWS_PRINCIPAL_ARN },
  };
}
