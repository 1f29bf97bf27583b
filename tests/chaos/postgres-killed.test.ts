import { afterAll, beforeAll, expect, test } from "bun:test";

import { SQL } from "bun";

import { figure } from "./figure.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS } from "./promised.ts";
import { startPostgres, type Server } from "./servers.ts";
import { prepare, startWorker } from "./workers.ts";

const KILLS = 20;

let server: Server;

beforeAll(async () => {
  server = await startPostgres();
  await prepare(server.url);
}, TEST_MS);

afterAll(() => server.remove());

test(
  "killing PostgreSQL twenty times under load ends no process, loses no commit, blocks no caller",
  async () => {
    const worker = startWorker(server.url, ["statement", "slow", "transaction", "bulk"]);
    await worker.served();
    const downMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await Bun.sleep(100 + Math.random() * 200);
      server.signal("SIGKILL");
      await Bun.sleep(Math.random() * 300);
      await server.start();
      const accepting = performance.now();
      await worker.served();
      downMs.push(performance.now() - accepting);
    }
    const { report, exitCode, complaints } = await worker.stop();

    const sql = new SQL(server.url);
    const rows: { id: string }[] = await sql`select id from chaos.rows`;
    const [left] = await sql`
      select count(*)::int as open from pg_stat_activity where application_name like 'leeway chaos%'`;
    await sql.close();
    const stored = new Set(rows.map(({ id }) => id));
    const lost = report.acknowledged.filter((id) => !stored.has(id));
    figure(
      `${report.calls} calls, ${report.acknowledged.length} acknowledged, ${lost.length} lost; ` +
        `slowest answer ${Math.round(report.slowestMs)} ms; serving again after at most ` +
        `${Math.round(Math.max(...downMs))} ms; failures ${JSON.stringify(report.failures)}`,
    );
    expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: "" });
    expect(lost).toEqual([]);
    expect(Object.keys(report.failures)).toEqual(["unavailable"]);
    expect(report.slowestMs).toBeLessThan(ANSWER_LIMIT_MS);
    expect(Math.max(...downMs)).toBeLessThan(BACK_LIMIT_MS);
    expect(left.open).toBe(0);
  },
  TEST_MS,
);
