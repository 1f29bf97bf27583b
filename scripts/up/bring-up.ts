import { busUrls } from "@leeway/shared/bus/connection";
import { loadConfig } from "@leeway/shared/platform/config";
import { SERVICE_VARIABLES } from "@leeway/shared/service/service";
import { SQL } from "bun";
import { isIPv6 } from "node:net";

import { startNats } from "../local/nats.ts";
import { freePort, isListening, isPortFree } from "../local/ports.ts";
import { type Postgres, startPostgres } from "../local/postgres.ts";
import type { DataDir } from "./data-dir.ts";
import type { Output } from "./output.ts";
import type { UpReport } from "./report.ts";
import { loadDemo, loadSecrets, saveDemo } from "./secrets.ts";
import { serviceEnv, type Shared } from "./service-env.ts";
import { startService, untilReady } from "./service.ts";
import type { Stack } from "./stack.ts";
import type { Supervisor } from "./supervisor.ts";

export interface Context {
  stack: Stack;
  /** Folder that contains `services/`. */
  root: string;
  env: NodeJS.ProcessEnv;
  dir: DataDir;
  output: Output;
  supervisor: Supervisor;
  say: (line: string) => void;
  /** Aborts when the start has failed or was stopped. */
  signal: AbortSignal;
}

/** Starts everything, step by step, and returns how to reach it. */
export async function bringUp(context: Context): Promise<Omit<UpReport, "pids">> {
  const { stack, dir, env, say } = context;
  const leftovers = await dir.stopLeftovers();
  if (leftovers > 0) say(`stopped ${leftovers} services that a killed start had left running`);
  const port = await gatewayPort(env);
  const services = stack.services.map(({ name }) => name);
  const secrets = await loadSecrets(dir.path, services, env);

  const databaseUrl = await step(context, "PostgreSQL", () => database(context));
  const natsUrl = await step(context, "NATS", () => bus(context));
  await step(context, "schemas", async () => {
    await stack.migrate(databaseUrl, secrets.rolePasswords);
    await stack.rewrap(databaseUrl, secrets.masterKeys);
    await stack.keepStreams(natsUrl);
  });
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

async function step<T>({ output, signal }: Context, title: string, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return output.step(title, work);
}

/** Returns the gateway's port. @throws {Error} if it is invalid or taken, with the setting to change */
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

/** Checks that a port is free. @throws {Error} if another program uses it, with the setting to change */
async function checkPort(port: number, { LISTEN_ADDRESS: address }: NodeJS.ProcessEnv): Promise<void> {
  for (const host of ["0.0.0.0", address || "127.0.0.1"]) {
    if (await isPortFree(port, host)) continue;
    throw new Error(`port ${port} is taken by another program: set PORT to a free one, or to 0 for any`);
  }
}

/** Returns the host of the gateway: this machine's own address, unless it listens only on another one. */
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
    // Services know its port after the first start, so a restart must use the same one.
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

/** Checks that at least one server of NATS can be reached. */
async function checkBus(urls: string): Promise<void> {
  const servers = busUrls(urls);
  for (const { hostname, port } of servers) if (await isListening(hostname, Number(port || 4222))) return;
  const hosts = servers.map(({ host }) => host).join(", ");
  throw new Error(`can't connect to NATS_URL: nothing listens at ${hosts}`);
}

async function startServices(context: Context, shared: Shared): Promise<void> {
  const { stack, root, output, supervisor, signal } = context;
  const ready: Promise<void>[] = [];
  for (const service of stack.services) {
    const { name } = service;
    const isGateway = name === "gateway";
    const healthPort = await freePort();
    const variables = serviceEnv(service, healthPort, shared, context.env);
    const { promise: serving, resolve: onServing } = Promise.withResolvers<void>();
    await supervisor.keep(name, async () => {
      if (isGateway) await checkPort(shared.port, context.env);
      return startService({ name, root, env: variables, onServing }, output);
    });
    const url = `http://${isGateway ? gatewayHost(context.env) : "127.0.0.1"}:${healthPort}`;
    ready.push(untilReady(name, { url, serving, signal }));
  }
  await Promise.all(ready);
}
