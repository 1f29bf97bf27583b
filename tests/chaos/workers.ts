import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { migrate } from "@leeway/shared/database/migrate";

import type { WorkerReport } from "./worker.ts";

/** What a worker does: see there. */
export type Kind = "statement" | "slow" | "transaction" | "bulk";

/** A worker process under observation. */
export interface Worker {
  /** Resolves once every kind of work has succeeded anew. */
  served(): Promise<void>;
  /** Lets it finish what is under way. */
  stop(): Promise<{ report: WorkerReport; exitCode: number; output: string }>;
}

/** Starts `worker.ts` on the database of `url`, with four callers for each kind of work. */
export function startWorker(url: string, kinds: readonly Kind[]): Worker {
  const messages: ((message: unknown) => void)[] = [];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "worker.ts")], {
    env: { ...process.env, CHAOS_DATABASE_URL: asChaos(url), CHAOS_KINDS: kinds.join() },
    ipc: (message) => messages.shift()?.(message),
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const ask = async (question: string): Promise<unknown> => {
    const answer = new Promise((resolve) => messages.push(resolve));
    child.send(question);
    const ended = child.exited.then(async () => {
      throw new Error(`the worker ended:\n${(await output).join("\n")}`);
    });
    ended.catch(() => undefined);
    return Promise.race([answer, ended]);
  };
  return {
    served: async () => {
      await ask("serve");
    },
    stop: async () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what worker.ts sends
      const report = (await ask("stop")) as WorkerReport;
      const exitCode = await child.exited;
      return { report, exitCode, output: (await output).join("") };
    },
  };
}

/** Makes the table that workers fill. */
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
