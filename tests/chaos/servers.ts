import { $ } from "bun";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";

import * as nats from "../../scripts/local/nats.ts";
import * as postgres from "../../scripts/local/postgres.ts";
import type { Running } from "../../scripts/local/running.ts";
import { makeTestFolder } from "../../scripts/local/test-folder.ts";

/** A server of a test's own, to be killed, frozen and started again on its data. */
export interface Server {
  /** Stays the same when it is started again. */
  url: string;
  /** Sends a signal to the server: to its main process, or to every process of it. */
  signal(signal: NodeJS.Signals, to?: "main" | "all"): void;
  /** Every process of it, the main one last. */
  pids(): number[];
  /** Resolves once it takes connections. */
  start(): Promise<void>;
  /** Loses all that it has stored; it has been killed before. */
  loseData(): Promise<void>;
  /** Copies what it has stored; it is frozen. @returns what puts the copy in its place, once it is killed */
  copyData(): Promise<() => Promise<void>>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** A server that was launched, on a port that it had before, if any. */
export type Launch = (
  dir: string,
  port: { port?: number },
) => Promise<Running & { url: string; port: number }>;

/** What the threads of a program may need to follow its first into the stop. */
const THREADS_STOP_MS = 20;

const PASSING: Readonly<Record<string, string>> = { ...postgres.THROW_AWAY, max_connections: "50" };

/** Puts something under a server's folder before there is anything in it; what it gives takes it away again. */
export type Prepare = (folder: string) => Promise<() => Promise<void>>;

export const nothing: Prepare = async () => async () => undefined;

/** A PostgreSQL whose commits survive a kill; not the machine's, unless `settings` say so. */
export function startPostgres(settings = PASSING, prepare = nothing): Promise<Server> {
  const launch: Launch = (dir, port) =>
    postgres.startPostgres({ dir, database: "postgres", settings, ...port });
  return serverOf("postgres", launch, prepare);
}

/** A nats-server with JetStream. */
export function startNats(): Promise<Server> {
  return serverOf("nats", (dir, port) => nats.startNats({ dir, say: () => undefined, ...port }), nothing);
}

/** A server that `launch` starts in a folder of its own, which `prepare` has seen before. */
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
      await running.stop(); // what was killed takes a moment to be gone
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
    // It has ended already.
  }
}

/** A thread that is running when the signal comes may answer once more. */
function untilStopped(pid: number): void {
  const state = (): string =>
    Bun.spawnSync(["ps", "-o", "state=", "-p", String(pid)])
      .stdout.toString()
      .trim();
  for (let now = state(); now !== "" && !now.startsWith("T"); now = state()) Bun.sleepSync(1);
  Bun.sleepSync(THREADS_STOP_MS);
}

/** PostgreSQL puts each of its processes into a group of its own, so a signal to the group reaches one. */
function childrenOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid="]);
  const rows = stdout
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
