import { busUrls } from "@leeway/shared/bus/connection";
import { serviceUrl } from "@leeway/shared/bus/service-user";
import { loadConfig } from "@leeway/shared/config";
import { SERVICE_VARIABLES } from "@leeway/shared/service";
import { SQL } from "bun";
import { isIPv6 } from "node:net";

import { startNats } from "../local/nats.ts";
import { freePort, isListening, isPortFree } from "../local/ports.ts";
import { type Postgres, startPostgres } from "../local/postgres.ts";
import type { DataDir } from "./data-dir.ts";
import type { Output } from "./output.ts";
import type { UpReport } from "./report.ts";
import { loadDemo, loadSecrets, saveDemo, type Secrets } from "./secrets.ts";
import { startService, untilReady } from "./service.ts";
import type { Stack } from "./stack.ts";
import type { Supervisor } from "./supervisor.ts";

export interface Context {
  stack: Stack;
  /** The folder that holds `services/`. */
  root: string;
  env: NodeJS.ProcessEnv;
  dir: DataDir;
  output: Output;
  supervisor: Supervisor;
  say: (line: string) => void;
  /** Aborted when there is no point in going on. */
  signal: AbortSignal;
}

/** Brings everything up, step by step, and tells how to reach it. */
export async function bringUp(context: Context): Promise<Omit<UpReport, "pids">> {
  const { stack, dir, env, say } = context;
  const leftovers = await dir.stopLeftovers();
  if (leftovers > 0) say(`stopped ${leftovers} services that a killed start had left running`);
  const port = await gatewayPort(env);
  const services = stack.services.map(({ name }) => name);
  const secrets = await loadSecrets(dir.path, services, env);

  const databaseUrl = await step(context, "PostgreSQL", () => database(context));
  const natsUrl = await step(context, "NATS", () => bus(context));
  await step(context, "schemas", () => stack.migrate(databaseUrl, secrets.rolePasswords));
  await step(context, "dashboard", () => stack.build());
  const baseUrl = `http://${gatewayHost(env)}:${port}`;
  await step(context, "services", () =>
    startServices(context, { port, baseUrl, databaseUrl, natsUrl, secrets }),
  );
  const { operatorToken } = secrets;
  const demo = await step(context, "demo organization", async () =>
    stack.seed({
      baseUrl,
      operatorToken,
      previous: await loadDemo(dir.path),
      keep: (made) => saveDemo(dir.path, made),
    }),
  );
  return {
    base_url: baseUrl,
    ...demo,
    operator_token: operatorToken,
    database_url: databaseUrl,
    nats_url: natsUrl,
  };
}

async function step<T>({ say, signal }: Context, title: string, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  say(`${title}: starting`);
  const since = performance.now();
  const result = await work();
  say(`${title}: ready after ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return result;
}

/** @throws {Error} naming the port and what to set when it can't be had. */
async function gatewayPort(env: NodeJS.ProcessEnv): Promise<number> {
  const { PORT: wanted } = env;
  const port = Number(wanted || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`PORT is "${wanted}": set it to a number from 0 (any free one) to 65535`);
  }
  if (port === 0) return freePort();
  await checkPort(port, env);
  return port;
}

/** @throws {Error} naming the port and what to set where another program has it. */
async function checkPort(port: number, { LISTEN_ADDRESS: address }: NodeJS.ProcessEnv): Promise<void> {
  for (const host of ["0.0.0.0", address || "127.0.0.1"]) {
    if (await isPortFree(port, host)) continue;
    throw new Error(`port ${port} is taken by another program: set PORT to a free one, or to 0 for any`);
  }
}

/** Where the gateway is found: at this machine's own address, unless it listens at another one alone. */
function gatewayHost({ LISTEN_ADDRESS: address }: NodeJS.ProcessEnv): string {
  if (!address || address === "0.0.0.0" || address === "::") return "127.0.0.1";
  return isIPv6(address) ? `[${address}]` : address;
}

async function database({ env, dir, supervisor }: Context): Promise<string> {
  const given = env["DATABASE_URL"];
  if (given) {
    loadConfig({ DATABASE_URL: SERVICE_VARIABLES.DATABASE_URL }, env);
    await checkDatabase(given);
    return given;
  }
  let port: number | undefined;
  const start = async (): Promise<Postgres> => {
    // Once services know its port, it has to come back on that one.
    const started = await startPostgres({ dir: dir.path, database: "leeway", ...(port && { port }) });
    port = started.port;
    return started;
  };
  return (await supervisor.keep("postgres", start)).url;
}

async function checkDatabase(url: string): Promise<void> {
  await using sql = new SQL(url, { max: 1, connectionTimeout: 10 });
  await sql`select 1`.catch((error: Error) => {
    throw new Error(`can't connect to DATABASE_URL: ${error.message}`, { cause: error });
  });
}

async function bus({ env, dir, supervisor, say, signal }: Context): Promise<string> {
  const given = env["NATS_URL"];
  if (given) {
    loadConfig({ NATS_URL: SERVICE_VARIABLES.NATS_URL }, env);
    await checkBus(given);
    return given;
  }
  let port: number | undefined;
  const start = async () => {
    const started = await startNats({ dir: dir.path, say, signal, ...(port && { port }) });
    port = started.port;
    return started;
  };
  return (await supervisor.keep("nats", start)).url;
}

/** Of several servers, one that listens is enough. */
async function checkBus(urls: string): Promise<void> {
  const servers = busUrls(urls);
  for (const { hostname, port } of servers) if (await isListening(hostname, Number(port || 4222))) return;
  const hosts = servers.map(({ host }) => host).join(", ");
  throw new Error(`can't connect to NATS_URL: nothing listens at ${hosts}`);
}

interface Shared {
  port: number;
  baseUrl: string;
  databaseUrl: string;
  natsUrl: string;
  secrets: Secrets;
}

async function startServices(context: Context, shared: Shared): Promise<void> {
  const { stack, root, output, supervisor, signal } = context;
  const ready: Promise<void>[] = [];
  for (const { name, env } of stack.services) {
    const isGateway = name === "gateway";
    const port = isGateway ? shared.port : await freePort();
    const variables = { ...serviceEnv(name, port, shared, context.env), ...env };
    const { promise: serving, resolve: onServing } = Promise.withResolvers<void>();
    await supervisor.keep(name, async () => {
      if (isGateway) await checkPort(port, context.env);
      return startService({ name, root, env: variables, onServing }, output);
    });
    const url = isGateway ? shared.baseUrl : `http://127.0.0.1:${port}`;
    ready.push(untilReady(name, { url, serving, signal }));
  }
  await Promise.all(ready);
}

/** All of our own environment, so that every variable a service knows can be set on `up`. */
function serviceEnv(
  name: string,
  port: number,
  { baseUrl, databaseUrl, natsUrl, secrets }: Shared,
  env: NodeJS.ProcessEnv,
): Record<string, string | undefined> {
  const isGateway = name === "gateway";
  const url = new URL(databaseUrl);
  url.username = `leeway_${name}`;
  url.password = secrets.rolePasswords[name] ?? "";
  return {
    ...env,
    DATABASE_URL: url.href,
    // Who brings a server of their own gives services the rights that it knows.
    NATS_URL: env["NATS_URL"] || serviceUrl(natsUrl, name),
    LEEWAY_MASTER_KEYS: secrets.masterKeys,
    OPERATOR_TOKEN: secrets.operatorToken,
    PUBLIC_BASE_URL: env["PUBLIC_BASE_URL"] || baseUrl,
    PORT: isGateway ? String(port) : undefined,
    HEALTH_PORT: isGateway ? undefined : String(port),
    // What runs on a machine of one's own is for nobody else on its network.
    LISTEN_ADDRESS: (isGateway && env["LISTEN_ADDRESS"]) || "127.0.0.1",
  };
}
