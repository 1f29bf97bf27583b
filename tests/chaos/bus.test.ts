import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import { openBodies } from "@leeway/shared/bus/bodies";
import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { listDeadLetters } from "@leeway/shared/bus/dead-letters";
import type { BusParts } from "@leeway/shared/bus/streams";
import { publish } from "@leeway/shared/bus/publish";
import { call } from "@leeway/shared/bus/request";
import { ensureStreams, watchStreams } from "@leeway/shared/bus/keep-streams";
import { CancelScan, DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/values/errors";
import { createLogger } from "@leeway/shared/platform/telemetry/log";

import { figure } from "./figure.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS } from "./promised.ts";
import { startNats, type Server } from "./servers.ts";
import { until } from "./until.ts";

/** Longer than the 2.5 s that a request may take. */
const FROZEN_MS = 8_000;
const INPUT = { org_id: crypto.randomUUID(), scan_id: crypto.randomUUID() };
const log = createLogger("test", "error");
log.level = "silent"; // these tests cause failures

const CONSUMER = { event: DriftRequested, durable: "chaos-worker", ackWaitMs: 1_000 };

let server: Server;
let bus: BusConnection;
const ends: (() => unknown)[] = [];

/** Returns the duration of a call and the code of its failure, or `ok`. */
async function outcomeOf(work: Promise<unknown>): Promise<{ code: string; ms: number }> {
  const started = performance.now();
  const code = await work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
  return { code, ms: performance.now() - started };
}

const letters = (): Promise<unknown[]> => listDeadLetters(bus).catch(() => []);

const event = (id: string = crypto.randomUUID()): Promise<void> =>
  publish(bus, DriftRequested, { ...INPUT, scan_id: id }, id);

const PARTS: BusParts[] = [{ service: "inventory", durables: [CONSUMER], takesBodies: true }];
const ensure = (): Promise<void> => ensureStreams(bus, PARTS);

/** Consumes events and collects their scan ids. */
function collect(into: string[], handle?: () => Promise<void>): StopConsuming {
  const stop = consume(bus, {
    ...CONSUMER,
    concurrency: 4,
    log,
    retryMs: [50, 50, 50, 50],
    handle: async ({ scan_id }) => {
      into.push(scan_id);
      await handle?.();
    },
  });
  ends.push(stop);
  return stop;
}

/** Reference to a body that was never sent. */
const BODY_REF = `${INPUT.scan_id}.3.${"A".repeat(43)}`;

describe("NATS", () => {
  beforeEach(async () => {
    server = await startNats();
    bus = await connectBus({ url: server.url, name: "chaos", log });
    await ensure();
    ends.push(() => bus.nats.close());
  }, TEST_MS);

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await server.remove();
  }, TEST_MS);

  test(
    "that is killed fails pending requests, events and bodies at once, and works after its restart",
    async () => {
      serve(bus, {
        service: "inventory",
        log,
        endpoints: [answer(CancelScan, () => new Promise(() => undefined))],
      });
      const bodies = openBodies(bus, "inventory");
      const slow = new ReadableStream<Uint8Array>({
        pull: () => Bun.sleep(3_600_000),
        cancel: () => undefined,
      });
      const calls = [outcomeOf(call(bus, CancelScan, INPUT))];
      await Bun.sleep(100);
      server.signal("SIGKILL");
      expect(await Promise.all(calls)).toEqual([{ code: "unavailable", ms: expect.any(Number) }]);
      for (const { ms } of await Promise.all(calls)) expect(ms).toBeLessThan(ANSWER_LIMIT_MS);
      const away = [
        call(bus, CancelScan, INPUT),
        event(),
        bodies.put(slow, 1),
        bodies.open(BODY_REF),
        listDeadLetters(bus),
      ];
      const starting = outcomeOf(ensure());
      for (const { code, ms } of await Promise.all(away.map(outcomeOf))) {
        expect(code).toBe("unavailable");
        expect(ms).toBeLessThan(ANSWER_LIMIT_MS);
      }
      await server.start();
      await until(() => bus.connected, BACK_LIMIT_MS);
      expect(await starting).toMatchObject({ code: "ok" });
      expect(await outcomeOf(event())).toMatchObject({ code: "ok" });
    },
    TEST_MS,
  );

  test(
    "that is killed repeatedly under load loses no confirmed event and blocks no caller",
    async () => {
      const confirmed: string[] = [];
      const seen: string[] = [];
      const slowest = { ms: 0 };
      collect(seen);
      const state = { stopped: false };
      const publisher = async (): Promise<void> => {
        while (!state.stopped) {
          const id = crypto.randomUUID();
          const { code, ms } = await outcomeOf(event(id));
          slowest.ms = Math.max(slowest.ms, ms);
          if (code === "ok") confirmed.push(id);
          else expect(code).toBe("unavailable");
          await Bun.sleep(2);
        }
      };
      const publishers = Array.from({ length: 8 }, publisher);
      for (let kill = 0; kill < 8; kill += 1) {
        await Bun.sleep(300);
        server.signal("SIGKILL");
        await Bun.sleep(Math.random() * 300);
        await server.start();
        const before = confirmed.length;
        await until(() => confirmed.length > before, 10_000);
      }
      state.stopped = true;
      await Promise.all(publishers);
      // Events that weren't confirmed can arrive, too, so their number proves nothing.
      const drainedMs = await until(() => {
        const arrived = new Set(seen);
        return confirmed.every((id) => arrived.has(id));
      }, 10_000);
      const missing = confirmed.filter((id) => !seen.includes(id));
      figure(
        `${confirmed.length} confirmed, ${missing.length} missing, ${seen.length - new Set(seen).size} twice; ` +
          `slowest publish ${Math.round(slowest.ms)} ms, drained after ${Math.round(drainedMs)} ms`,
      );
      expect(missing).toEqual([]);
      expect(slowest.ms).toBeLessThan(ANSWER_LIMIT_MS);
    },
    TEST_MS,
  );

  test(
    "that restarts redelivers the event a worker was processing",
    async () => {
      const seen: string[] = [];
      let attempts = 0;
      collect(seen, async () => {
        attempts += 1;
        if (attempts === 1) await until(() => !bus.connected, BACK_LIMIT_MS);
      });
      const underWay = crypto.randomUUID();
      await event(underWay);
      await until(() => seen.length === 1, 10_000);
      server.signal("SIGKILL");
      await until(() => !bus.connected, BACK_LIMIT_MS);
      await server.start();
      await until(() => seen.length === 2, 10_000);
      expect(seen).toEqual([underWay, underWay]);
    },
    TEST_MS,
  );

  test(
    "that restarts with an empty disk works as before, including dead letters",
    async () => {
      const seen: string[] = [];
      ends.push(watchStreams(bus, { parts: PARTS, replicas: 1, log }).stop);
      const [before, after, hopeless] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
      collect(seen, async () => {
        if (seen.includes(hopeless)) throw new AppError("invalid_parameter", "hopeless");
      });
      await event(before);
      await until(() => seen.includes(before), 10_000);
      server.signal("SIGKILL");
      await until(() => !bus.connected, BACK_LIMIT_MS);
      await server.loseData();
      await server.start();
      await until(() => bus.connected, BACK_LIMIT_MS);
      for (const id of [after, hopeless]) {
        await until(async () => (await outcomeOf(event(id))).code === "ok", BACK_LIMIT_MS);
        await until(() => seen.includes(id), 10_000);
      }
      for (let waited = 0; waited < 100 && (await letters()).length === 0; waited += 1) await Bun.sleep(50);
      expect(await letters()).toMatchObject([{ reason: "hopeless", durable: "chaos-worker" }]);
    },
    TEST_MS,
  );

  test(
    "that freezes for seconds blocks no caller and recovers quickly",
    async () => {
      const seen: string[] = [];
      collect(seen);
      serve(bus, {
        service: "inventory",
        log,
        endpoints: [answer(CancelScan, () => Promise.reject(new AppError("not_found", "no such scan")))],
      });
      await event();
      expect(await outcomeOf(call(bus, CancelScan, INPUT))).toMatchObject({ code: "not_found" });
      server.signal("SIGSTOP");
      const frozen = performance.now();
      while (performance.now() - frozen < FROZEN_MS) {
        const outcomes = await Promise.all([
          outcomeOf(call(bus, CancelScan, INPUT)),
          outcomeOf(event()),
          outcomeOf(openBodies(bus, "inventory").open(BODY_REF)),
        ]);
        for (const { code, ms } of outcomes) {
          expect(code).toBe("unavailable");
          expect(ms).toBeLessThan(ANSWER_LIMIT_MS);
        }
        await Bun.sleep(50);
      }
      server.signal("SIGCONT");
      const thawed = performance.now();
      while ((await outcomeOf(call(bus, CancelScan, INPUT))).code !== "not_found") await Bun.sleep(20);
      const answeredMs = performance.now() - thawed;
      const after = crypto.randomUUID();
      while ((await outcomeOf(event(after))).code !== "ok") await Bun.sleep(20);
      await until(() => seen.includes(after), BACK_LIMIT_MS);
      figure(`answered ${Math.round(answeredMs)} ms after the thaw`);
      expect(answeredMs).toBeLessThan(BACK_LIMIT_MS);
    },
    TEST_MS,
  );
});
