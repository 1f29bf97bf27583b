import { Database } from "bun:sqlite";
import { members, text } from "@leeway/shared/values/json";
import { chmod, mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { readReplaceableJson, writePrivateJson } from "../local/files.ts";
import { isRunning, parseIdentity, type ProcessIdentity, stopProcess } from "../local/process.ts";

const LEFTOVER_GRACE_MS = 3000;

/** Data folder of one `up`, locked while the process lives. */
export interface DataDir {
  path: string;
  /** Stores the processes that this start runs, so that the next start finds them if this one is killed. */
  record: (processes: readonly ProcessIdentity[]) => Promise<void>;
  /** Stops processes that a killed start left running. @returns their number */
  stopLeftovers: () => Promise<number>;
  release: () => void;
}

/**
 * Creates and locks the folder; returns undefined if another `up` runs there. Waits, after calling `onWait`, for one
 * that is starting or stopping.
 * @throws {Error} if the folder can't be written to
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

/** Reads the stored processes; empty in a copied folder, whose processes belong to the `up` of the original. */
async function readRecords(file: string, dir: string): Promise<ProcessIdentity[]> {
  const known = await readReplaceableJson(file);
  if (text(known, "dir") !== dir) return [];
  return members(known, "processes").flatMap((record) => parseIdentity(record) ?? []);
}

/** Returns the file in which a running `up` stores how to reach it. */
export const upFile = (dir: string): string => join(dir, "up.json");

/** Takes an exclusive lock, which the system releases when this process ends for any reason. */
async function lockIn(dir: string): Promise<Database | undefined> {
  try {
    const isNew = !existsSync(dir);
    await mkdir(dir, { recursive: true });
    // PostgreSQL may run as another user and must be able to enter; the files inside have their own permissions.
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
