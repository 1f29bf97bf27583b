import { isIP } from "node:net";

import type { Logger } from "pino";

import { stalledConsumers } from "./bus/backlog.ts";
import { connectBus, parseBusUrl, type BusConnection } from "./bus/connection.ts";
import {
  choice,
  databaseUrl,
  hostPorts,
  httpUrl,
  integer,
  optionalUrl,
  variable,
  type Variable,
} from "./config.ts";
import { openDatabase, type Database } from "./database/database.ts";
import { awaitMigrations, type Schema } from "./database/migrate.ts";
import { ping } from "./database/ping.ts";
import { parseKeyRing, type KeyRing } from "./encryption/keyring.ts";
import { checkMasterKeys } from "./encryption/known-keys.ts";
import { AppError } from "./errors.ts";
import { createLogger, LOG_LEVELS, type LogLevel } from "./telemetry/log.ts";
import { describeProcess, registry } from "./telemetry/metrics.ts";
import { startTracing } from "./telemetry/trace.ts";

/** What every service reads from its environment. */
export const SERVICE_VARIABLES = {
  DATABASE_URL: databaseUrl("PostgreSQL, as the service's own role"),
  NATS_URL: variable(
    "NATS: `nats://[user:password@]host:port`, several separated by commas; `tls://` goes to none without TLS",
    parseBusUrl,
  ),
  NATS_REPLICAS: integer("Copies of every stream; 3 on a NATS cluster", 1, 1, 5),
  LEEWAY_MASTER_KEYS: variable(
    "Master keys, `id:base64` of 32 bytes, separated by commas; the first encrypts, all decrypt",
    parseKeyRing,
  ),
  LISTEN_ADDRESS: variable(
    "IP address that its port is opened at; by default all of the machine's",
    parseAddress,
    "0.0.0.0",
  ),
  LOG_LEVEL: choice<LogLevel>("Least level that is logged", LOG_LEVELS, "info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl("OpenTelemetry collector, OTLP over HTTP; no traces without it"),
};

function parseAddress(raw: string): string {
  if (isIP(raw) === 0) throw new Error("must be an IP address, as 127.0.0.1 or ::");
  return raw;
}

/** The port of everything but the gateway. */
export const HEALTH_VARIABLE = {
  HEALTH_PORT: integer("Port of `/healthz`, `/readyz` and `/metrics`", 8081, 0, 65_535),
};

/** Of services that tell somebody where the gateway is. */
export const PUBLIC_BASE_URL: Variable<string | undefined> = {
  describe: "Where clients reach the gateway, without a slash at the end",
  fallback: "http://localhost:<PORT>",
  parse: (raw) => (raw === undefined ? undefined : httpUrl(raw).replace(/\/+$/, "")),
};

/** Of services that call out to addresses that somebody else chose. */
export const EGRESS_ALLOW = hostPorts(
  "`host:port` pairs that outbound calls may reach though they are private, plain http or at another port than 443",
);

interface Settings {
  DATABASE_URL: string;
  NATS_URL: string;
  LEEWAY_MASTER_KEYS: KeyRing;
  LOG_LEVEL: LogLevel;
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
}

/** What a running service stands on. */
export interface Platform {
  database: Database;
  bus: BusConnection;
  log: Logger;
}

/** What a service gives back once it serves. */
export interface Running {
  /** Takes nothing new and finishes what is under way; called once, before bus and database are closed. */
  drain(): Promise<void>;
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
const DRAIN_LIMIT_MS = 9_000;
/** As long as migrations are waited for. */
const KEYS_PATIENCE_MS = 60_000;
const OPEN_PATIENCE_MS = 1_000;
const TRY_PAUSE_MS = 200;

/**
 * What `read` makes of the environment, for {@link runService}. What is wrong with it ends the process with one line
 * that says so.
 */
export function settingsOf<T>({ service }: Schema, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return exitFor(createLogger(service, "info"), error);
  }
}

/**
 * Starts a service: migrations awaited, master keys checked, connections, `start`, and on SIGTERM or SIGINT an orderly end.
 * What can't be started ends the process with one line that says why.
 */
export async function runService(
  schema: Schema,
  settings: Settings,
  start: (platform: Platform) => Promise<Running>,
): Promise<void> {
  const { service } = schema;
  const log = createLogger(service, settings.LOG_LEVEL);
  describeProcess(service);
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const stopTracing = endpoint === undefined ? undefined : startTracing(service, endpoint, log);
  process.on("unhandledRejection", (error) => log.error({ error }, "a promise was left alone"));

  // A container's first process would otherwise not hear them: whoever stops it while it waits would wait, too.
  for (const signal of SIGNALS) process.on(signal, leave);
  const platform = await connect(schema, settings, log);
  const running = await orExit(log, () => start(platform));
  // By now the bus knows of all that is subscribed to; where it went away meanwhile, it hears of it when it is back.
  await platform.bus.whileConnected(() => platform.bus.nats.flush()).catch(() => undefined);
  log.info("serving");
  // Who started it for itself may wait for that: at its port somebody else could answer.
  process.send?.("serving");

  let stopping: Promise<void> | undefined;
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, "stopping");
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS);
    await running.drain();
    await platform.bus.nats.drain();
    await platform.database.close();
    await stopTracing?.();
    process.exit(0);
  };
  for (const signal of SIGNALS) process.off(signal, leave).on(signal, () => void (stopping ??= stop(signal)));
}

/** Nothing is under way yet. */
function leave(): never {
  return process.exit(0);
}

function connect(schema: Schema, settings: Settings, log: Logger): Promise<Platform> {
  const { service, settings: server = {} } = schema;
  return orExit(log, async () => {
    await awaitMigrations(settings.DATABASE_URL, schema, { log });
    const database = openDatabase({ url: settings.DATABASE_URL, service, settings: server });
    const check = () => checkMasterKeys(database.system, schema.name, settings.LEEWAY_MASTER_KEYS);
    await tried(check, KEYS_PATIENCE_MS);
    // What a busy machine or server doesn't make now, requests make when they need it.
    await tried(() => database.open(), OPEN_PATIENCE_MS).catch((error: unknown) =>
      log.warn({ error }, "too few connections to the database"),
    );
    const bus = await connectBus({ url: settings.NATS_URL, name: `leeway-${service}`, log });
    return { database, bus, log };
  });
}

/** Asks a database again that may only be busy, or away for a moment. */
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
    return exitFor(log, error);
  }
}

function exitFor(log: Logger, error: unknown): never {
  log.error({ error }, "couldn't start");
  return process.exit(1);
}

/** What a service says of itself. */
export interface Readiness {
  /** Whether bus and database answer now, and the database takes writes. */
  ready: boolean;
  /** What doesn't get on although they do: durable consumers that are given no more events. */
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

/** Serves health, readiness and metrics for a service that has no other HTTP. */
export function serveHealth(
  { HEALTH_PORT: port, LISTEN_ADDRESS: hostname }: { HEALTH_PORT: number; LISTEN_ADDRESS: string },
  platform: Platform,
): { port: number; stop(): void } {
  const server = Bun.serve({
    port,
    hostname,
    routes: {
      "/healthz": () => Response.json({ status: "ok" }),
      "/readyz": async () => {
        const { ready, degraded } = await readinessOf(platform);
        if (!ready) return Response.json({ status: "not_ready" }, { status: 503 });
        // To end the process, or to keep requests from it, would help nobody.
        return Response.json({ status: degraded.length > 0 ? "degraded" : "ready", degraded });
      },
      "/metrics": metricsResponse,
    },
    fetch: () => Response.json({ error: "not_found" }, { status: 404 }),
  });
  return { port: server.port ?? port, stop: () => void server.stop() };
}

/** All metrics of this process in Prometheus' text format. */
export async function metricsResponse(): Promise<Response> {
  return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } });
}
