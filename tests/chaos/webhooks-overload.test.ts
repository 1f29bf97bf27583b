import { afterAll, beforeAll, expect, test } from "bun:test";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { load, type Figures } from "../load/http-load.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet, type Receiver } from "./fleet.ts";
import { drained } from "./ledger.ts";
import { ANSWER_LIMIT_MS, TEST_MS, WAIT_MS } from "./promised.ts";
import { attempt } from "./sender.ts";
import { openSlowly } from "./slow-clients.ts";
import { maxOf, requestOf, steady } from "./steady.ts";
import { until } from "./until.ts";

const SERVICES = ["gateway", "webhooks", "analyzer"];
const CONNECTIONS = 16;
const ROUND_MS = 1_500;
const SLOW_CLIENTS = 500;
const LARGE_BYTES = 4 << 20;
const MAX_MEGABYTES = 400;
const CROWD = 512;
const CROWD_MS = 2_500;

let fleet: Fleet;
let receiver: Receiver;
let alone: Figures;

beforeAll(async () => {
  fleet = await startFleet({ services: SERVICES });
  receiver = await fleet.newReceiver();
  await steady(receiver, CONNECTIONS, ROUND_MS);
  alone = await steady(receiver, CONNECTIONS, ROUND_MS);
}, TEST_MS);

afterAll(() => fleet.stop(), TEST_MS);

test(
  "five hundred clients that send a byte a second are disconnected without delaying others",
  async () => {
    const slow = await openSlowly(receiver, SLOW_CLIENTS);
    const beside = await steady(receiver, CONNECTIONS, ROUND_MS);
    const large = await attempt(receiver, planEvent({ padding: "x".repeat(LARGE_BYTES) }));
    await until(() => slow.open() === 0, WAIT_MS);
    const after = await steady(receiver, CONNECTIONS, ROUND_MS);
    const megabytes = await residentOf(fleet.pidOf("gateway"));
    figure(
      `p99 ${beside.p99.toFixed(1)} ms beside ${SLOW_CLIENTS} slow clients, ${alone.p99.toFixed(1)} ms before, ` +
        `${after.p99.toFixed(1)} ms after; an event of 4 MB ${large.status} after ${Math.round(large.ms)} ms; ` +
        `all cut after ${Math.round(slow.longestMs())} ms, answers ${JSON.stringify(slow.answers)}; ` +
        `gateway ${Math.round(megabytes)} MB`,
    );
    expect(beside.p50).toBeLessThan(maxOf(alone, after));
    expect(large.status).toBe(202);
    expect(large.ms).toBeLessThan(ANSWER_LIMIT_MS);
    expect(megabytes).toBeLessThan(MAX_MEGABYTES);
  },
  TEST_MS,
);

test(
  "excess senders are served later or get Retry-After, and others then get their answers as before",
  async () => {
    const statuses: Record<string, number> = {};
    const withoutRetryAfter: string[] = [];
    const note = (answer: Buffer): void => {
      if (answer.length === 0) return;
      const head = answer.toString("latin1");
      const status = head.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== "202" && !/\r\nretry-after: \d+\r\n/i.test(head)) withoutRetryAfter.push(head);
    };
    const crowd = await load({
      url: receiver.url,
      connections: CROWD,
      ms: CROWD_MS,
      status: [202, 429, 503],
      asker: () => (previous) => {
        note(previous);
        return requestOf(receiver, planEvent());
      },
    });
    const over = performance.now();
    let after = await steady(receiver, CONNECTIONS, 500);
    const isCalm = (): boolean => after.p50 < maxOf(alone);
    while (!isCalm() && performance.now() - over < WAIT_MS) after = await steady(receiver, CONNECTIONS, 500);
    const calmMs = performance.now() - over;
    const sizes = await Promise.all(
      SERVICES.map(async (service) => [service, Math.round(await residentOf(fleet.pidOf(service)))]),
    );
    const drainedMs = await drained(fleet, WAIT_MS);
    figure(
      `${CROWD} connections: ${crowd.rate.toFixed(0)} answers/s, p99 ${crowd.p99.toFixed(0)} ms, ` +
        `${JSON.stringify(statuses)}; p50 ${after.p50.toFixed(1)} ms after ${Math.round(calmMs)} ms; ` +
        `megabytes ${JSON.stringify(Object.fromEntries(sizes))}; drained after ${Math.round(drainedMs)} ms`,
    );
    expect(withoutRetryAfter).toEqual([]);
    expect(fleet.starts).toEqual({ gateway: 1, webhooks: 1, analyzer: 1 });
    expect(isCalm()).toBeTrue();
  },
  TEST_MS,
);

async function residentOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
