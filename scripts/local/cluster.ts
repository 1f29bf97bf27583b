import { text } from "@leeway/shared/json";
import { chown, readFile, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { run, type RunAs } from "./command.ts";
import { readPrivateJson, writePrivateJson } from "./files.ts";
import { newPassword } from "./password.ts";
import { homesOf, postgresHome } from "./postgres-user.ts";
import { stopLeftover } from "./process.ts";

/** Fast shutdown, immediate shutdown, the end. */
export const POSTGRES_SIGNALS = ["SIGINT", "SIGQUIT", "SIGKILL"] as const;

/** A PostgreSQL data directory and what is needed to get into it. */
export interface Cluster {
  /** Where PostgreSQL keeps its files and its log; with PostgreSQL's user as the owner. */
  home: string;
  password: string;
  /** The port it was last seen on; 0 when there was none yet. */
  port: number;
}

export const dataFolder = ({ home }: Cluster): string => join(home, "data");
export const logFile = ({ home }: Cluster): string => join(home, "log");

/** The cluster of `dir`, made at the first call. A server that a killed run left in it is stopped. */
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
  await setAside(dataFolder(cluster));
  await initdb(cluster, native, as);
  await saveCluster(dir, cluster);
  return cluster;
}

/**
 * Where the data of `known` are, undefined where there are none. `dir` may have been moved or copied since: then what lies in
 * it counts, and what is elsewhere may be another's by now.
 * @throws {Error} when they stayed behind
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
  // The pid in it may be a zombie's or another program's by now, and PostgreSQL refuses to start if so.
  // Its parent's it takes for stale, and goes on to check that no worker of the old server is left.
  const content = await readFile(lock, "utf8");
  await writeFile(lock, content.replace(/^\d+/, String(process.pid)));
}

/** A cluster that nobody has the password of: `dir` was emptied, or a first start was cut short. */
async function setAside(data: string): Promise<void> {
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
