import { isIP } from "node:net";

import type { Logger } from "pino";

import { serve, type Endpoint } from "../bus/answer.ts";
import { stalledConsumers } from "../bus/backlog.ts";
import { awaitStreams } from "../bus/await-streams.ts";
import { connectBus, parseBusUrl, type BusConnection } from "../bus/connection.ts";
import type { BusParts } from "../bus/streams.ts";
import {
  choice,
  databaseUrl,
  hostPorts,
  httpUrl,
  integer,
  optionalUrl,
  variable,
  type Variable,
} from "../platform/config.ts";
import { beginStop } from "../platform/stop-time.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { awaitMigrations } from "../database/await-migrations.ts";
import type { Schema } from "../database/migrate.ts";
import { ping } from "../database/ping.ts";
import { checkBusKeys, parseBusKeys, type BusKeys } from "../security/encryption/bus-keys.ts";
import { parseKeyRing, type KeyRing } from "../security/encryption/keyring.ts";
import { checkMasterKeys } from "../security/encryption/known-keys.ts";
import { AppError } from "../values/errors.ts";
import { createLogger, LOG_LEVELS, type LogLevel } from "../platform/telemetry/log.ts";
import { describeProcess, registry } from "../platform/telemetry/metrics.ts";
import { startTracing } from "../platform/telemetry/trace.ts";

/** Environment variables of every service. */
export const SERVICE_VARIABLES = {
  DATABASE_URL: databaseUrl("PostgreSQL database, as the service's own role"),
  NATS_URL: variable(
    "One or more `nats://[user:password@]host:port`, separated by commas; with `tls://` only TLS connections are made",
    parseBusUrl,
  ),
  LEEWAY_MASTER_KEYS: variable(
    "Master keys as `id:base64` of 32 bytes, separated by commas. The first encrypts; all decrypt",
    parseKeyRing,
  ),
  LEEWAY_BUS_KEYS: variable(
    "Keys for secrets in messages, one for each other service, in the form of the master keys",
    parseBusKeys,
  ),
  LISTEN_ADDRESS: variable("IP address to listen on; by default all addresses", parseAddress, "0.0.0.0"),
  LOG_LEVEL: choice<LogLevel>("Lowest level that is logged", LOG_LEVELS, "info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl(
    "OpenTelemetry collector (OTLP over HTTP); without it, no traces are sent",
  ),
};

function parseAddress(raw: string): string {
  if (isIP(raw) === 0) throw new Error("must be an IP address such as 127.0.0.1 or ::");
  return raw;
}

/** Port for operators, separate from any port for clients. */
export const HEALTH_VARIABLE = {
  HEALTH_PORT: integer("Port of `/healthz`, `/readyz` and `/metrics`", 8081, 0, 65_535),
};

/** Default of {@link PUBLIC_BASE_URL} for services that don't know the gateway's port. */
export const LOCAL_BASE_URL = "http://localhost:8080";

/** Setting of services that send the gateway's address to others. */
export const PUBLIC_BASE_URL: Variable<string | undefined> = {
  describe: "Public URL of the gateway, without a trailing slash",
  fallback: "http://localhost:<PORT>",
  parse: (raw) => (raw === undefined ? undefined : httpUrl(raw).replace(/\/+$/, "")),
};

/** Setting of services that call addresses chosen by others. */
export const EGRESS_ALLOW = hostPorts(
  "`host:port` pairs that outbound calls may reach even if private, plain http or not on port 443",
);

interface Settings {
  DATABASE_URL: string;
  DATABASE_READ_URL?: string | undefined;
  NATS_URL: string;
  LEEWAY_MASTER_KEYS: KeyRing;
  LEEWAY_BUS_KEYS: BusKeys;
  LOG_LEVEL: LogLevel;
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
}

/** Connections and log of a running service. */
export interface Platform {
  database: Database;
  bus: BusConnection;
  log: Logger;
}

/** Work of a service that has started. */
export interface Running {
  /** Stops taking work and finishes the work in progress. Called once. */
  drain(): Promise<void>;
}

/** A service that has started. */
export interface Started<D> extends Running {
  /** Dependencies of its handlers. */
  dependencies: D;
  /** Stops taking requests of clients. */
  close?(): Promise<void>;
  /** Answer of `/readyz`, if it isn't the platform's. */
  standing?(): Promise<Standing>;
}

/** One service, and how it starts. */
export interface Service<C, D> {
  schema: Schema;
  parts: BusParts;
  /** Reads the configuration. @throws {Error} with all errors in it */
  readConfig(env: Record<string, string | undefined>): C;
  /** Starts workers and loops. */
  start(platform: Platform, config: NoInfer<C>): Started<D> | Promise<Started<D>>;
  /** Returns the requests that it answers. */
  handlers(dependencies: D): Endpoint[];
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** Patience for the database during a start, as long as that for migrations. */
const KEYS_PATIENCE_MS = 60_000;
const OPEN_PATIENCE_MS = 1_000;
const TRY_PAUSE_MS = 200;

/**
 * Runs a service: waits for migrations of the database and the bus, checks master keys, connects, starts, and stops in
 * order on SIGTERM or SIGINT. If it can't start, logs one line with the reason and ends the process.
 */
export async function runService<C extends Settings & HealthSettings, D>(
  service: Service<C, D>,
): Promise<void> {
  // The first process of a container ignores signals without a handler, so that stopping it while it waits would take
  // long.
  for (const signal of SIGNALS) process.on(signal, leave);
  const { schema, parts, readConfig, start } = service;
  const config = await orExit(createLogger(schema.service, "info"), async () => readConfig(Bun.env));
  const log = createLogger(schema.service, config.LOG_LEVEL);
  describeProcess(schema.service);
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  process.on("unhandledRejection", (error) => log.error({ error }, "unhandled promise rejection"));
  const stopTracing = endpoint === undefined ? undefined : await startTracing(schema.service, endpoint, log);
  const platform = await connect(schema, parts, config, log);
  const serving = await orExit(log, async () =>
    serveStarted(service, platform, { ...config, started: await start(platform, config) }),
  );
  // The bus has all subscriptions by now. If the connection was lost, it receives them once it is back.
  await platform.bus.whileConnected(() => platform.bus.nats.flush()).catch(() => undefined);
  log.info("serving");
  // A parent process may wait for this, because another process could answer at the port.
  process.send?.("serving");

  let stopping: Promise<void> | undefined;
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, "stopping");
    const onStep = beginStop(log);
    await serving.drain(onStep);
    onStep("bus");
    await platform.bus.nats.drain();
    onStep("database");
    await platform.database.close();
    onStep("traces");
    await stopTracing?.();
    process.exit(0);
  };
  for (const signal of SIGNALS) process.off(signal, leave).on(signal, () => void (stopping ??= stop(signal)));
}

/**
 * Serves what has started, and its health. It stops in order: clients, requests, workers and loops, health. `onStep`
 * is called with each.
 */
export function serveStarted<D>(
  { schema, handlers }: Pick<Service<never, D>, "schema" | "handlers">,
  platform: Platform,
  { started, ...settings }: HealthSettings & { started: Started<D> },
): { drain(onStep?: (step: string) => void): Promise<void>; healthPort: number } {
  const endpoints = handlers(started.dependencies);
  const stopServing = serve(platform.bus, { service: schema.service, endpoints, log: platform.log });
  const health = serveHealth(settings, platform, started.standing);
  return {
    healthPort: health.port,
    async drain(onStep = () => undefined) {
      onStep("clients");
      await started.close?.();
      onStep("requests");
      await stopServing();
      onStep("workers and loops");
      await started.drain();
      health.stop();
    },
  };
}

/** Ends the process while no work is in progress yet. */
function leave(): never {
  return process.exit(0);
}

function connect(schema: Schema, parts: BusParts, settings: Settings, log: Logger): Promise<Platform> {
  const { service, settings: server = {} } = schema;
  return orExit(log, async () => {
    checkBusKeys(settings.LEEWAY_BUS_KEYS, service);
    const { DATABASE_URL: url, DATABASE_READ_URL: replicaUrl } = settings;
    const distributed = await awaitMigrations(url, schema, { log });
    const database = openDatabase({ url, replicaUrl, service, settings: server, log, distributed });
    const check = () => checkMasterKeys(database.system, schema.name, settings.LEEWAY_MASTER_KEYS);
    await tried(check, KEYS_PATIENCE_MS);
    // If the machine or server is too busy now, requests open further connections when they need them.
    await tried(() => database.open(), OPEN_PATIENCE_MS).catch((error: unknown) =>
      log.warn({ error }, "too few connections to the database"),
    );
    const { NATS_URL, LEEWAY_BUS_KEYS: keys } = settings;
    const bus = await connectBus({ url: NATS_URL, name: `leeway-${service}`, keys, log });
    await awaitStreams(bus, parts, { log });
    return { database, bus, log };
  });
}

/** Repeats work on a database that may only be busy, or down for a moment. */
async function tried<T>(work: () => Promise<T>, patienceMs: number): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const passing = error instanceof AppError && error.code === "unavailable";
      if (!passing || performance.now() > deadline) throw error;
      await Bun.sleep(TRY_PAUSE_MS);
    }
  }
}

async function orExit<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error({ error }, "couldn't start");
    return process.exit(1);
  }
}

/** The readiness of a service. */
export interface Readiness {
  /** Whether bus and database answer now, and the database takes writes. */
  ready: boolean;
  /** Durable consumers that get no more events, although bus and database answer. */
  degraded: string[];
}

export async function readinessOf({ bus, database }: Platform): Promise<Readiness> {
  const ready =
    bus.connected &&
    (await ping(database.system).then(
      () => true,
      () => false,
    ));
  return { ready, degraded: stalledConsumers() };
}

/** The answer of `/readyz`. With `not_ready` the status is 503. */
export interface Standing {
  status: "ready" | "degraded" | "not_ready";
  not_ready?: string[];
  degraded?: string[];
}

/**
 * Returns the answer of `/readyz`. A `degraded` process still takes requests, because ending it, or keeping requests
 * away, would help no one.
 */
async function standingOf(platform: Platform): Promise<Standing> {
  const { ready, degraded } = await readinessOf(platform);
  if (!ready) return { status: "not_ready" };
  return { status: degraded.length > 0 ? "degraded" : "ready", degraded };
}

interface HealthSettings {
  HEALTH_PORT: number;
  LISTEN_ADDRESS: string;
}

/** Serves health, readiness and metrics of a service at a separate port. */
export function serveHealth(
  settings: HealthSettings,
  platform: Platform,
  look: () => Promise<Standing> = () => standingOf(platform),
): { port: number; stop(): void } {
  return serveStanding(settings, look);
}

/** Serves health, readiness and metrics of any process. */
export function serveStanding(
  { HEALTH_PORT: port, LISTEN_ADDRESS: hostname }: HealthSettings,
  look: () => Promise<Standing>,
): { port: number; stop(): void } {
  const server = Bun.serve({
    port,
    hostname,
    routes: {
      "/healthz": () => Response.json({ status: "ok" }),
      "/readyz": async () => {
        const standing = await look();
        return Response.json(standing, { status: standing.status === "not_ready" ? 503 : 200 });
      },
      "/metrics": metricsResponse,
    },
    fetch: () => Response.json({ error: "not_found" }, { status: 404 }),
  });
  return { port: server.port ?? port, stop: () => void server.stop() };
}

/** Returns all metrics of this process in Prometheus' text format. */
async function metricsResponse(): Promise<Response> {
  return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } });
}
