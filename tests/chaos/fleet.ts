import { join } from "node:path";

import { connectBus } from "@leeway/shared/bus/connection";
import { ensureStreams, watchStreams } from "@leeway/shared/bus/keep-streams";
import { serviceUrl } from "@leeway/shared/bus/service-user";
import { migrate } from "@leeway/shared/database/migrate";
import { createLogger } from "@leeway/shared/platform/telemetry/log";
import { testBusKeys } from "@leeway/shared/testing/testing";
import postgres, { type Sql } from "postgres";

import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { THROW_AWAY } from "../../scripts/local/postgres.ts";
import { running } from "../../scripts/local/running.ts";
import { SCHEMAS } from "../../scripts/schemas.ts";
import { createOutput } from "../../scripts/up/output.ts";
import { Supervisor } from "../../scripts/up/supervisor.ts";
import {
  OPERATOR_TOKEN,
  patient,
  send,
  type Answered,
  type Ask,
} from "../../services/gateway/test/support/gateway.ts";
import { figure } from "./figure.ts";
import { WAIT_MS } from "./promised.ts";
import { startNats, startPostgres, startStandby, type Prepare, type Server } from "./servers.ts";
import { until } from "./until.ts";

const PASSWORD = "chaos";
const log = createLogger("chaos", "error");
log.level = "silent"; // these tests cause failures
/** Restarts at once, however often a process was killed. */
const TIMING = { atOnceMs: 0, firstPauseMs: 50, longestPauseMs: 50 };

/** An organization with a planner's webhook config. */
export interface Receiver {
  orgId: string;
  key: string;
  configId: string;
  secret: string;
  /** Address that takes its events. */
  url: string;
}

/** Leeway on its own servers. Each service is a process that is restarted when it ends. */
export interface Fleet {
  baseUrl: string;
  postgres: Server;
  /** Read replica of `postgres`. */
  standby: Server | undefined;
  nats: Server;
  /** Connection as a superuser, which bypasses row-level security. */
  admin: Sql;
  /** Address of each gateway, one per copy. */
  gateways: readonly string[];
  /** Number of starts of each service. */
  starts: Readonly<Record<string, number>>;
  /** Exit code of each process that has ended. */
  exits: readonly { name: string; code: number | null }[];
  pidOf(service: string): number;
  /** Stops a service and resolves once it is ready again, with the milliseconds that stopping took. */
  restart(service: string): Promise<number>;
  /** Kills a service with SIGKILL; its supervisor restarts it. */
  kill(service: string): void;
  /** Reports whether the gateway and everything it depends on are ready. */
  isReady(): Promise<boolean>;
  ask(method: string, path: string, ask?: Ask): Promise<Answered>;
  newOrg(): Promise<{ orgId: string; key: string }>;
  newReceiver(): Promise<Receiver>;
  stop(): Promise<void>;
}

interface FleetOptions {
  services?: readonly string[];
  /** Number of processes of each service; the gateway's second is `gateway-2`. */
  copies?: number;
  /** An existing NATS to use instead of its own. */
  natsUrl?: string;
  /** Copies of every stream. */
  replicas?: number;
  env?: Record<string, string>;
  /** PostgreSQL settings. */
  settings?: Record<string, string>;
  /** Prepares the data folder of its PostgreSQL. */
  prepare?: Prepare;
  /** Returns the database URL for a service, so that a link can sit in between. */
  link?: (databaseUrl: string, service: string) => Promise<string>;
  /** Whether the services have a read replica. */
  withStandby?: boolean;
}

export async function startFleet({
  services = SCHEMAS.map(({ service }) => service),
  copies = 1,
  natsUrl,
  replicas = 1,
  env = {},
  settings = THROW_AWAY,
  prepare,
  link = (url) => Promise.resolve(url),
  withStandby,
}: FleetOptions = {}): Promise<Fleet> {
  const [database, bus] = await Promise.all([startPostgres(settings, prepare), startNats()]);
  const passwords = Object.fromEntries(SCHEMAS.map(({ service }) => [service, PASSWORD]));
  await migrate(database.url, SCHEMAS, passwords);
  const operator = await connectBus({
    url: serviceUrls(natsUrl ?? bus.url, "operator"),
    name: "leeway-operator",
    log,
  });
  await ensureStreams(operator, BUS_PARTS, { replicas });
  const watching = watchStreams(operator, { parts: BUS_PARTS, replicas, log });
  const admin = postgres(database.url, { max: 1, onnotice: () => undefined });
  await noteEndings(admin);
  const standby = await standbyIf(withStandby, database, settings);
  const output = createOutput([], {
    own: "",
    all: false,
    colours: false,
    write: () => undefined,
    log: () => undefined,
  });
  const supervisor = new Supervisor({
    say: () => undefined,
    onStart: async () => undefined,
    lastLines: output.lastLines,
    timing: TIMING,
  });
  const starts: Record<string, number> = {};
  const exits: { name: string; code: number | null }[] = [];
  const ports: Record<string, number> = {};
  const healthPorts: Record<string, number> = {};
  for (const [name, service] of programs(services, copies)) {
    const databaseUrl = await link(urlOf(database.url, service), service);
    const [port, healthPort] = [await freePort(), await freePort()];
    ports[name] = port;
    healthPorts[name] = healthPort;
    await supervisor.keep(name, async () => {
      starts[name] = (starts[name] ?? 0) + 1;
      const command = [process.execPath, join(import.meta.dir, `../../services/${service}/src/main.ts`)];
      const child = Bun.spawn(command, {
        env: {
          ...environment(port, healthPort),
          DATABASE_URL: databaseUrl,
          ...readEnvironment(standby, service),
          NATS_URL: serviceUrls(natsUrl ?? bus.url, service),
          LEEWAY_BUS_KEYS: testBusKeys(service),
          ...env,
        },
        stdout: "pipe",
        stderr: "pipe",
        onExit(_, code) {
          exits.push({ name, code });
          if (code)
            void outputs.then(() => figure([`${name} ended: ${code}`, ...output.lastLines(name)].join("\n")));
        },
      });
      const outputs = Promise.all([child.stdout, child.stderr].map((stream) => output.pipe(name, stream)));
      return running(child, command);
    });
  }
  const addressOf = (name: string): string => `http://127.0.0.1:${ports[name]}`;
  const insideOf = (name: string): string => `http://127.0.0.1:${healthPorts[name]}`;
  const baseUrl = addressOf("gateway");
  const ask: Fleet["ask"] = (method, path, options = {}) => send(baseUrl, method, path, options);
  const patiently = patient(ask);
  const pidOf = (service: string): number => supervisor.running()[service]?.pid ?? Number.NaN;
  const newOrg: Fleet["newOrg"] = async () => {
    const { body } = await patiently("POST", "/operator/orgs", {
      as: OPERATOR_TOKEN,
      body: { name: "Chaos" },
    });
    return { orgId: body.org.id, key: body.api_key.key };
  };
  await until(
    async () => (await missing(insideOf("gateway"))).every((name) => !services.includes(name)),
    WAIT_MS,
  );
  return {
    baseUrl,
    postgres: database,
    standby,
    nats: bus,
    admin,
    isReady: () => isReady(insideOf("gateway")),
    gateways: Object.keys(ports)
      .filter((name) => name.startsWith("gateway"))
      .map(addressOf),
    starts,
    exits,
    pidOf,
    async restart(name) {
      const [started, ended] = [starts[name] ?? 0, exits.length];
      process.kill(pidOf(name), "SIGTERM");
      const stoppedMs = await until(() => exits.slice(ended).some((exit) => exit.name === name), WAIT_MS);
      await until(() => starts[name] === started + 1, WAIT_MS, "started");
      await until(() => isReady(insideOf(name)), WAIT_MS, "ready");
      return stoppedMs;
    },
    kill: (service) => void process.kill(pidOf(service), "SIGKILL"),
    ask,
    newOrg,
    async newReceiver() {
      const { orgId, key } = await newOrg();
      const path = `/api/v2/orgs/${orgId}/webhooks`;
      const { body } = await patiently("POST", path, { as: key, body: { source: "planner" } });
      const url = `${baseUrl}/webhooks/planner/${orgId}`;
      return { orgId, key, configId: body.id, secret: body.raw_secret, url };
    },
    async stop() {
      await supervisor.stop();
      await watching.stop();
      await operator.nats.close();
      await admin.end({ timeout: 1 });
      await Promise.all([standby, database, bus].map((server) => server?.remove()));
    },
  };
}

/** Adds a service's login to each server address in `url`. */
function serviceUrls(url: string, service: string): string {
  return url
    .split(",")
    .map((server) => serviceUrl(server, service))
    .join();
}

/** Builds the environment of the services, without rate limits: these tests would exceed them. */
function environment(port: number, healthPort: number): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    LEEWAY_MASTER_KEYS: `chaos:${Buffer.alloc(32, 7).toString("base64")}`,
    OPERATOR_TOKEN,
    PORT: String(port),
    HEALTH_PORT: String(healthPort),
    LOG_LEVEL: "warn",
    RATE_LIMIT_KEY_PER_MINUTE: "0",
    RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
  };
}

async function standbyIf(
  isWanted: boolean | undefined,
  primary: Server,
  settings: Readonly<Record<string, string>>,
): Promise<Server | undefined> {
  return isWanted ? startStandby(primary, settings) : undefined;
}

function readEnvironment(standby: Server | undefined, service: string): Record<string, string> {
  return standby ? { DATABASE_READ_URL: urlOf(standby.url, service) } : {};
}

function urlOf(adminUrl: string, service: string): string {
  const url = new URL(adminUrl);
  url.username = `leeway_${service}`;
  url.password = PASSWORD;
  return url.href;
}

/** Lists the name of each process with its service. */
function programs(services: readonly string[], copies: number): [string, string][] {
  return Array.from({ length: copies }, (_, copy) =>
    services.map((service): [string, string] => [copy === 0 ? service : `${service}-${copy + 1}`, service]),
  ).flat();
}

function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns the services that aren't ready, or the gateway if it doesn't answer. */
async function missing(gateway: string): Promise<readonly string[]> {
  const answered = await send(gateway, "GET", "/readyz", {}).catch(() => undefined);
  return answered?.body?.not_ready ?? ["gateway"];
}

/** Records each outcome of a delivery or job. More than one of each is wrong. */
async function noteEndings(admin: Sql): Promise<void> {
  await admin.unsafe(`
    create schema noted;
    create table noted.endings (delivery_id uuid not null, what text not null);
    create function noted.ending() returns trigger language plpgsql security definer as $$
    begin
      insert into noted.endings values (new.id, tg_argv[0]);
      return null;
    end $$;
    create trigger note_ending after update on webhooks.deliveries
      for each row when (old.outcome = 'pending' and new.outcome <> 'pending') execute function noted.ending('ended');
    create trigger note_job after update on analyzer.jobs
      for each row when (old.finished_at is distinct from new.finished_at) execute function noted.ending('worked off');
  `);
}
