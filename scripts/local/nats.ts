import { serviceUser } from "@leeway/shared/bus/service-user";
import { text } from "@leeway/shared/values/json";
import { connect } from "node:net";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";

import RIGHTS from "../../deploy/nats/rights.json";
import { lastLines } from "./command.ts";
import { readReplaceableJson, writePrivate, writePrivateJson } from "./files.ts";
import { findNatsServer, type Search } from "./nats-server.ts";
import { newPassword } from "./password.ts";
import { freePort } from "./ports.ts";
import { stopLeftover } from "./process.ts";
import { type Running, running } from "./running.ts";

const START_DEADLINE_MS = 30_000;
const USER = "leeway";

export interface NatsOptions extends Search {
  /** Folder for the streams and the password (`nats.json`, mode 0600). */
  dir: string;
  /** Port to listen on; by default the previous one if it is free, otherwise any. */
  port?: number;
  /** Users, each in its own account with separate subjects and streams. Each account also has a user per service. */
  users?: readonly string[];
  /** Role in a cluster of several servers. */
  cluster?: ClusterNode;
  /** Addresses of a cluster that keeps the streams: this server is its leaf node. */
  leafOf?: readonly string[];
}

/** One server of a cluster, whose servers share a password. */
interface ClusterNode {
  name: string;
  password: string;
  /** Port for the other servers. */
  port: number;
  /** Port for leaf nodes. */
  leafPort?: number;
  /** Tags for the placement of streams. */
  tags?: readonly string[];
  /** Ports of all servers, this one included. */
  ports: readonly number[];
}

export interface Nats extends Running {
  /** URL of the first user, who may do everything. All such users share the password. */
  url: string;
  port: number;
  version: string;
}

/** Starts the NATS server of `dir` with JetStream on 127.0.0.1, and returns it once it answers. */
export async function startNats({ users = [USER], ...options }: NatsOptions): Promise<Nats> {
  const binary = await findNatsServer(options);
  const { home, config, pidFile } = filesIn(options.dir);
  await mkdir(home, { recursive: true, mode: 0o700 });
  await stopLeftoverNats(options.dir);

  const record = join(options.dir, "nats.json");
  const known = await readReplaceableJson(record);
  const password = options.cluster?.password ?? text(known, "password") ?? newPassword();
  const port = options.port ?? (await freePort(Number(known?.["port"] ?? 0)));
  await writePrivateJson(record, { password, port });
  await writePrivate(
    config,
    natsConfig({
      listen: `127.0.0.1:${port}`,
      store: home,
      pidFile,
      password,
      users,
      cluster: options.cluster,
      leafOf: options.leafOf,
    }),
  );

  const server = await launch(binary.path, config, natsUrl(users[0] ?? USER, password, `127.0.0.1:${port}`));
  return { ...server, port, version: binary.version };
}

/** Returns the URL of a server that {@link natsConfig} configured. */
export function natsUrl(user: string, password: string, host: string): string {
  return `nats://${user}:${password}@${host}`;
}

/** Stops the NATS server that a killed run left in `dir`. */
export async function stopLeftoverNats(dir: string): Promise<void> {
  const { config, pidFile } = filesIn(dir);
  await stopLeftover(pidFile, config);
}

function filesIn(dir: string): { home: string; config: string; pidFile: string } {
  const home = join(dir, "nats");
  return { home, config: join(home, "nats-server.conf"), pidFile: join(home, "pid") };
}

/** Returns the configuration of a NATS server. Its maximum payload fits webhook bodies of up to 5 MB in one message. */
export function natsConfig(given: {
  listen: string;
  store: string;
  users: readonly string[];
  password: string;
  pidFile?: string;
  cluster?: ClusterNode | undefined;
  leafOf?: readonly string[] | undefined;
}): string {
  const [user = USER] = given.users;
  return [
    `listen: ${JSON.stringify(given.listen)}`,
    "max_payload: 8MB",
    `accounts { ${given.users.map((user) => accountOf(user, given.password)).join(", ")} }`,
    ...(given.leafOf
      ? leafLines(user, { remotes: [{ urls: given.leafOf, account: user }] })
      : [`jetstream { store_dir: ${JSON.stringify(given.store)} }`]),
    ...(given.pidFile === undefined ? [] : [`pid_file: ${JSON.stringify(given.pidFile)}`]),
    ...(given.cluster === undefined ? [] : clusterLines(user, given.cluster)),
    "",
  ].join("\n");
}

/** Returns the lines of one end of a leaf node's connection. Requests for streams pass through. */
function leafLines(account: string, leafnodes: object): string[] {
  return [`default_js_domain: {${JSON.stringify(account)}: ""}`, `leafnodes: ${JSON.stringify(leafnodes)}`];
}

function clusterLines(user: string, { name, port, ports, leafPort, tags = [] }: ClusterNode): string[] {
  const routes = ports.map((other) => `nats://127.0.0.1:${other}`);
  const cluster = { name: "leeway", listen: `127.0.0.1:${port}`, routes, no_advertise: true };
  return [
    `server_name: ${JSON.stringify(name)}`,
    `server_tags: ${JSON.stringify(tags)}`,
    `cluster: ${JSON.stringify(cluster)}`,
    ...(leafPort === undefined
      ? []
      : leafLines(user, { listen: `127.0.0.1:${leafPort}`, no_advertise: true })),
  ];
}

function accountOf(user: string, password: string): string {
  const services = Object.entries(RIGHTS).map(([service, permissions]) => ({
    ...serviceUser({ user, password }, service),
    permissions,
  }));
  const users = [{ user, password }, ...services];
  return `${JSON.stringify(user)}: { jetstream: enabled, users: ${JSON.stringify(users)} }`;
}

async function launch(binary: string, config: string, url: string): Promise<Running & { url: string }> {
  const logFile = `${config}.log`;
  const log = await open(logFile, "w", 0o600);
  // A file instead of a pipe: writing to a pipe whose reader was killed would end the server.
  const command = [binary, "-c", config];
  const child = Bun.spawn(command, {
    cwd: "/",
    detached: true,
    stdin: "ignore",
    stdout: log.fd,
    stderr: log.fd,
  });
  await log.close();
  const deadline = performance.now() + START_DEADLINE_MS;
  const server = running(child, command);
  while (child.exitCode === null && performance.now() < deadline) {
    if (await natsAnswers(url)) return { ...server, url };
    await Bun.sleep(20);
  }
  await server.stop();
  throw new Error(
    `nats-server did not start:\n${lastLines(await readFile(logFile, "utf8"), 10)}\n(log: ${logFile})`,
  );
}

/** Reports whether the server at `url` (`nats://[user:password@]host:port`) accepts a connection now. */
export function natsAnswers(url: string): Promise<boolean> {
  const { hostname, port, username, password } = new URL(url);
  const hello = JSON.stringify({
    verbose: false,
    pedantic: false,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: hostname, port: Number(port || 4222), timeout: 2000 });
  let received = "";
  socket.on("connect", () => socket.write(`CONNECT ${hello}\r\nPING\r\n`));
  socket.on("data", (chunk) => {
    received += chunk.toString();
    if (received.includes("PONG\r\n")) resolve(true);
  });
  for (const end of ["error", "close", "timeout"]) socket.on(end, () => resolve(false));
  return promise.finally(() => socket.destroy());
}
