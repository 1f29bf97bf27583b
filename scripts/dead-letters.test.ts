import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { consume } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { serviceUrl } from "@leeway/shared/bus/service-user";
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/values/errors";
import { createLogger } from "@leeway/shared/platform/telemetry/log";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BUS_PARTS } from "./bus-parts.ts";
import { startNats, type Server } from "../tests/chaos/servers.ts";
import { until } from "../tests/chaos/until.ts";

const SECRET = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const log = createLogger("test", "error");
log.level = "silent"; // these tests make events fail

let server: Server;
let inventory: BusConnection;
let analyzer: BusConnection;
/** Services that handle events successfully. */
const works = { inventory: false };
const done: string[] = [];

beforeAll(async () => {
  server = await startNats();
  const as = (service: string): Promise<BusConnection> =>
    connectBus({ url: serviceUrl(server.url, service), name: `leeway-${service}`, log });
  [inventory, analyzer] = await Promise.all([as("inventory"), as("analyzer")]);
  const operator = await as("operator");
  await ensureStreams(operator, BUS_PARTS);
  await operator.nats.close();
  consume(inventory, {
    event: DriftRequested,
    durable: "inventory-drift",
    concurrency: 1,
    log,
    handle: async ({ scan_id }) => {
      if (!works.inventory) throw new AppError("invalid_parameter", `no drift for token=${SECRET}`);
      done.push(scan_id);
    },
  });
  consume(analyzer, {
    event: JobQueued,
    durable: "analyzer-jobs",
    concurrency: 1,
    log,
    handle: () => Promise.reject(new AppError("invalid_parameter", "no such job")),
  });
});

afterAll(async () => {
  await Promise.all([inventory, analyzer].map(({ nats }) => nats.close()));
  await server.remove();
});

/** Runs the command as an operator does. */
function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return runAt(serviceUrl(server.url, "operator"), args);
}

async function runAt(
  url: string,
  args: string[],
  preloaded: string[] = [],
): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, ...preloaded, `${import.meta.dir}/dead-letters.ts`, ...args], {
    env: { PATH: process.env["PATH"], NATS_URL: url },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

const lines = (out: string): string[] => out.split("\n").filter((line) => /^\d+ {2}/.test(line));

test("without dead letters the list is empty", async () => {
  expect(await run()).toEqual({ code: 0, out: "No dead letters.\n", err: "" });
});

test("a dead letter is listed, filtered, inspected without secrets and replayed", async () => {
  const scans = [crypto.randomUUID(), crypto.randomUUID()];
  const orgId = crypto.randomUUID();
  for (const scan_id of scans) await publish(inventory, DriftRequested, { org_id: orgId, scan_id }, scan_id);
  await inventory.nats
    .jetstream()
    .publish(DriftRequested.subject, JSON.stringify({ password: "hunter2", note: SECRET }));
  await publish(analyzer, JobQueued, { org_id: orgId, job_id: orgId }, "job");
  await until(async () => lines((await run()).out).length === 4, 20_000);

  const all = await run("list");
  expect(all.out).toContain("4 dead letters.");
  expect(all.out).toContain("inventory-drift gave up inventory.drift.requested at attempt 1: no drift for");
  expect(lines((await run("list", "--stream", "ANALYZER")).out)).toHaveLength(1);
  expect(lines((await run("list", "--durable", "inventory-drift")).out)).toHaveLength(3);

  const malformed = lines(all.out).find((line) => line.endsWith("isn't a valid inventory.drift.requested"));
  const inspected = await run("inspect", malformed?.split(" ")[0] ?? "");
  expect(inspected.out).toContain('"password"');
  for (const { out } of [all, inspected]) {
    expect(out).not.toContain("hunter2");
    expect(out).not.toContain(SECRET);
  }

  works.inventory = true;
  const numbers = lines(all.out)
    .filter((line) => line.includes("no drift for"))
    .map((line) => line.split(" ")[0] ?? "");
  expect((await run("replay", numbers[0] ?? "")).out).toContain("1 published again.");
  await until(() => done.length === 1, 5_000);
  expect((await run("replay", "--all", "--stream", "INVENTORY")).out).toContain("2 published again.");
  await until(() => done.length === 2, 5_000);
  expect(done.toSorted()).toEqual(scans.toSorted());

  // Unreadable events fail again, and the analyzer's wasn't replayed.
  await until(async () => lines((await run()).out).length === 2, 10_000);
  expect(lines((await run("list", "--stream", "ANALYZER")).out)).toHaveLength(1);
});

test.each([-1, 1])("a clock %i hours off hides no dead letter", async (hours) => {
  const file = join(await mkdtemp(join(tmpdir(), "leeway-clock-")), "clock.ts");
  await Bun.write(
    file,
    `const Own = Date; globalThis.Date = class extends Own {
       constructor(...given) { super(...(given.length > 0 ? given : [Own.now() + ${hours * 3_600_000}])); }
     };`,
  );
  const url = serviceUrl(server.url, "operator");
  const { out } = await runAt(url, [], ["--preload", file]);
  expect(lines(out).length).toBeGreaterThan(0);
  expect(lines(out)).toEqual(lines((await run()).out));
});

test.each([
  [["inspect", "999"], "there is no dead letter 999"],
  [["replay", "999"], "there is no dead letter 999"],
  [["replay"], "usage:"],
  [["replay", "1", "--all"], "usage:"],
  [["replay", "one"], "not the number of a dead letter: one"],
  [["delete"], "usage:"],
])("%p reports the problem", async (args, words) => {
  const { code, err } = await run(...args);
  expect(code).toBe(1);
  expect(err).toContain(words);
});

test.each<[string, () => string, string]>([
  [
    "that isn't reachable",
    () => "nats://operator:hunter2@127.0.0.1:1",
    "NATS at 127.0.0.1:1 can't be reached\n",
  ],
  [
    "that rejects the password",
    () => server.url.replace(/:\/\/.*@/, "://operator:hunter2@"),
    "refuses the connection: 'Authorization Violation'\n",
  ],
  ["with an invalid URL", () => "operator:hunter2", "configuration: NATS_URL must be one or more nats://"],
])("a NATS %s ends the command with the reason", async (_, url, words) => {
  const { code, out, err } = await runAt(url(), []);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(words);
  expect(err).not.toContain("hunter2");
});
