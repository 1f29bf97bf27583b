import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { figure } from "./figure.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS } from "./promised.ts";
import { openLink, type LinkMode } from "./proxy.ts";
import { startPostgres, type Server } from "./servers.ts";
import { prepare, startWorker } from "./workers.ts";

const FAULT_MS = 4_000;

let server: Server;

beforeAll(async () => {
  server = await startPostgres();
  await prepare(server.url);
}, TEST_MS);

afterAll(() => server.remove());

describe("a link to PostgreSQL", () => {
  const faults: LinkMode[] = ["black hole", "refusing", "hanging up", "slow", "trickling"];
  test.each(faults)(
    "that is %s: every call is answered, and recovery is quick",
    async (fault) => {
      const link = await openLink(server.url);
      const worker = startWorker(link.url, ["statement", "slow", "transaction"]);
      await worker.served();
      await link.set(fault);
      await Bun.sleep(FAULT_MS);
      if (fault === "slow") await worker.served();
      await link.set("open");
      const opened = performance.now();
      await worker.served();
      const healedMs = performance.now() - opened;
      const { report, exitCode, complaints } = await worker.stop();
      await link.close();
      figure(
        `${fault}: ${report.calls} calls, slowest answer ${Math.round(report.slowestMs)} ms, healed after ` +
          `${Math.round(healedMs)} ms, failures ${JSON.stringify(report.failures)}, fds ${report.descriptors}`,
      );
      expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: "" });
      expect(Object.keys(report.failures).filter((failure) => failure !== "unavailable")).toEqual([]);
      expect(report.slowestMs).toBeLessThan(ANSWER_LIMIT_MS);
      expect(healedMs).toBeLessThan(BACK_LIMIT_MS);
    },
    TEST_MS,
  );
});
