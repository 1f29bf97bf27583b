import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { join } from "node:path";

import { Type as t } from "@sinclair/typebox";
import { AckPolicy, DeliverPolicy } from "nats";
import { pino } from "pino";

import { currentContext, withContext } from "../context.ts";
import { defineEvent, type EventContract } from "../contract.ts";
import { AppError, unavailable } from "../errors.ts";
import { registry } from "../metrics.ts";
import { testBus, testServers } from "../testing.ts";
import type { BusConnection } from "./connection.ts";
import { consume, type StopConsuming } from "./consume.ts";
import { listDeadLetters, type DeadLetter } from "./dead-letters.ts";
import { publish } from "./publish.ts";
import { ensureStreams, streamManager } from "./streams.ts";

const QUICK = { retryMs: [20, 20, 20, 20], ackWaitMs: 400 };
const silent = pino({ level: Bun.env["LOUD"] ?? "silent" });

let bus: BusConnection;
const streams: string[] = [];
const stops: StopConsuming[] = [];

beforeAll(async () => {
  bus = await testBus();
});

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  const manager = await streamManager(bus);
  for (const stream of streams) await manager.streams.delete(stream).catch(() => undefined);
  await bus.nats.close();
});

const Payload = t.Object({ n: t.Integer() });

/** An event of a stream of its own; what consumes it stops with the tests. */
async function happening(ensured = true): Promise<{
  event: EventContract<typeof Payload>;
  durable: string;
  works: (options: Partial<Parameters<typeof consume<EventContract<typeof Payload>>>[1]>) => StopConsuming;
}> {
  const id = crypto.randomUUID().slice(0, 8);
  const event = defineEvent(`t${id}.thing.happened`, { stream: `T${id}`, payload: Payload });
  const durable = `t${id}-worker`;
  streams.push(event.stream);
  if (ensured) await ensureStreams(bus, [event], 1);
  const works: Awaited<ReturnType<typeof happening>>["works"] = (options) => {
    const stop = consume(bus, {
      event,
      durable,
      concurrency: 1,
      log: silent,
      handle: async () => undefined,
      ...QUICK,
      ...options,
    });
    stops.push(stop);
    return stop;
  };
  return { event, durable, works };
}

async function until(what: () => boolean | Promise<boolean>, limitMs = 4_500): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!(await what())) {
    if (performance.now() > limit) throw new Error(`not within ${limitMs} ms`);
    await Bun.sleep(10);
  }
}

/** What is left in an event's stream. */
async function leftIn({ stream }: EventContract): Promise<number> {
  const { state } = await (await streamManager(bus)).streams.info(stream);
  return state.messages;
}

async function deadLettersOf(durable: string): Promise<DeadLetter[]> {
  const { state } = await (await streamManager(bus)).streams.info("DEAD_LETTERS");
  const all = await listDeadLetters(bus, { afterSequence: Math.max(0, state.last_seq - 200), limit: 200 });
  return all.filter((letter) => letter.durable === durable);
}

describe("a published event", () => {
  test("is worked off once, with the id of the request that it came of", async () => {
    const { event, works } = await happening();
    const seen: unknown[] = [];
    works({
      handle: async (payload, delivery) => {
        seen.push({ payload, delivery, requestId: currentContext()?.requestId });
      },
    });
    await withContext({ requestId: "the-request" }, () => publish(bus, event, { n: 1 }, "one"));
    await until(() => seen.length > 0);
    await until(async () => (await leftIn(event)) === 0);
    expect(seen).toEqual([
      { payload: { n: 1 }, delivery: { attempt: 1, last: false }, requestId: "the-request" },
    ]);
  });

  test("is kept once however often its fact is told", async () => {
    const { event } = await happening();
    for (let time = 0; time < 3; time += 1) await publish(bus, event, { n: time }, "the same fact");
    await publish(bus, event, { n: 9 }, "another fact");
    expect(await leftIn(event)).toBe(2);
  });

  test("to a stream that nobody here ensured is refused", async () => {
    const { event } = await happening(false);
    const failed = publish(bus, event, { n: 1 }, "x").catch((error: unknown) => error);
    expect(await failed).toMatchObject({ code: "unavailable" });
  });

  test("to a stream that was ensured and is lost makes it again", async () => {
    const { event } = await happening();
    await (await streamManager(bus)).streams.delete(event.stream);
    await publish(bus, event, { n: 1 }, "x");
    expect(await leftIn(event)).toBe(1);
  });

  test("of one service doesn't take another's subject out of the stream they share", async () => {
    const { event } = await happening();
    const other = defineEvent(`${event.subject}.too`, { stream: event.stream, payload: Payload });
    const secondService = await testBus();
    await ensureStreams(secondService, [other], 1);
    await ensureStreams(bus, [event], 1);
    await publish(bus, event, { n: 1 }, "a");
    await publish(secondService, other, { n: 1 }, "b");
    expect(await leftIn(event)).toBe(2);
    await secondService.nats.close();
  });
});

describe("an event whose handler fails", () => {
  test("is tried five times, then a dead letter with the reason, and out of the stream", async () => {
    const { event, durable, works } = await happening();
    const attempts: unknown[] = [];
    const given: unknown[] = [];
    works({
      handle: async (_, delivery) => {
        attempts.push(delivery);
        throw unavailable("the neighbour is out");
      },
      onDead: async (payload, reason) => void given.push({ payload, reason }),
    });
    await withContext({ requestId: "r-5" }, () => publish(bus, event, { n: 5 }, "five"));
    await until(async () => (await deadLettersOf(durable)).length > 0);
    await until(async () => (await leftIn(event)) === 0);
    expect(attempts).toEqual([1, 2, 3, 4, 5].map((attempt) => ({ attempt, last: attempt === 5 })));
    expect(given).toEqual([{ payload: { n: 5 }, reason: "the neighbour is out" }]);
    expect(await deadLettersOf(durable)).toEqual([
      {
        sequence: expect.any(Number),
        subject: event.subject,
        stream: event.stream,
        durable,
        reason: "the neighbour is out",
        attempts: 5,
        requestId: "r-5",
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        payload: '{"n":5}',
      },
    ]);
  });

  test("and succeeds later is done", async () => {
    const { event, durable, works } = await happening();
    let attempts = 0;
    works({
      handle: async () => {
        attempts += 1;
        if (attempts < 3) throw new Error("not yet");
      },
    });
    await publish(bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(attempts).toBe(3);
    expect(await deadLettersOf(durable)).toEqual([]);
  });

  test.each([
    ["says that it is hopeless", new AppError("invalid_parameter", "no such scan"), "no such scan", 1],
    ["breaks with words of its own", new Error("password=hunter2"), "internal", 5],
    ["speaks in strange letters", new AppError("invalid_parameter", "a\r\n\u{1F600}: b"), "a    : b", 1],
  ])("and %s is given up with what may be told", async (_, error, reason, attempts) => {
    const { event, durable, works } = await happening();
    works({ handle: () => Promise.reject(error) });
    await publish(bus, event, { n: 1 }, "x");
    await until(async () => (await deadLettersOf(durable)).length > 0);
    expect(await deadLettersOf(durable)).toMatchObject([{ reason, attempts }]);
  });

  test("holds up no other while it waits to be tried again", async () => {
    const { event, works } = await happening();
    const done: number[] = [];
    works({
      retryMs: [5_000],
      handle: async ({ n }) => {
        if (n < 100) throw new Error("bad");
        done.push(n);
      },
    });
    for (let n = 0; n < 101; n += 1) await publish(bus, event, { n }, String(n));
    await until(() => done.length > 0);
    expect(done).toEqual([100]);
  });

  test("and whose burial fails is a dead letter all the same", async () => {
    const { event, durable, works } = await happening();
    let burials = 0;
    works({
      handle: () => Promise.reject(new AppError("invalid_parameter", "hopeless")),
      onDead: async () => {
        burials += 1;
        throw new Error("the database is away");
      },
    });
    await publish(bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(await deadLettersOf(durable)).toHaveLength(1);
    expect(burials).toBe(1);
  });
});

test("an event that comes to a worker that stops goes to the next one, at the cost of one attempt at most", async () => {
  const { event, works } = await happening();
  const stop = works({ concurrency: 32, handle: () => Promise.reject(new Error("not after the stop")) });
  await Bun.sleep(500); // all of them ask for events by now
  const stopped = stop();
  await publish(bus, event, { n: 1 }, "x");
  await stopped;
  const attempts: number[] = [];
  works({ handle: async (_, { attempt }) => void attempts.push(attempt) });
  await until(() => attempts.length > 0);
  expect(attempts[0]).toBeLessThanOrEqual(2);
});

describe("an event that can't be read", () => {
  test.each([
    ["is no JSON", "{"],
    ["is of another shape", '{"n":"x"}'],
    ["has a member too many", '{"n":1,"m":2}'],
    ["is empty", ""],
  ])("because it %s is a dead letter at once", async (_, text) => {
    const { event, durable, works } = await happening();
    let handled = false;
    works({
      handle: async () => {
        handled = true;
      },
    });
    await bus.nats.jetstream().publish(event.subject, text);
    await until(async () => (await deadLettersOf(durable)).length > 0);
    expect(await deadLettersOf(durable)).toMatchObject([
      { reason: `not a ${event.subject}`, attempts: 1, payload: text },
    ]);
    expect(handled).toBe(false);
  });
});

describe("work that takes long", () => {
  test("stays with its worker", async () => {
    const { event, works } = await happening();
    const attempts: number[] = [];
    works({
      concurrency: 2,
      handle: async (_, { attempt }) => {
        attempts.push(attempt);
        await Bun.sleep(1_500);
      },
    });
    await publish(bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(attempts).toEqual([1]);
  });

  test("costs those that wait behind it no attempt", async () => {
    const { event, works } = await happening();
    const seen: unknown[] = [];
    works({
      handle: async ({ n }, { attempt }) => {
        seen.push({ n, attempt });
        await Bun.sleep(600);
      },
    });
    for (const n of [1, 2, 3, 4]) await publish(bus, event, { n }, String(n));
    await until(async () => (await leftIn(event)) === 0);
    expect(seen).toEqual([1, 2, 3, 4].map((n) => ({ n, attempt: 1 })));
  });

  test("beyond its limit is called off and tried again", async () => {
    const { event, works } = await happening();
    const signals: (AbortSignal | undefined)[] = [];
    works({
      timeLimitMs: 100,
      handle: async () => {
        signals.push(currentContext()?.signal);
        if (signals.length === 1) await new Promise(() => undefined);
      },
    });
    await publish(bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  });
});

describe("a worker", () => {
  test("counts its outcomes from nought, so that the first dead letter is an increase", async () => {
    const { durable, works } = await happening();
    works({});
    const lines = (await registry.metrics()).split("\n").filter((line) => line.includes(durable));
    expect(lines).toEqual(
      ["done", "retried", "dead"].map(
        (outcome) => `leeway_events_total{durable="${durable}",outcome="${outcome}"} 0`,
      ),
    );
  });

  test("takes as many at a time as it should, and no more", async () => {
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
    await Promise.all(Array.from({ length: 30 }, (_, n) => publish(bus, event, { n }, String(n))));
    await until(() => done === 30);
    expect(most).toBe(3);
  });

  test("that stops finishes what it has and takes nothing more", async () => {
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
    await publish(bus, event, { n: 1 }, "1");
    await publish(bus, event, { n: 2 }, "2");
    await until(() => began.length > 0);
    await stop();
    expect({ began, finished }).toEqual({ began: [1], finished: 1 });
    await bus.nats.flush();
    expect(await leftIn(event)).toBe(1);
  });

  test("shares the events with the others of its name", async () => {
    const { event, works } = await happening();
    const seen: number[] = [];
    const handle = async ({ n }: { n: number }): Promise<void> => void seen.push(n);
    works({ handle });
    works({ handle });
    const all = Array.from({ length: 50 }, (_, n) => n);
    await Promise.all(all.map((n) => publish(bus, event, { n }, String(n))));
    await until(() => seen.length >= 50);
    expect(seen.toSorted((a, b) => a - b)).toEqual(all);
  });

  test.each(["consumer", "stream"])(
    "that loses its %s makes it again and goes on",
    async (lost) => {
      const { event, durable, works } = await happening();
      const seen: number[] = [];
      works({ handle: async ({ n }) => void seen.push(n) });
      await publish(bus, event, { n: 1 }, "1");
      await until(() => seen.length === 1);
      const manager = await streamManager(bus);
      if (lost === "consumer") await manager.consumers.delete(event.stream, durable);
      else await manager.streams.delete(event.stream);
      await publish(bus, event, { n: 2 }, "2");
      await until(() => seen.length === 2, 30_000); // on a busy machine it takes a silent server's time to notice
      await until(async () => (await leftIn(event)) === 0);
      expect(seen).toEqual([1, 2]);
    },
    40_000,
  );

  test("whose consumer was ahead of what its stream has left gets all of it", async () => {
    const { event, durable, works } = await happening(false);
    const manager = await streamManager(bus);
    await manager.streams.add({ name: event.stream, subjects: [event.subject] });
    for (const n of [1, 2]) await publish(bus, event, { n }, String(n));
    // As after a server's crash that took the stream's count along: it is done with what is there.
    await manager.consumers.add(event.stream, {
      durable_name: durable,
      filter_subject: event.subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.New,
    });
    await publish(bus, event, { n: 3 }, "3");
    const next = `$JS.API.CONSUMER.MSG.NEXT.${event.stream}.${durable}`;
    (await bus.nats.request(next, "1", { timeout: 2_000, noMux: true })).respond("+ACK");
    await bus.nats.flush();
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
      import { defineEvent } from ${JSON.stringify(join(import.meta.dir, "../contract.ts"))};
      import { createLogger } from ${JSON.stringify(join(import.meta.dir, "../log.ts"))};
      import { Type as t } from ${JSON.stringify(Bun.resolveSync("@sinclair/typebox", import.meta.dir))};
      const log = createLogger("test", "error");
      const bus = await connectBus({ url: ${JSON.stringify(testServers().natsUrl)}, name: "victim", log });
      const event = defineEvent(${JSON.stringify(event.subject)}, {
        stream: ${JSON.stringify(event.stream)}, payload: t.Object({ n: t.Integer() }) });
      consume(bus, { event, durable: ${JSON.stringify(durable)}, concurrency: 1, log,
        ackWaitMs: ${QUICK.ackWaitMs}, handle: async () => process.kill(process.pid, "SIGKILL") });`;
    await publish(bus, event, { n: 1 }, "deadly");
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
      { reason: "no attempt lived to tell its outcome", attempts: 6 },
    ]);
  }, 20_000);
});

test("dead letters are listed in order, a page at a time", async () => {
  const { event, durable, works } = await happening();
  works({ handle: () => Promise.reject(new AppError("invalid_parameter", "hopeless")) });
  for (const n of [1, 2, 3]) await publish(bus, event, { n }, String(n));
  await until(async () => (await deadLettersOf(durable)).length === 3);
  const [first] = await deadLettersOf(durable);
  const afterSequence = (first?.sequence ?? 0) - 1;
  const page = await listDeadLetters(bus, { afterSequence, limit: 2 });
  expect(page).toHaveLength(2);
  expect(page[0]?.sequence).toBe(afterSequence + 1);
  expect((page[1]?.sequence ?? 0) > (first?.sequence ?? 0)).toBe(true);
});
