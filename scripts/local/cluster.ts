import { text } from "@leeway/shared/values/json";
import { chown, readFile, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { run, type RunAs } from "./command.ts";
import { readPrivateJson, writePrivateJson } from "./files.ts";
import { newPassword } from "./password.ts";
import { homesOf, postgresHome } from "./postgres-user.ts";
import { stopLeftover } from "./process.ts";

/** Signals for fast shutdown, immediate shutdown and kill. */
export const POSTGRES_SIGNALS = ["SIGINT", "SIGQUIT", "SIGKILL"] as const;

/** A PostgreSQL data directory with its password and port. */
export interface Cluster {
  /** Folder of PostgreSQL's files and log, owned by PostgreSQL's user. */
  home: string;
  password: string;
  /** Last known port; 0 before the first start. */
  port: number;
}

export const dataFolder = ({ home }: Cluster): string => join(home, "data");
export const logFile = ({ home }: Cluster): string => join(home, "log");

/** Opens the cluster of `dir` and creates it on the first call. Stops a server that a killed run left in it. */
export async function openCluster(dir: string, native: string, as: RunAs | undefined): Promise<Cluster> {
  const known = await savedCluster(dir);
  const home = await postgresHome(dir, as);
  const found = known && homeOf(dir, known, home);
  if (known && found !== undefined) {
    const cluster = { ...known, home: found };
    await stopServer(cluster);
    return cluster;
  }
  const cluster = { home, password: newPassword(), port: 0 };
  await stopServer(cluster);
  await moveAway(dataFolder(cluster));
  await initdb(cluster, native, as);
  await saveCluster(dir, cluster);
  return cluster;
}

/**
 * Returns the folder with the data of `known`, or undefined if it has none. If `dir` was moved or copied, only data
 * inside it counts, because data elsewhere may belong to another cluster.
 * @throws {Error} when the data wasn't moved along
 */
function homeOf(dir: string, known: Cluster, home: string): string | undefined {
  if (existsSync(dataFolder({ ...known, home }))) return home;
  if (known.home === home || !existsSync(dataFolder(known))) return undefined;
  if (homesOf(dir).includes(known.home)) return known.home;
  throw new Error(
    `${dir} was moved or copied, its data weren't: put ${known.home} to ${home}, with its owner`,
  );
}

async function savedCluster(dir: string): Promise<Cluster | undefined> {
  const record = await readPrivateJson(recordFile(dir));
  const home = text(record, "home");
  const password = text(record, "password");
  if (home === undefined || password === undefined) return undefined;
  return { home, password, port: Number(record?.["port"] ?? 0) };
}

export async function saveCluster(dir: string, cluster: Cluster): Promise<void> {
  await writePrivateJson(recordFile(dir), cluster);
}

/** Stops the PostgreSQL that a killed run left in `dir`. */
export async function stopLeftoverPostgres(dir: string): Promise<void> {
  const cluster = await savedCluster(dir);
  if (cluster) await stopServer(cluster);
}

const recordFile = (dir: string): string => join(dir, "postgres.json");

async function stopServer(cluster: Cluster): Promise<void> {
  const data = dataFolder(cluster);
  const lock = join(data, "postmaster.pid");
  await stopLeftover(lock, data, POSTGRES_SIGNALS);
  if (!existsSync(lock)) return;
  // PostgreSQL refuses to start if the pid in the file belongs to another process or a zombie. It treats its parent's
  // pid as stale, and still checks that no worker of the old server runs.
  const content = await readFile(lock, "utf8");
  await writeFile(lock, content.replace(/^\d+/, String(process.pid)));
}

/** Renames a cluster without a known password: `dir` was emptied, or a first start was interrupted. */
async function moveAway(data: string): Promise<void> {
  if (existsSync(data)) await rename(data, `${data}.${Date.now()}.old`);
}

async function initdb(cluster: Cluster, native: string, as: RunAs | undefined): Promise<void> {
  const passwordFile = join(cluster.home, "password");
  await writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (as) await chown(passwordFile, as.uid, as.gid);
  const options = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const locale = ["--encoding=UTF8", "--locale=C", "--no-instructions"];
  await run([join(native, "bin/initdb"), "-D", dataFolder(cluster), ...options, ...locale], { as });
  await rm(passwordFile);
}
