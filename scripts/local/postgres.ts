import { SQL } from "bun";
import { chown, open } from "node:fs/promises";
import { join } from "node:path";

import { type Cluster, dataFolder, logFile, openCluster, POSTGRES_SIGNALS, saveCluster } from "./cluster.ts";
import { lastLines, type RunAs } from "./command.ts";
import { freePort } from "./ports.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { postgresUser } from "./postgres-user.ts";
import { type Running, running } from "./running.ts";

const START_DEADLINE_MS = 60_000;

/**
 * Settings for throw-away data. It survives a kill of the server, but not a crash of the machine. Shared memory is in
 * the data folder and is removed with it.
 */
export const THROW_AWAY = {
  fsync: "off",
  full_page_writes: "off",
  dynamic_shared_memory_type: "mmap",
} as const;

export interface PostgresOptions {
  /** Folder for the data and the superuser's password (`postgres.json`, mode 0600). */
  dir: string;
  /** Database in `url`, which is created if needed. */
  database: string;
  /** Port to listen on; by default the previous one if it is free, otherwise any. */
  port?: number;
  /** Additional server settings, as in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
}

export interface Postgres extends Running {
  /** URL of the superuser. */
  url: string;
  port: number;
}

/** Starts the PostgreSQL of `dir` on 127.0.0.1 and returns it once it answers. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const as = await postgresUser();
  const native = await postgresBinaries(as);
  const cluster = await openCluster(options.dir, native, as);
  const port = options.port ?? (await freePort(cluster.port));
  if (cluster.port !== port) await saveCluster(options.dir, { ...cluster, port });

  const urlOf = (database: string): string =>
    `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}`;
  const server = await launch(
    { native, cluster, as, settings: { ...options.settings, port: String(port) } },
    urlOf("postgres"),
  );
  await createDatabase(urlOf("postgres"), options.database);
  return { ...server, url: urlOf(options.database), port };
}

/** Waits until the server at `url` accepts a connection. Returns false if `isOver` returns true first. */
export async function answers(url: string, isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    const sql = new SQL(url, { max: 1, connectionTimeout: 5 });
    const connected = await sql`select 1`.then(
      () => true,
      () => false,
    );
    await sql.close();
    if (connected) return true;
    await Bun.sleep(30);
  }
  return false;
}

interface Launch {
  native: string;
  cluster: Cluster;
  as: RunAs | undefined;
  settings: Readonly<Record<string, string>>;
}

async function launch(launch: Launch, url: string): Promise<Running> {
  const { cluster } = launch;
  const deadline = performance.now() + START_DEADLINE_MS;
  for (;;) {
    const { child, server } = await spawnServer(launch);
    if (await answers(url, () => child.exitCode !== null || performance.now() > deadline)) return server;
    await server.stop();
    const log = await Bun.file(logFile(cluster)).text();
    // After a SIGKILL of the main process, its workers take a moment to notice.
    if (!log.includes("shared memory block") || performance.now() > deadline) {
      throw new Error(`PostgreSQL did not start:\n${lastLines(log, 10)}\n(log: ${logFile(cluster)})`);
    }
    await Bun.sleep(200);
  }
}

async function spawnServer({
  native,
  cluster,
  as,
  settings,
}: Launch): Promise<{ child: Bun.Subprocess; server: Running }> {
  const log = await open(logFile(cluster), "w", 0o600);
  try {
    if (as) await chown(logFile(cluster), as.uid, as.gid);
    const all = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      timezone: "UTC",
      log_timezone: "UTC",
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [join(native, "bin/postgres"), "-D", dataFolder(cluster), ...flags];
    const child = Bun.spawn(command, {
      cwd: "/",
      // Protects it from Ctrl-C in a terminal: the database must outlive its clients.
      detached: true,
      stdin: "ignore",
      stdout: log.fd,
      stderr: log.fd,
      ...as,
    });
    return { child, server: running(child, command, POSTGRES_SIGNALS) };
  } finally {
    await log.close();
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  const [found] = await sql`select 1 from pg_database where datname = ${name}`;
  if (!found) await sql`create database ${sql(name)}`;
}
