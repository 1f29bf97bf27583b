/**
 * A minimal service that uses the database without a pause, by every method, and reports its results. It catches
 * nothing: an error that escapes the database module ends it.
 */
import { readdir } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

import { openDatabase, type Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

/** Report of a worker to its test. */
export interface WorkerReport {
  /** Ids of rows whose insert was acknowledged. */
  acknowledged: string[];
  calls: number;
  /** Duration of the slowest call, successful or not. */
  slowestMs: number;
  /** Open sockets and files at the end, after the database was closed. */
  descriptors: number;
  /** Number of failures by kind. */
  failures: Record<string, number>;
}

const CALLERS = 4;
const { CHAOS_DATABASE_URL: url = "", CHAOS_KINDS: kinds = "" } = process.env;
const database = openDatabase({ url, service: "chaos" });
const orgId = crypto.randomUUID();
const org = database.org(orgId);

/** Ways to insert a row with a new id. Each resolves once the row is committed. */
const WAYS: Record<string, (id: string) => Promise<unknown>> = {
  statement: (id) => org`insert into chaos.rows (org_id, id) values (${orgId}, ${id})`,
  slow: (id) => org`insert into chaos.rows (org_id, id) select ${orgId}, ${id} from pg_sleep(0.05)`,
  transaction: (id) => database.transaction(orgId, (tx) => insertLate(tx, id)),
  bulk: (id) => database.transaction(orgId, (tx) => copy(tx, id), { lane: "bulk" }),
};

const WORK = Object.entries(WAYS).filter(([kind]) => kinds.split(",").includes(kind));

async function insertLate(tx: Transaction, id: string): Promise<void> {
  await tx`select 1 as one`;
  await Bun.sleep(5);
  await tx`insert into chaos.rows (org_id, id) values (${orgId}, ${id})`;
}

async function copy(tx: Transaction, id: string): Promise<void> {
  await tx`create temporary table staged (org_id uuid, id uuid) on commit drop`;
  const target = await tx.raw`copy staged from stdin`.writable();
  await pipeline(async function* () {
    yield `${orgId}\t${id}\n`;
    await Bun.sleep(5);
  }, target);
  await tx`insert into chaos.rows select org_id, id from staged`;
}

const report: WorkerReport = { acknowledged: [], calls: 0, slowestMs: 0, failures: {}, descriptors: 0 };
const lastSuccess: Record<string, number> = {};
const state = { stopping: false };

async function caller(kind: string, work: (id: string) => Promise<unknown>): Promise<void> {
  while (!state.stopping) {
    const id = crypto.randomUUID();
    const started = performance.now();
    try {
      await work(id);
      report.acknowledged.push(id);
      lastSuccess[kind] = started;
    } catch (error) {
      const failure = error instanceof AppError ? error.code : `${kind}: ${String(error)}`;
      report.failures[failure] = (report.failures[failure] ?? 0) + 1;
      await Bun.sleep(5);
    }
    report.calls += 1;
    report.slowestMs = Math.max(report.slowestMs, performance.now() - started);
  }
}

/** Resolves once a call of each kind has started from now on and succeeded. */
async function served(): Promise<void> {
  const since = performance.now();
  while (!WORK.every(([kind]) => (lastSuccess[kind] ?? 0) > since)) await Bun.sleep(2);
}

async function openDescriptors(): Promise<number> {
  const entries = await readdir("/proc/self/fd").catch(() => []);
  return entries.length;
}

const calling = WORK.flatMap(([kind, work]) => Array.from({ length: CALLERS }, () => caller(kind, work)));

async function obey(message: unknown): Promise<void> {
  if (message === "serve") {
    await served();
    process.send?.("served");
  } else {
    state.stopping = true;
    await Promise.all(calling);
    await database.close();
    report.descriptors = await openDescriptors();
    await Bun.write(Bun.stdout, JSON.stringify(report));
    process.disconnect?.();
  }
}

process.on("message", (message) => void obey(message));
