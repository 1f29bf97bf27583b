import { $, SQL } from "bun";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";

import * as nats from "../../scripts/local/nats.ts";
import * as postgres from "../../scripts/local/postgres.ts";
import type { Running } from "../../scripts/local/running.ts";
import { saveCluster } from "../../scripts/local/cluster.ts";
import { postgresHome, postgresUser } from "../../scripts/local/postgres-user.ts";
import { makeTestFolder } from "../../scripts/local/test-folder.ts";

/** A server for one test, which can be killed, frozen and restarted on its data. */
export interface Server {
  /** Address of the server, which a restart keeps. */
  url: string;
  /** Sends a signal to the server's main process or to all its processes. */
  signal(signal: NodeJS.Signals, to?: "main" | "all"): void;
  /** Ids of its processes, the main one last. */
  pids(): number[];
  /** Starts the server and resolves once it accepts connections. */
  start(): Promise<void>;
  /** Deletes its data. The server must have been killed. */
  loseData(): Promise<void>;
  /** Copies its data while it is frozen. @returns a function that restores the copy once the server is killed */
  copyData(): Promise<() => Promise<void>>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

/** Launches a server in a folder, on its previous port if it had one. */
export type Launch = (
  dir: string,
  port: { port?: number },
) => Promise<Running & { url: string; port: number }>;

/** Time for a process's other threads to stop after the first. */
const THREADS_STOP_MS = 20;

const PASSING: Readonly<Record<string, string>> = { ...postgres.THROW_AWAY, max_connections: "50" };

/** Prepares a server's folder before it has any content. Returns a function that undoes it. */
export type Prepare = (folder: string) => Promise<() => Promise<void>>;

export const nothing: Prepare = async () => async () => undefined;

/** Starts a PostgreSQL whose commits survive a kill. They survive a power loss only with other `settings`. */
export function startPostgres(settings = PASSING, prepare = nothing): Promise<Server> {
  const launch: Launch = (dir, port) =>
    postgres.startPostgres({ dir, database: "postgres", settings, ...port });
  return serverOf("postgres", launch, prepare);
}

/** Starts a standby that follows `primary`, on a copy of its data. It replays what the primary writes. */
export function startStandby(primary: Server, settings: Readonly<Record<string, string>>): Promise<Server> {
  const { hostname, port, username, password } = new URL(primary.url);
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  let isCopied = false;
  const launch: Launch = async (dir, at) => {
    if (!isCopied) await copyRunning(primary, dir);
    isCopied = true;
    return postgres.startPostgres({
      dir,
      database: "postgres",
      settings: { ...settings, primary_conninfo },
      ...at,
    });
  };
  return serverOf("postgres", launch, nothing);
}

/** Copies the data of a running PostgreSQL, as pg_basebackup does, and marks the copy as that of a standby. */
async function copyRunning({ url }: Server, dir: string): Promise<void> {
  const home = await postgresHome(dir, await postgresUser());
  await using sql = new SQL(url, { max: 1 });
  const [{ data_directory: from }] = await sql`show data_directory`;
  await sql`select pg_backup_start('standby', true)`;
  await $`cp -a ${from} ${home}/data`;
  const [{ labelfile }] = await sql`select labelfile from pg_backup_stop(false)`;
  await rm(join(home, "data/postmaster.pid"));
  await $`touch ${home}/data/standby.signal && chown --reference=${from} ${home}/data/standby.signal`;
  await Bun.write(join(home, "data/backup_label"), labelfile);
  await $`chown --reference=${from} ${home}/data/backup_label`;
  await saveCluster(dir, { home, password: new URL(url).password, port: 0 });
}

/** Starts a NATS server with JetStream. */
export function startNats(): Promise<Server> {
  return serverOf("nats", (dir, port) => nats.startNats({ dir, say: () => undefined, ...port }), nothing);
}

/** Starts a server in a new folder, which `prepare` handles first. */
export async function serverOf(data: string, launch: Launch, prepare: Prepare): Promise<Server> {
  const dir = await makeTestFolder();
  const undo = await prepare(join(dir, data));
  let running = await launch(dir, {});
  const { url, port } = running;
  const pids = (): number[] => [...childrenOf(running.identity.pid), running.identity.pid];
  const signal: Server["signal"] = (name, to = "main") => {
    const meant = to === "all" ? pids() : [running.identity.pid];
    for (const one of meant) send(one, name);
    if (name === "SIGSTOP") for (const one of meant) untilStopped(one);
  };
  return {
    url,
    signal,
    pids,
    async start() {
      await running.stop(); // a killed process takes a moment to exit
      running = await launch(dir, { port });
    },
    loseData: () => rm(join(dir, data), { recursive: true, force: true }),
    async copyData() {
      const [own, copy] = [join(dir, data), join(dir, `${data}.copy`)];
      await $`cp -a ${own} ${copy}`;
      return async () => {
        await rm(own, { recursive: true });
        await rename(copy, own);
      };
    },
    async remove() {
      signal("SIGKILL", "all");
      await running.stop();
      await undo();
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** Waits until a process is stopped: a running thread may still answer once after the signal. */
function untilStopped(pid: number): void {
  const state = (): string =>
    Bun.spawnSync(["ps", "-o", "state=", "-p", String(pid)])
      .stdout.toString()
      .trim();
  for (let now = state(); now !== "" && !now.startsWith("T"); now = state()) Bun.sleepSync(1);
  Bun.sleepSync(THREADS_STOP_MS);
}

/**
 * Lists a process's children. PostgreSQL gives each its own process group, so a signal to the group reaches only one.
 */
function childrenOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid="]);
  const rows = stdout
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
