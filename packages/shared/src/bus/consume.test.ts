import { describe, expect, test } from "bun:test";

import { join } from "node:path";

import { AckPolicy, DeliverPolicy } from "nats";

import { currentContext } from "../platform/context.ts";
import { registry } from "../platform/telemetry/metrics.ts";
import { testServers } from "../testing/testing.ts";
import { happenings, QUICK, until } from "./happenings.fixture.ts";
import { keepConsumer } from "./keep-streams.ts";
import { publish } from "./publish.ts";
import { streamManager } from "./streams.ts";

const events = happenings();
const { happening, leftIn, deadLettersOf } = events;

test("an event delivered to a stopping worker is passed on with at most one lost attempt", async () => {
  const { event, works } = await happening();
  const stop = works({ concurrency: 32, handle: () => Promise.reject(new Error("not after the stop")) });
  await Bun.sleep(500); // all of them have requested events by then
  const stopped = stop();
  await publish(events.bus, event, { n: 1 }, "x");
  await stopped;
  const attempts: number[] = [];
  works({ handle: async (_, { attempt }) => void attempts.push(attempt) });
  await until(() => attempts.length > 0);
  expect(attempts[0]).toBeLessThanOrEqual(2);
});

describe("long work", () => {
  test("isn't delivered a second time", async () => {
    const { event, works } = await happening();
    const attempts: number[] = [];
    works({
      concurrency: 2,
      handle: async (_, { attempt }) => {
        attempts.push(attempt);
        await Bun.sleep(1_500);
      },
    });
    await publish(events.bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(attempts).toEqual([1]);
  });

  test("costs waiting events no attempt", async () => {
    const { event, works } = await happening();
    const seen: unknown[] = [];
    works({
      handle: async ({ n }, { attempt }) => {
        seen.push({ n, attempt });
        await Bun.sleep(600);
      },
    });
    for (const n of [1, 2, 3, 4]) await publish(events.bus, event, { n }, String(n));
    await until(async () => (await leftIn(event)) === 0);
    expect(seen).toEqual([1, 2, 3, 4].map((n) => ({ n, attempt: 1 })));
  });

  test("over its time limit is aborted and tried again", async () => {
    const { event, works } = await happening();
    const signals: (AbortSignal | undefined)[] = [];
    works({
      timeLimitMs: 100,
      handle: async () => {
        signals.push(currentContext()?.signal);
        if (signals.length === 1) await new Promise(() => undefined);
      },
    });
    await publish(events.bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  });
});

describe("a worker", () => {
  test("starts its outcome counters at zero, so that the first dead letter is an increase", async () => {
    const { durable, works } = await happening();
    works({});
    const lines = (await registry.metrics()).split("\n").filter((line) => line.includes(durable));
    expect(lines).toEqual(
      ["done", "retried", "dead"].map(
        (outcome) => `leeway_events_total{durable="${durable}",outcome="${outcome}"} 0`,
      ),
    );
  });

  test("handles at most the configured number of events at a time", async () => {
    const { event, works } = await happening();
    let now = 0;
    let most = 0;
    let done = 0;
    works({
      concurrency: 3,
      handle: async () => {
        now += 1;
        most = Math.max(most, now);
        await Bun.sleep(20);
        now -= 1;
        done += 1;
      },
    });
    await Promise.all(Array.from({ length: 30 }, (_, n) => publish(events.bus, event, { n }, String(n))));
    await until(() => done === 30);
    expect(most).toBe(3);
  });

  test("that stops finishes its current event and accepts no more", async () => {
    const { event, works } = await happening();
    const began: number[] = [];
    let finished = 0;
    const stop = works({
      handle: async ({ n }) => {
        began.push(n);
        await Bun.sleep(300);
        finished += 1;
      },
    });
    await publish(events.bus, event, { n: 1 }, "1");
    await publish(events.bus, event, { n: 2 }, "2");
    await until(() => began.length > 0);
    await stop();
    expect({ began, finished }).toEqual({ began: [1], finished: 1 });
    await until(async () => (await leftIn(event)) < 2); // the server releases it a little later
    expect(await leftIn(event)).toBe(1);
  });

  test("that stops aborts an event that takes too long, which another worker then gets", async () => {
    const { event, works } = await happening();
    const aborted = Promise.withResolvers<void>();
    const attempts: number[] = [];
    const stop = works({
      handle: (_, { attempt }) => {
        attempts.push(attempt);
        currentContext()?.signal?.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => {}); // never done
      },
    });
    await publish(events.bus, event, { n: 1 }, "1");
    await until(() => attempts.length > 0);
    await stop();
    await aborted.promise;
    works({ handle: async (_, { attempt }) => void attempts.push(attempt) });
    await until(async () => (await leftIn(event)) === 0);
    expect(attempts).toEqual([1, 2]);
  });

  test("shares the events with other workers of the same name", async () => {
    const { event, works } = await happening();
    const seen: number[] = [];
    const handle = async ({ n }: { n: number }): Promise<void> => void seen.push(n);
    works({ handle });
    works({ handle });
    const all = Array.from({ length: 50 }, (_, n) => n);
    await Promise.all(all.map((n) => publish(events.bus, event, { n }, String(n))));
    await until(() => seen.length >= 50);
    expect(seen.toSorted((a, b) => a - b)).toEqual(all);
  });

  test.each(["consumer", "stream"])("that loses its %s continues once it exists again", async (lost) => {
    const { event, durable, works } = await happening();
    const seen: number[] = [];
    works({ handle: async ({ n }) => void seen.push(n) });
    await publish(events.bus, event, { n: 1 }, "1");
    await until(() => seen.length === 1);
    await until(async () => (await leftIn(event)) === 0); // an unconfirmed event would be delivered again
    const manager = await streamManager(events.bus);
    if (lost === "consumer") await manager.consumers.delete(event.stream, durable);
    else await manager.streams.delete(event.stream);
    await events.ensure(event, durable);
    await publish(events.bus, event, { n: 2 }, "2");
    await until(() => seen.length === 2, 30_000); // on a busy machine, noticing takes as long as for a silent server
    await until(async () => (await leftIn(event)) === 0);
    expect(seen).toEqual([1, 2]);
  });

  test("whose consumer is ahead of its restored stream gets all events", async () => {
    const { event, durable, works } = await happening(false);
    const manager = await streamManager(events.bus);
    await manager.streams.add({ name: event.stream, subjects: [event.subject] });
    for (const n of [1, 2]) await publish(events.bus, event, { n }, String(n));
    // As after a server crash that lost the stream's count: the consumer counts the stored events as done.
    await manager.consumers.add(event.stream, {
      durable_name: durable,
      filter_subject: event.subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.New,
    });
    await publish(events.bus, event, { n: 3 }, "3");
    const next = `$JS.API.CONSUMER.MSG.NEXT.${event.stream}.${durable}`;
    (await events.bus.nats.request(next, "1", { timeout: 2_000, noMux: true })).respond("+ACK");
    await events.bus.nats.flush();
    await keepConsumer(manager, { event, durable });
    const seen: number[] = [];
    works({ handle: async ({ n }) => void seen.push(n) });
    await until(() => seen.length === 3);
    expect(seen).toEqual([1, 2, 3]);
  });

  test("that is killed at every attempt leaves a dead letter", async () => {
    const { event, durable, works } = await happening();
    const program = `
      import { consume } from ${JSON.stringify(join(import.meta.dir, "consume.ts"))};
      import { connectBus } from ${JSON.stringify(join(import.meta.dir, "connection.ts"))};
      import { defineEvent } from ${JSON.stringify(join(import.meta.dir, "../contracts/contract.ts"))};
      import { createLogger } from ${JSON.stringify(join(import.meta.dir, "../platform/telemetry/log.ts"))};
      import { Type as t } from ${JSON.stringify(Bun.resolveSync("@sinclair/typebox", import.meta.dir))};
      const log = createLogger("test", "error");
      const bus = await connectBus({ url: ${JSON.stringify(testServers().natsUrl)}, name: "victim", log });
      const event = defineEvent(${JSON.stringify(event.subject)}, {
        stream: ${JSON.stringify(event.stream)}, payload: t.Object({ n: t.Integer() }) });
      consume(bus, { event, durable: ${JSON.stringify(durable)}, concurrency: 1, log,
        ackWaitMs: ${QUICK.ackWaitMs}, handle: async () => process.kill(process.pid, "SIGKILL") });`;
    await publish(events.bus, event, { n: 1 }, "deadly");
    for (let death = 0; death < 5; death += 1) {
      const victim = Bun.spawn([process.execPath, "-e", program]);
      await victim.exited;
      expect(victim.signalCode).toBe("SIGKILL");
    }
    let handled = false;
    works({
      handle: async () => {
        handled = true;
      },
    });
    await until(async () => (await leftIn(event)) === 0);
    expect(handled).toBe(false);
    expect(await deadLettersOf(durable)).toMatchObject([
      { reason: "the worker stopped during every attempt", attempts: 6 },
    ]);
  });
});
