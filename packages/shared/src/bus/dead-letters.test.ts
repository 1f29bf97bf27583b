import { describe, expect, test } from "bun:test";

import { withContext } from "../platform/context.ts";
import { AppError, unavailable } from "../values/errors.ts";
import { listDeadLetters } from "./dead-letters.ts";
import { happenings, until } from "./happenings.fixture.ts";
import { publish } from "./publish.ts";

const events = happenings();
const { happening, leftIn, deadLettersOf } = events;

describe("an event whose handler fails", () => {
  test("is tried five times, then becomes a dead letter with the reason and leaves the stream", async () => {
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
    await withContext({ requestId: "r-5" }, () => publish(events.bus, event, { n: 5 }, "five"));
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

  test("but succeeds later is done", async () => {
    const { event, durable, works } = await happening();
    let attempts = 0;
    works({
      handle: async () => {
        attempts += 1;
        if (attempts < 3) throw new Error("not yet");
      },
    });
    await publish(events.bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(attempts).toBe(3);
    expect(await deadLettersOf(durable)).toEqual([]);
  });

  test.each([
    ["with a permanent error", new AppError("invalid_parameter", "no such scan"), "no such scan", 1],
    ["with its own error text", new Error("password=hunter2"), "internal", 5],
    [
      "with control characters in its error",
      new AppError("invalid_parameter", "a\r\n\u{1F600}: b"),
      "a    : b",
      1,
    ],
  ])("%s is given up with a safe reason", async (_, error, reason, attempts) => {
    const { event, durable, works } = await happening();
    works({ handle: () => Promise.reject(error) });
    await publish(events.bus, event, { n: 1 }, "x");
    await until(async () => (await deadLettersOf(durable)).length > 0);
    expect(await deadLettersOf(durable)).toMatchObject([{ reason, attempts }]);
  });

  test("doesn't delay others during its retry pause", async () => {
    const { event, works } = await happening();
    const done: number[] = [];
    works({
      retryMs: [5_000],
      handle: async ({ n }) => {
        if (n < 100) throw new Error("bad");
        done.push(n);
      },
    });
    for (let n = 0; n < 101; n += 1) await publish(events.bus, event, { n }, String(n));
    await until(() => done.length > 0);
    expect(done).toEqual([100]);
  });

  test("becomes a dead letter even if its failure handler fails", async () => {
    const { event, durable, works } = await happening();
    let burials = 0;
    works({
      handle: () => Promise.reject(new AppError("invalid_parameter", "hopeless")),
      onDead: async () => {
        burials += 1;
        throw new Error("the database is away");
      },
    });
    await publish(events.bus, event, { n: 1 }, "x");
    await until(async () => (await leftIn(event)) === 0);
    expect(await deadLettersOf(durable)).toHaveLength(1);
    expect(burials).toBe(1);
  });
});

describe("an event that can't be read", () => {
  test.each([
    ["isn't JSON", "{"],
    ["has another shape", '{"n":"x"}'],
    ["has an unknown member", '{"n":1,"m":2}'],
    ["is empty", ""],
  ])("because it %s becomes a dead letter at once", async (_, text) => {
    const { event, durable, works } = await happening();
    let handled = false;
    works({
      handle: async () => {
        handled = true;
      },
    });
    await events.bus.nats.jetstream().publish(event.subject, text);
    await until(async () => (await deadLettersOf(durable)).length > 0);
    expect(await deadLettersOf(durable)).toMatchObject([
      { reason: `the payload isn't a valid ${event.subject}`, attempts: 1, payload: text },
    ]);
    expect(handled).toBe(false);
  });
});

test("dead letters are listed in order, page by page", async () => {
  const { event, durable, works } = await happening();
  works({ handle: () => Promise.reject(new AppError("invalid_parameter", "hopeless")) });
  for (const n of [1, 2, 3]) await publish(events.bus, event, { n }, String(n));
  await until(async () => (await deadLettersOf(durable)).length === 3);
  const [first] = await deadLettersOf(durable);
  const afterSequence = (first?.sequence ?? 0) - 1;
  const page = await listDeadLetters(events.bus, { afterSequence, limit: 2 });
  expect(page).toHaveLength(2);
  expect(page[0]?.sequence).toBe(afterSequence + 1);
  expect((page[1]?.sequence ?? 0) > (first?.sequence ?? 0)).toBe(true);
});

test("only the requested dead letters are fetched", async () => {
  const { event, durable, works } = await happening();
  works({ handle: () => Promise.reject(new AppError("invalid_parameter", "hopeless")) });
  await publish(events.bus, event, { n: 1 }, "1");
  await until(async () => (await deadLettersOf(durable)).length === 1);
  for (let n = 0; n < 100; n += 1)
    await events.bus.nats.jetstream().publish(`dead.${event.stream}.another`, "{}");
  await publish(events.bus, event, { n: 2 }, "2");
  await until(async () => (await deadLettersOf(durable)).length === 2);
  const [first, second] = await deadLettersOf(durable);
  const asked = events.bus.nats.subscribe("$JS.API.STREAM.MSG.GET.DEAD_LETTERS");
  const listed = await listDeadLetters(events.bus, { stream: event.stream, durable });
  await events.bus.nats.flush();
  asked.unsubscribe();
  expect(listed.map(({ sequence }) => sequence)).toEqual([first?.sequence ?? 0, second?.sequence ?? 0]);
  expect(asked.getReceived()).toBe(3);
});
