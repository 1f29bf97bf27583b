import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { migrate } from "@leeway/shared/database/migrate";

import type { WorkerReport } from "./worker.ts";

/** Kinds of work in `worker.ts`. */
export type Kind = "statement" | "slow" | "transaction" | "bulk";

/** A worker process and its report. */
export interface Worker {
  /** Resolves once every kind of work has succeeded again. */
  served(): Promise<void>;
  /** Stops it after its calls in flight. */
  stop(): Promise<{ report: WorkerReport; exitCode: number; complaints: string }>;
}

/** Starts `worker.ts` on the database of `url`, with four callers for each kind of work. */
export function startWorker(url: string, kinds: readonly Kind[]): Worker {
  let onMessage: (() => void) | undefined;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "worker.ts")], {
    env: { ...process.env, CHAOS_DATABASE_URL: asChaos(url), CHAOS_KINDS: kinds.join() },
    ipc: () => onMessage?.(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const out = new Response(child.stdout).text();
  const err = new Response(child.stderr).text();
  return {
    served: () =>
      new Promise((resolve, reject) => {
        onMessage = resolve;
        child.send("serve");
        void child.exited.then(async () => reject(new Error(`the worker ended:\n${await err}`)));
      }),
    stop: async () => {
      child.send("stop");
      const exitCode = await child.exited;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what worker.ts writes
      return { report: JSON.parse(await out) as WorkerReport, exitCode, complaints: await err };
    },
  };
}

/** Creates the table that workers fill. */
export async function prepare(url: string): Promise<void> {
  const migrations = await mkdtemp(join(tmpdir(), "leeway-chaos-migrations-"));
  await Bun.write(
    join(migrations, "0001_create_rows.sql"),
    `create table chaos.rows (org_id uuid not null, id uuid primary key); call chaos.isolate('rows');`,
  );
  await migrate(url, [{ name: "chaos", service: "chaos", migrations }], { chaos: "chaos" });
  await rm(migrations, { recursive: true });
}

function asChaos(url: string): string {
  const changed = new URL(url);
  changed.username = "leeway_chaos";
  changed.password = "chaos";
  return changed.href;
}
