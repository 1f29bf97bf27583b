import { Database } from "bun:sqlite";
import { members, text } from "@leeway/shared/json";
import { chmod, mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { readReplaceableJson, writePrivateJson } from "../local/files.ts";
import { isRunning, parseIdentity, type ProcessIdentity, stopProcess } from "../local/process.ts";

const LEFTOVER_GRACE_MS = 3000;

/** The folder of one `up`, held for as long as the process lives. */
export interface DataDir {
  path: string;
  /** Writes down which processes are ours, for the next start to find should this one be killed. */
  record: (processes: readonly ProcessIdentity[]) => Promise<void>;
  /** Ends the processes that a killed start left running, and tells how many there were. */
  stopLeftovers: () => Promise<number>;
  release: () => void;
}

/**
 * Takes the folder, made if need be; undefined when another `up` runs there. One that is only just starting
 * or stopping is waited for, after `onWait`.
 * @throws {Error} when it can't be written to.
 */
export async function takeDataDir(dir: string, onWait: () => void): Promise<DataDir | undefined> {
  let lock = await lockIn(dir);
  if (!lock && !existsSync(upFile(dir))) onWait();
  while (!lock) {
    if (existsSync(upFile(dir))) return undefined;
    await Bun.sleep(100);
    lock = await lockIn(dir);
  }
  const held = lock;
  await rm(upFile(dir), { force: true });
  const records = join(dir, "processes.json");
  return {
    path: dir,
    record: (processes) => writePrivateJson(records, { dir, processes }),
    stopLeftovers: async () => {
      const leftovers = (await readRecords(records, dir)).filter(isRunning);
      await Promise.all(leftovers.map((leftover) => stopProcess(leftover, undefined, LEFTOVER_GRACE_MS)));
      return leftovers.length;
    },
    release: () => held.close(),
  };
}

/** None in a copy of another folder: those are of the `up` that runs there. */
async function readRecords(file: string, dir: string): Promise<ProcessIdentity[]> {
  const known = await readReplaceableJson(file);
  if (text(known, "dir") !== dir) return [];
  return members(known, "processes").flatMap((record) => parseIdentity(record) ?? []);
}

/** Where a running `up` tells how to reach it. */
export const upFile = (dir: string): string => join(dir, "up.json");

/** An exclusive lock that the system lets go of when this process ends, however it ends. */
async function lockIn(dir: string): Promise<Database | undefined> {
  try {
    const isNew = !existsSync(dir);
    await mkdir(dir, { recursive: true });
    // PostgreSQL, which may run as another user, must get through; what is in here is closed by itself.
    if (isNew) await chmod(dir, 0o711);
    const lock = new Database(join(dir, "lock"));
    lock.run("pragma journal_mode = memory");
    lock.run("begin exclusive");
    return lock;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw new Error(`can't use ${dir}: ${String(error)}; set LEEWAY_DATA_DIR to a folder of your own`, {
      cause: error,
    });
  }
}
