import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { consume } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { streamManager } from "@leeway/shared/bus/streams";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { openDatabase, type Database } from "@leeway/shared/database/database";
import { createLogger } from "@leeway/shared/platform/telemetry/log";
import { registry } from "@leeway/shared/platform/telemetry/metrics";
import { serveHealth } from "@leeway/shared/service/service";
import { testBus, testServers } from "@leeway/shared/testing/testing";

import { figure } from "./figure.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { until } from "./until.ts";

const MAX_UNFINISHED = 4;
const ACK_WAIT_MS = 1_000;
const id = crypto.randomUUID().slice(0, 8);
const event = { ...DriftRequested, subject: `stalled${id}.thing.happened`, stream: `STALLED${id}` };
const durable = `stalled${id}-worker`;
const CONSUMER = { event, durable, ackWaitMs: ACK_WAIT_MS, maxUnfinished: MAX_UNFINISHED };
const warnings: string[] = [];
const log = createLogger("test", "error");
log.level = "silent";
log.warn = (_: unknown, message?: string) => void warnings.push(message ?? "");

let bus: BusConnection;
let database: Database;
let health: ReturnType<typeof serveHealth>;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  bus = await testBus();
  await ensureStreams(bus, [{ service: "chaos", durables: [CONSUMER] }]);
  database = openDatabase({ url: testServers().databaseUrl, service: "chaos" });
  health = serveHealth({ HEALTH_PORT: 0, LISTEN_ADDRESS: "127.0.0.1" }, { bus, database, log });
  ends.push(
    () => health.stop(),
    () => database.close(),
    async () => (await streamManager(bus)).streams.delete(event.stream),
    () => bus.nats.close(),
  );
}, TEST_MS);
afterAll(async () => {
  for (const end of ends) await end();
}, TEST_MS);

async function readiness(): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${health.port}/readyz`);
  return [response.status, await response.json()];
}

const isReady = async (): Promise<boolean> =>
  Bun.deepEquals(await readiness(), [200, { status: "ready", degraded: [] }]);

test(
  "stalled events are reported, and the report ends once they are processed",
  async () => {
    const hung = await testBus();
    const options = { ...CONSUMER, log };
    void consume(hung, { ...options, concurrency: 4, handle: () => new Promise(() => undefined) });
    const ids = Array.from({ length: 10 }, () => crypto.randomUUID());
    for (const scan_id of ids) await publish(bus, event, { org_id: scan_id, scan_id }, scan_id);

    const alarmMs = await until(async () => !(await isReady()), WAIT_MS);
    expect(await readiness()).toEqual([200, { status: "degraded", degraded: [durable] }]);
    expect((await fetch(`http://127.0.0.1:${health.port}/healthz`)).status).toBe(200);
    expect(warnings).toContain("too many unfinished events: delivery is paused");
    const metrics = await registry.metrics();
    for (const line of [
      `leeway_events_stalled{durable="${durable}"} 1`,
      `leeway_events_unfinished{durable="${durable}"} ${MAX_UNFINISHED}`,
      `leeway_events_waiting{durable="${durable}"} ${ids.length - MAX_UNFINISHED}`,
    ])
      expect(metrics).toContain(line);

    const seen = new Set<string>();
    const stop = consume(bus, {
      ...options,
      concurrency: 2,
      handle: async ({ scan_id }) => void seen.add(scan_id),
    });
    ends.unshift(stop);
    await Bun.sleep(2 * ACK_WAIT_MS);
    expect(seen.size).toBe(0); // hanging handlers extend their messages
    await hung.nats.close();
    const workedMs = await until(() => seen.size === ids.length, WAIT_MS);
    const calmMs = await until(isReady, WAIT_MS);
    figure(
      `reported after ${Math.round(alarmMs)} ms; worked off ${Math.round(workedMs)} ms after they hung up, calm ${Math.round(calmMs)} ms later`,
    );
  },
  TEST_MS,
);
