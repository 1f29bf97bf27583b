import { $ } from "bun";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";

import * as nats from "../../scripts/local/nats.ts";
import * as postgres from "../../scripts/local/postgres.ts";
import type { Running } from "../../scripts/local/running.ts";
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
