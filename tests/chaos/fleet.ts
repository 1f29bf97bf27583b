import { join } from "node:path";

import { serviceUrl } from "@leeway/shared/bus/service-user";
import { migrate } from "@leeway/shared/database/migrate";
import postgres, { type Sql } from "postgres";

import { freePort } from "../../scripts/local/ports.ts";
import { THROW_AWAY } from "../../scripts/local/postgres.ts";
import { running } from "../../scripts/local/running.ts";
import { SCHEMAS } from "../../scripts/schemas.ts";
import { createOutput } from "../../scripts/up/output.ts";
import { Supervisor } from "../../scripts/up/supervisor.ts";
import {
  OPERATOR_TOKEN,
  send,
  type Answered,
  type Ask,
} from "../../services/gateway/test/support/gateway.ts";
import { figure } from "./figure.ts";
import { startNats, startPostgres, type Prepare, type Server } from "./servers.ts";
import { until } from "./until.ts";

const PASSWORD = "chaos";
const READY_LIMIT_MS = 60_000;
/** Started again at once, however often it was killed. */
const TIMING = { atOnceMs: 0, firstPauseMs: 50, longestPauseMs: 50 };

/** An organization, with a config of a planner to send events to. */
export interface Receiver {
  orgId: string;
  key: string;
  configId: string;
  secret: string;
  /** Where its events go. */
  url: string;
}

/** Leeway on servers of its own, each service a process that is started again when it ends. */
export interface Fleet {
  baseUrl: string;
  postgres: Server;
  nats: Server;
  /** As a superuser, whom row-level security doesn't hold back. */
  admin: Sql;
  /** Where each gateway is: one a copy. */
  gateways: readonly string[];
  /** How often each service was started. */
  starts: Readonly<Record<string, number>>;
  /** How each process ended that did. */
  exits: readonly { name: string; code: number | null }[];
  pidOf(service: string): number;
  /** Tells a service to stop, and resolves when it is there again and ready, with the milliseconds that it took to stop. */
  restart(service: string): Promise<number>;
  /** Kills a service with -9; its supervisor starts it again. */
  kill(service: string): void;
  ask(method: string, path: string, ask?: Ask): Promise<Answered>;
  newOrg(): Promise<{ orgId: string; key: string }>;
  newReceiver(): Promise<Receiver>;
  stop(): Promise<void>;
}

interface FleetOptions {
  services?: readonly string[];
  /** Processes of each service; the second of the gateway is `gateway-2`. */
  copies?: number;
  /** A NATS of somebody else's in place of its own. */
  natsUrl?: string;
  env?: Record<string, string>;
  /** Settings of its PostgreSQL. */
  settings?: Record<string, string>;
  /** Puts something under the data of its PostgreSQL. */
  prepare?: Prepare;
  /** Stands between the services and their database. */
  link?: (databaseUrl: string, service: string) => Promise<string>;
}

export async function startFleet({
  services = SCHEMAS.map(({ service }) => service),
  copies = 1,
  natsUrl,
  env = {},
  settings = THROW_AWAY,
  prepare,
  link = (url) => Promise.resolve(url),
}: FleetOptions = {}): Promise<Fleet> {
  const [database, bus] = await Promise.all([startPostgres(settings, prepare), startNats()]);
  const passwords = Object.fromEntries(SCHEMAS.map(({ service }) => [service, PASSWORD]));
  await migrate(database.url, SCHEMAS, passwords);
  const admin = postgres(database.url, { max: 1, onnotice: () => undefined });
  await noteEndings(admin);
  const output = createOutput([], { colours: false, write: () => undefined });
  const supervisor = new Supervisor({
    say: () => undefined,
    onStart: async () => undefined,
    lastLines: output.lastLines,
    timing: TIMING,
  });
  const starts: Record<string, number> = {};
  const exits: { name: string; code: number | null }[] = [];
  const ports: Record<string, number> = {};
  for (const [name, service] of programs(services, copies)) {
    const databaseUrl = await link(urlOf(database.url, service), service);
    const port = await freePort();
    ports[name] = port;
    await supervisor.keep(name, async () => {
      starts[name] = (starts[name] ?? 0) + 1;
      const command = [process.execPath, join(import.meta.dir, `../../services/${service}/src/main.ts`)];
      const child = Bun.spawn(command, {
        env: {
          ...environment(port),
          DATABASE_URL: databaseUrl,
          NATS_URL: (natsUrl ?? bus.url)
            .split(",")
            .map((url) => serviceUrl(url, service))
            .join(),
          ...env,
        },
        stdout: "pipe",
        stderr: "pipe",
        onExit(_, code) {
          exits.push({ name, code });
          if (code)
            void told.then(() => figure([`${name} ended: ${code}`, ...output.lastLines(name)].join("\n")));
        },
      });
      const told = Promise.all([child.stdout, child.stderr].map((stream) => output.pipe(name, stream)));
      return running(child, command);
    });
  }
  const addressOf = (name: string): string => `http://127.0.0.1:${ports[name]}`;
  const baseUrl = addressOf("gateway");
  const ask: Fleet["ask"] = (method, path, options = {}) => send(baseUrl, method, path, options);
  const pidOf = (service: string): number => supervisor.running()[service]?.pid ?? Number.NaN;
  const newOrg: Fleet["newOrg"] = async () => {
    const { body } = await ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: "Chaos" } });
    return { orgId: body.org.id, key: body.api_key.key };
  };
  await until(async () => (await missing(ask)).every((name) => !services.includes(name)), READY_LIMIT_MS);
  return {
    baseUrl,
    postgres: database,
    nats: bus,
    admin,
    gateways: Object.keys(ports)
      .filter((name) => name.startsWith("gateway"))
      .map(addressOf),
    starts,
    exits,
    pidOf,
    async restart(name) {
      const [started, ended] = [starts[name] ?? 0, exits.length];
      process.kill(pidOf(name), "SIGTERM");
      const stoppedMs = await until(
        () => exits.slice(ended).some((exit) => exit.name === name),
        READY_LIMIT_MS,
      );
      await until(() => starts[name] === started + 1, READY_LIMIT_MS, "started");
      await until(() => isReady(addressOf(name)), READY_LIMIT_MS, "ready");
      return stoppedMs;
    },
    kill: (service) => void process.kill(pidOf(service), "SIGKILL"),
    ask,
    newOrg,
    async newReceiver() {
      const { orgId, key } = await newOrg();
      const path = `/api/v2/orgs/${orgId}/webhooks`;
      const { body } = await ask("POST", path, { as: key, body: { source: "planner" } });
      const url = `${baseUrl}/webhooks/planner/${orgId}`;
      return { orgId, key, configId: body.id, secret: body.raw_secret, url };
    },
    async stop() {
      await supervisor.stop();
      await admin.end({ timeout: 1 });
      await Promise.all([database.remove(), bus.remove()]);
    },
  };
}

/** Limits are off: what they would refuse is what these tests send. */
function environment(port: number): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    LEEWAY_MASTER_KEYS: `chaos:${Buffer.alloc(32, 7).toString("base64")}`,
    OPERATOR_TOKEN,
    PORT: String(port),
    HEALTH_PORT: String(port),
    LOG_LEVEL: "warn",
    RATE_LIMIT_KEY_PER_MINUTE: "0",
    RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
  };
}

function urlOf(adminUrl: string, service: string): string {
  const url = new URL(adminUrl);
  url.username = `leeway_${service}`;
  url.password = PASSWORD;
  return url.href;
}

/** Each process's name, with its service. */
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

/** The services that aren't ready; the gateway where it doesn't answer. */
async function missing(ask: Fleet["ask"]): Promise<readonly string[]> {
  const answered = await ask("GET", "/readyz").catch(() => undefined);
  return answered?.body?.not_ready ?? ["gateway"];
}

/** Writes down each end that a delivery or its job comes to, and each event that is kept: once is right. */
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
    create trigger note_event after insert or update of event on webhooks.events
      for each row execute function noted.ending('kept');
    create trigger note_job after update on analyzer.jobs
      for each row when (old.finished_at is distinct from new.finished_at) execute function noted.ending('worked off');
  `);
}
