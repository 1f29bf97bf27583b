import { afterAll, beforeAll, expect, test } from "bun:test";

import { figure } from "./figure.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS } from "./promised.ts";
import { startPostgres, type Server } from "./servers.ts";
import { prepare, startWorker } from "./workers.ts";

const FROZEN_MS = 6_000;

let server: Server;

beforeAll(async () => {
  server = await startPostgres();
  await prepare(server.url);
}, TEST_MS);

afterAll(() => server.remove());

test(
  "a PostgreSQL freeze of seconds blocks no caller and is followed by a quick recovery",
  async () => {
    const worker = startWorker(server.url, ["statement", "slow", "transaction"]);
    await worker.served();
    server.signal("SIGSTOP", "all");
    await Bun.sleep(FROZEN_MS);
    server.signal("SIGCONT", "all");
    const thawed = performance.now();
    await worker.served();
    const healedMs = performance.now() - thawed;
    const { report, exitCode, complaints } = await worker.stop();
    figure(
      `${report.calls} calls, slowest answer ${Math.round(report.slowestMs)} ms, healed after ` +
        `${Math.round(healedMs)} ms, failures ${JSON.stringify(report.failures)}, fds ${report.descriptors}`,
    );
    expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: "" });
    expect(Object.keys(report.failures)).toEqual(["unavailable"]);
    expect(report.slowestMs).toBeLessThan(ANSWER_LIMIT_MS);
    expect(healedMs).toBeLessThan(BACK_LIMIT_MS);
  },
  TEST_MS,
);
