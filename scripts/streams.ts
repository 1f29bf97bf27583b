/**
 * Watches the streams and durable consumers on NATS and creates again what is lost, until it is stopped: `NATS_URL` as the
 * user `operator`. Services have no right to do this. An alert notices if it fails: see `LeewayLoopFails`.
 */
import { connectBus } from "@leeway/shared/bus/connection";
import { watchStreams } from "@leeway/shared/bus/keep-streams";
import { loadConfig } from "@leeway/shared/platform/config";
import { HEALTH_VARIABLE, SERVICE_VARIABLES, serveStanding } from "@leeway/shared/service/service";
import { STREAM_VARIABLES } from "@leeway/shared/service/server-variables";
import { createLogger } from "@leeway/shared/platform/telemetry/log";
import { describeProcess } from "@leeway/shared/platform/telemetry/metrics";

import { BUS_PARTS } from "./bus-parts.ts";
import { OPERATOR_VARIABLES } from "./operator-bus.ts";

const { LISTEN_ADDRESS } = SERVICE_VARIABLES;
const config = loadConfig(
  { ...OPERATOR_VARIABLES, ...STREAM_VARIABLES, ...HEALTH_VARIABLE, LISTEN_ADDRESS },
  process.env,
);
const log = createLogger("streams", "info");
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
describeProcess("streams");
const bus = await connectBus({ url: config.NATS_URL, name: "leeway-operator", log });
serveStanding(config, async () => ({ status: bus.connected ? "ready" : "not_ready" }));
const { NATS_REPLICAS: replicas, NATS_PLACEMENT_TAGS: tags } = config;
watchStreams(bus, { parts: BUS_PARTS, replicas, tags, log });
log.info("watching the streams");
