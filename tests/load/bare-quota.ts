import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";

/** PostgreSQL without Leeway, running the statement that reserves a slot. */
export interface Bare {
  name: string;
  /** Returns the statements per second of `clients` clients, each for a random organization of the range. */
  reserveFor(ms: number, clients: number, orgs: { first: number; count: number }): Promise<number>;
  close(): Promise<void>;
}

/** Uses pgbench if it is installed, otherwise connections of the bare driver. */
export async function createBare(url: string): Promise<Bare> {
  const pgbench = Bun.which("pgbench");
  return pgbench === null ? bareConnections(url) : pgbenchOf(pgbench, url);
}

async function pgbenchOf(command: string, url: string): Promise<Bare> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-pgbench-"));
  const script = join(folder, "reserve.sql");
  return {
    name: "pgbench",
    async reserveFor(ms, clients, { first, count }) {
      await Bun.write(
        script,
        `\\set org random(${first}, ${first + count - 1})
         select granted from quota.reserve(
           array[('00000000-0000-4000-8000-' || lpad((:org)::text, 12, '0'))::uuid],
           array[gen_random_uuid()], '15 minutes');`,
      );
      const seconds = String(Math.ceil(ms / 1000));
      const args = ["-n", "-M", "prepared", "-c", String(clients), "-j", "2", "-T", seconds, "-f", script];
      const child = Bun.spawn([command, ...args, url], { stdout: "pipe", stderr: "pipe" });
      const [said, problems] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      const tps = /tps = ([\d.]+)/.exec(said)?.[1];
      if (tps === undefined) throw new Error(`pgbench: ${problems}`);
      return Number(tps);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

function bareConnections(url: string): Bare {
  const sql = postgres(url, { max: 64, fetch_types: false });
  return {
    name: "as many bare connections",
    async reserveFor(ms, clients, { first, count }) {
      let calls = 0;
      const end = performance.now() + ms;
      const client = async (): Promise<void> => {
        while (performance.now() < end) {
          const number = first + Math.floor(Math.random() * count);
          const orgId = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
          await sql`
            select granted
              from quota.reserve(array[${orgId}::uuid], array[gen_random_uuid()], '15 minutes')
          `;
          calls += 1;
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return (calls / ms) * 1000;
    },
    close: () => sql.end(),
  };
}
