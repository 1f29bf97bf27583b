import { randomBytes } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { Type as t } from "@sinclair/typebox";
import fc from "fast-check";
import { pino } from "pino";

import { currentContext, withContext } from "../context.ts";
import { defineRequest, type RequestContract } from "../contract.ts";
import { AppError } from "../errors.ts";
import { registry } from "../telemetry/metrics.ts";
import { failureOf, testBus } from "../testing.ts";
import { answer, answerJson, serve, type Endpoint, type StopServing } from "./answer.ts";
import type { BusConnection } from "./connection.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import { call, forward } from "./request.ts";

const name = `t${crypto.randomUUID().slice(0, 8)}`;
const Ask = defineRequest(`${name}.things.ask`, {
  input: t.Object({ text: t.Optional(t.String()), inner: t.Optional(t.Object({ n: t.Integer() })) }),
  output: t.Object({ text: t.String() }),
  timeoutMs: 1_000,
});

const INCOMPRESSIBLE = randomBytes(9 << 20).toString("base64");

let caller: BusConnection;
let owner: BusConnection;
let logged: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
const stops: StopServing[] = [];

beforeAll(async () => {
  [caller, owner] = await Promise.all([testBus("caller"), testBus("owner")]);
});

beforeEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  logged = [];
});

afterAll(async () => {
  await Promise.all([caller.nats.close(), owner.nats.close()]);
});

/** Serves until the next test begins, and resolves when the server knows. */
async function serving(endpoints: Endpoint[], bus = owner): Promise<StopServing> {
  const stop = serve(bus, { service: name, endpoints, log });
  stops.push(stop);
  await bus.nats.flush();
  return stop;
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (!signal) throw new Error("no signal");
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

describe("a request", () => {
  test("is answered", async () => {
    await serving([answer(Ask, async ({ text = "" }) => ({ text: text.toUpperCase() }))]);
    expect(await call(caller, Ask, { text: "aé" })).toEqual({ text: "AÉ" });
  });

  test("that nobody answers fails at once", async () => {
    const failure = failureOf(call(caller, Ask, {}));
    expect(await failure).toMatchObject({
      code: "unavailable",
      message: `the ${name} service isn't there`,
      retryAfterSeconds: 1,
    });
  });

  test("whose answer doesn't come fails at its deadline, and its handler's signal aborts", async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal | undefined>();
    await serving([
      answer(Ask, () => {
        resolve(currentContext()?.signal);
        return new Promise(() => undefined);
      }),
    ]);
    const failure = await failureOf(call(caller, Ask, {}));
    expect(failure).toMatchObject({ code: "unavailable" });
    const signal = await promise;
    await aborted(signal);
  });

  test("of the wrong shape says what is wrong, and reaches no handler", async () => {
    let reached = false;
    await serving([
      answer(Ask, async () => {
        reached = true;
        return { text: "" };
      }),
    ]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- wrong on purpose
    const wrong = { inner: { n: "x", more: 1 } } as unknown as { inner: { n: number } };
    expect(await failureOf(call(caller, Ask, wrong))).toMatchObject({
      code: "invalid_parameter",
      details: expect.arrayContaining([
        { field: "inner.more", code: "unknown", message: "is unknown" },
        { field: "inner.n", code: "invalid", message: "must be a whole number" },
      ]),
    });
    expect(reached).toBe(false);
  });

  test("that is no JSON is answered as a failure", async () => {
    await serving([answer(Ask, async () => ({ text: "" }))]);
    const reply = await caller.nats.request(Ask.subject, "{no json");
    expect(reply.headers?.get("Nats-Service-Error-Code")).toBe("internal");
  });

  test("that is larger than a message says so", async () => {
    await serving([answer(Ask, async () => ({ text: "" }))]);
    expect(await failureOf(call(caller, Ask, { text: INCOMPRESSIBLE }))).toMatchObject({
      code: "payload_too_large",
    });
  });
});

test("what is larger than a message is packed, both ways, with the cursor behind it", async () => {
  const text = "x".repeat(9 << 20);
  await serving([answerJson(Ask, async (given) => ({ json: JSON.stringify(given), nextCursor: "more" }))]);
  expect(await call(caller, Ask, { text })).toEqual({ text });
  expect(await forward(caller, Ask, { text })).toMatchObject({ nextCursor: "more" });
});

describe("a handler", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const answersOf = (make: () => unknown): Endpoint =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handlers that break their contract
    answer(Ask, make as () => Promise<{ text: string }>);
  const misbehaviour: [string, Endpoint][] = [
    ["throws", answersOf(() => JSON.parse("{"))],
    ["rejects", answersOf(() => Promise.reject(new Error("secret text")))],
    ["rejects with nothing", answersOf(() => Promise.reject())],
    ["answers nothing", answersOf(async () => undefined)],
    ["answers a function", answersOf(async () => () => undefined)],
    ["answers what is no JSON", answersOf(async () => ({ text: 1n }))],
    ["answers in circles", answersOf(async () => circular)],
    ["answers too much", answersOf(async () => ({ text: INCOMPRESSIBLE }))],
    [
      "gives a cursor that no header can hold",
      answerJson(Ask, async () => ({ json: "{}", nextCursor: "a\r\nb" })),
    ],
  ];
  test.each(misbehaviour)(
    "that %s is heard of at once, without its words, and logged once",
    async (_, bad) => {
      await serving([bad]);
      expect(await failureOf(call(caller, Ask, {}))).toMatchObject({
        code: "internal",
        message: "something went wrong here",
      });
      expect(logged).toHaveLength(1);
    },
  );

  test("that hangs keeps its place no longer than the caller waits", async () => {
    await serving([answer(Ask, () => new Promise(() => undefined))]);
    const hanging = Array.from({ length: 2_000 }, () => call(caller, Ask, {}).catch(() => undefined));
    await Bun.sleep(300);
    const turnedAway = failureOf(call(caller, Ask, {}));
    expect(await turnedAway).toMatchObject({
      code: "unavailable",
      message: "too many requests are under way",
      retryAfterSeconds: 1,
    });
    await Promise.all(hanging);
    await Bun.sleep(50);
    expect(await failureOf(call(caller, Ask, {}))).not.toMatchObject({
      message: "too many requests are under way",
    });
  });

  test("passes every part of its failure on, whatever characters are in it", async () => {
    let given = new AppError("internal", "");
    await serving([answer(Ask, () => Promise.reject(given))]);
    const failures = fc.record({
      code: fc.constantFrom("not_found", "conflict", "unavailable", "invalid_cursor" as const),
      message: fc.string({ unit: "grapheme" }),
      details: fc.array(fc.record({ field: fc.string(), code: fc.string(), message: fc.string() })),
      fields: fc.dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), fc.oneof(fc.string(), fc.integer())),
      retryAfterSeconds: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(failures, async ({ code, message, ...options }) => {
        given = new AppError(code, message, options);
        const heard = await failureOf(call(caller, Ask, {}));
        expect(heard).toMatchObject({ message, ...Object.fromEntries(Object.entries(given)) });
      }),
      { numRuns: 50 },
    );
  });
});

describe("a caller who gives up", () => {
  test("hears so at once, and has the work called off on whichever instance does it", async () => {
    const { promise: began, resolve: begin } = Promise.withResolvers<AbortSignal | undefined>();
    const slow = answer(Ask, () => {
      begin(currentContext()?.signal);
      return new Promise(() => undefined);
    });
    await serving([slow]);
    await serving([slow], await testBus("second instance"));
    const controller = new AbortController();
    const asked = withContext({ requestId: "r", signal: controller.signal }, () => call(caller, Ask, {}));
    const failed = failureOf(asked);
    const signal = await began;
    expect(signal?.aborted).toBe(false);
    controller.abort();
    expect(await failed).toMatchObject({ code: "unavailable", message: "the caller is gone" });
    await aborted(signal);
  });

  test("is counted as canceled, and not as a failure of the bus", async () => {
    const Leave = { ...Ask, subject: `${name}.things.leave` };
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const slow = answer(Leave, () => {
      begin();
      return new Promise(() => undefined);
    });
    await serving([slow]);
    const controller = new AbortController();
    const asked = withContext({ requestId: "r", signal: controller.signal }, () => call(caller, Leave, {}));
    const failed = failureOf(asked);
    await began;
    controller.abort();
    await failed;
    const lines = (await registry.metrics()).split("\n").filter((line) => line.includes(Leave.subject));
    expect(lines.filter((line) => line.includes("_count"))).toEqual([
      `leeway_bus_request_seconds_count{subject="${Leave.subject}",outcome="canceled"} 1`,
    ]);
  });

  test("as time runs out has it called off also by who comes to it only later", async () => {
    const canceled: string[] = [];
    const listening = caller.nats.subscribe(CANCEL_SUBJECT, {
      callback: (_, message) => void canceled.push(message.string()),
    });
    const frozen = owner.nats.subscribe(Ask.subject);
    await owner.nats.flush();
    await failureOf(call(caller, Ask, {}));
    await caller.nats.flush();
    await Promise.all([listening.drain(), frozen.drain()]);
    for await (const { headers } of frozen) {
      expect(canceled).toEqual([headers?.get(HEADER.call).split(" ")[0] ?? ""]);
    }
    expect(frozen.getProcessed()).toBe(1);
  });

  test("before asking asks nobody", async () => {
    let reached = false;
    await serving([
      answer(Ask, async () => {
        reached = true;
        return { text: "" };
      }),
    ]);
    const asked = withContext({ requestId: "r", signal: AbortSignal.abort() }, () => call(caller, Ask, {}));
    expect(await failureOf(asked)).toMatchObject({ code: "unavailable" });
    expect(reached).toBe(false);
  });

  test("after the connection was closed ends no process", async () => {
    const closing = await testBus("closing");
    await serving([answer(Ask, () => new Promise(() => undefined))]);
    const controller = new AbortController();
    const asked = withContext({ requestId: "r", signal: controller.signal }, () => call(closing, Ask, {}));
    const failed = failureOf(asked);
    await closing.nats.close();
    controller.abort();
    expect(await failed).toMatchObject({ code: "unavailable" });
  });
});

describe("what goes with a request", () => {
  test("is its id, through every service on the way", async () => {
    const Inner = defineRequest(`${name}.inner.ask`, {
      input: t.Object({}),
      output: t.Object({ id: t.String() }),
    });
    await serving([
      answer(Inner, async () => ({ id: currentContext()?.requestId ?? "" })),
      answer(Ask, async () => ({ text: (await call(owner, Inner, {})).id })),
    ]);
    const text = withContext({ requestId: "the-id" }, () => call(caller, Ask, {}));
    expect(await text).toEqual({ text: "the-id" });
  });

  test("is an id of its own where it has none", async () => {
    await serving([answer(Ask, async () => ({ text: currentContext()?.requestId ?? "" }))]);
    expect((await call(caller, Ask, {})).text).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("an answer that is JSON already", () => {
  test("arrives byte for byte, with the cursor of the next page", async () => {
    const json = '{ "text" :\t"\u{1F600}\\u00e9" }\n';
    await serving([answerJson(Ask, async () => ({ json, nextCursor: "1.abc.def" }))]);
    const { body, nextCursor } = await forward(caller, Ask, {});
    expect(Buffer.from(body).toString("utf8")).toBe(json);
    expect(nextCursor).toBe("1.abc.def");
  });

  test("has no cursor on the last page", async () => {
    await serving([answerJson(Ask, async () => ({ json: "{}" }))]);
    expect(await forward(caller, Ask, {})).not.toHaveProperty("nextCursor");
  });
});

describe("instances of a service", () => {
  test("share the requests, one answer each", async () => {
    const counts = [0, 0];
    const counting = (index: number): Endpoint =>
      answer(Ask, async () => {
        counts[index] = (counts[index] ?? 0) + 1;
        return { text: "" };
      });
    await serving([counting(0)]);
    await serving([counting(1)], await testBus("second instance"));
    await Promise.all(Array.from({ length: 200 }, () => call(caller, Ask, {})));
    expect(counts.reduce((sum, count) => sum + count)).toBe(200);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });

  test("finish what they have when they stop, and take no more", async () => {
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const stop = await serving([
      answer(Ask, async () => {
        begin();
        await Bun.sleep(200);
        return { text: "done" };
      }),
    ]);
    const asked = call(caller, Ask, {});
    await began;
    const stopped = stop();
    expect(await asked).toEqual({ text: "done" });
    await stopped;
    expect(await failureOf(call(caller, Ask, {}))).toMatchObject({ code: "unavailable" });
  });
});

describe("a request that may take long", () => {
  const Long = { ...Ask, subject: `${name}.long.ask`, timeoutMs: 60_000 };

  test("fails soon once the process that works on it is gone", async () => {
    const dying = await testBus("dying");
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = async () => {
      begun.resolve();
      await over.promise;
      return { text: "too late" };
    };
    await serving([answer(Long, work)], dying);
    const calledOff: string[] = [];
    owner.nats.subscribe(CANCEL_SUBJECT, { callback: (_, message) => void calledOff.push(message.string()) });
    const failed = failureOf(call(caller, Long, {}));
    await begun.promise;
    await dying.nats.close();
    expect(await failed).toMatchObject({ code: "unavailable", message: `the ${name} service went away` });
    await caller.nats.flush();
    await owner.nats.flush();
    expect(calledOff).toHaveLength(1); // for one that only was busy, and comes to it now
    over.resolve();
  });

  test("is waited for as long as somebody works on it", async () => {
    await serving([
      answer(Long, async () => {
        await Bun.sleep(7_000);
        return { text: "done" };
      }),
    ]);
    expect(await call(caller, Long, {})).toEqual({ text: "done" });
  });
});

test("every request of one kind is answered with its own answer, thousands at once", async () => {
  const Echo: RequestContract = Ask;
  await serving([answer(Ask, async ({ text = "" }) => ({ text }))]);
  const texts = Array.from({ length: 1_500 }, (_, index) => String(index));
  const answers = await Promise.all(texts.map((text) => call(caller, Echo, { text })));
  expect(answers).toEqual(texts.map((text) => ({ text })));
});
