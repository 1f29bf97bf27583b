import { randomBytes } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { Type as t } from "@sinclair/typebox";
import fc from "fast-check";
import { AckPolicy } from "nats";
import { pino } from "pino";

import { currentContext, withContext } from "../platform/context.ts";
import { defineBodyRequest, defineRequest, type RequestContract } from "../contracts/contract.ts";
import { AppError } from "../values/errors.ts";
import { registry } from "../platform/telemetry/metrics.ts";
import { failureOf, testBus } from "../testing/testing.ts";
import { answer, answerBody, answerJson, serve, type Endpoint, type StopServing } from "./answer.ts";
import type { BusConnection } from "./connection.ts";
import { until } from "./happenings.fixture.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import { call, callWithBody, forward } from "./request.ts";

const name = `t${crypto.randomUUID().slice(0, 8)}`;
const shape = {
  input: t.Object({ text: t.Optional(t.String()), inner: t.Optional(t.Object({ n: t.Integer() })) }),
  output: t.Object({ text: t.String() }),
};
const Ask = defineRequest(`${name}.things.ask`, { ...shape, timeoutMs: 1_000 });

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

/** Serves until the next test begins, and resolves when the server has the subscriptions. */
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

  test("with a large body has more time than one with a small body", async () => {
    const Send = { ...defineBodyRequest(`${name}.things.send`, shape), timeoutMs: 200 };
    await serving([
      answerBody(Send, async (_, body) => {
        await Bun.sleep(Send.timeoutMs + 100);
        return { text: String(body.length) };
      }),
    ]);
    const failure = failureOf(callWithBody(caller, Send, {}, new Uint8Array(1)));
    expect(await failure).toMatchObject({ code: "unavailable" });
    const body = new Uint8Array(5 << 20);
    expect(await callWithBody(caller, Send, {}, body)).toEqual({ text: String(body.length) });
  });

  test("to a service that isn't running fails at once", async () => {
    const failure = failureOf(call(caller, Ask, {}));
    expect(await failure).toMatchObject({
      code: "unavailable",
      message: `the ${name} service isn't running; retry in a moment`,
      retryAfterSeconds: 1,
    });
  });

  test("without a response fails at its deadline and aborts the handler's signal", async () => {
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

  test("with invalid input is refused with the wrong fields and reaches no handler", async () => {
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
        { field: "inner.more", code: "unknown", message: "isn't a known field" },
        { field: "inner.n", code: "invalid", message: "must be a whole number" },
      ]),
    });
    expect(reached).toBe(false);
  });

  test("that isn't JSON gets an error", async () => {
    await serving([answer(Ask, async () => ({ text: "" }))]);
    const reply = await caller.nats.request(Ask.subject, "{no json");
    expect(reply.headers?.get("Nats-Service-Error-Code")).toBe("internal");
  });

  test("from a service that isn't a declared caller is refused and reaches no handler", async () => {
    const Slots = defineRequest(`${name}.slots.take`, { ...Ask, callers: ["analyzer"] });
    const [analyzer, gateway] = await Promise.all(["leeway-analyzer", "leeway-gateway"].map(testBus));
    if (!analyzer || !gateway) throw new Error("not connected");
    let reached = 0;
    const taken = async () => {
      reached += 1;
      return { text: "taken" };
    };
    await serving([answer(Slots, taken)]);
    expect(await call(analyzer, Slots, {})).toEqual({ text: "taken" });
    expect(await failureOf(call(gateway, Slots, {}))).toMatchObject({
      code: "forbidden",
      message: `the gateway service may not call ${Slots.subject}`,
    });
    expect(reached).toBe(1);
    await Promise.all([analyzer.nats.close(), gateway.nats.close()]);
  });

  test("that NATS created from an event, stored message or answer is dropped", async () => {
    let reached = 0;
    const reach = async () => {
      reached += 1;
      return { text: "" };
    };
    const [stream, event] = [`R${name}`, `${name}.thing.done`];
    const manager = await caller.nats.jetstreamManager();
    await manager.streams.add({ name: stream, subjects: [event], allow_direct: true });
    await manager.consumers.add(stream, { durable_name: "one", ack_policy: AckPolicy.Explicit });
    await serving([answer(Ask, reach)]);
    for (const reply of [`${Ask.subject}.gateway`, Ask.subject]) {
      await caller.nats.jetstream().publish(event, "{}");
      // Each has the subject of a request as its reply subject.
      caller.nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.one`, "1", { reply });
      caller.nats.publish(`$JS.API.DIRECT.GET.${stream}.${event}`, "", { reply });
      caller.nats.publish(`${Ask.subject}.gateway`, "no JSON", { reply });
    }
    await until(
      () => logged.filter((line) => line.includes("dropped a message that isn't a request")).length >= 6,
    );
    expect(reached).toBe(0);
    await manager.streams.delete(stream);
  });

  test("that is too large for a message fails with that reason", async () => {
    await serving([answer(Ask, async () => ({ text: "" }))]);
    expect(await failureOf(call(caller, Ask, { text: INCOMPRESSIBLE }))).toMatchObject({
      code: "payload_too_large",
    });
  });
});

test("payloads over the message limit are compressed both ways, with the cursor", async () => {
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
    ["rejects without a value", answersOf(() => Promise.reject())],
    ["returns nothing", answersOf(async () => undefined)],
    ["returns a function", answersOf(async () => () => undefined)],
    ["returns a value that isn't JSON", answersOf(async () => ({ text: 1n }))],
    ["returns a circular value", answersOf(async () => circular)],
    ["returns too much data", answersOf(async () => ({ text: INCOMPRESSIBLE }))],
    [
      "returns a cursor that isn't valid in a header",
      answerJson(Ask, async () => ({ json: "{}", nextCursor: "a\r\nb" })),
    ],
  ];
  test.each(misbehaviour)(
    "that %s gives an internal error at once without its text, and one log line",
    async (_, bad) => {
      await serving([bad]);
      expect(await failureOf(call(caller, Ask, {}))).toMatchObject({
        code: "internal",
        message: "internal error; include the request id when you report it",
      });
      expect(logged).toHaveLength(1);
    },
  );

  test("that hangs occupies its place only while the caller waits", async () => {
    // Long enough for a busy machine to receive all of them before the first ends.
    const Hang = { ...Ask, subject: `${name}.things.hang`, timeoutMs: 5_000 };
    const state = { begun: 0, isOver: false };
    await serving([
      answer(Hang, () => {
        state.begun += 1;
        return state.isOver ? Promise.resolve({ text: "" }) : new Promise(() => undefined);
      }),
    ]);
    const hanging = Array.from({ length: 2_000 }, () => call(caller, Hang, {}).catch(() => undefined));
    await until(() => state.begun === hanging.length);
    expect(await failureOf(call(caller, Hang, {}))).toMatchObject({
      code: "unavailable",
      message: "the service has too many requests in progress; retry in a moment",
      retryAfterSeconds: 1,
    });
    await Promise.all(hanging);
    state.isOver = true;
    await until(async () => (await call(caller, Hang, {}).catch(() => undefined)) !== undefined);
  });

  test("passes on all parts of an error, whatever characters they contain", async () => {
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
        const received = await failureOf(call(caller, Ask, {}));
        expect(received).toMatchObject({ message, ...Object.fromEntries(Object.entries(given)) });
      }),
      { numRuns: 50 },
    );
  });
});

describe("a caller that cancels", () => {
  test("gets an error at once, and the work is aborted on whichever instance runs it", async () => {
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
    expect(await failed).toMatchObject({ code: "unavailable", message: "the caller disconnected" });
    await aborted(signal);
  });

  test("is counted as canceled, not as a failure of the bus", async () => {
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

  test("near the deadline also cancels requests that a frozen service reads later", async () => {
    const canceled: string[] = [];
    const listening = caller.nats.subscribe(CANCEL_SUBJECT, {
      callback: (_, message) => void canceled.push(message.string()),
    });
    const frozen = owner.nats.subscribe(`${Ask.subject}.*`);
    await owner.nats.flush();
    await failureOf(call(caller, Ask, {}));
    await caller.nats.flush();
    await Promise.all([listening.drain(), frozen.drain()]);
    for await (const { headers } of frozen) {
      expect(canceled).toEqual([headers?.get(HEADER.call).split(" ")[0] ?? ""]);
    }
    expect(frozen.getProcessed()).toBe(1);
  });

  test("before sending sends nothing", async () => {
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

  test("after the connection was closed doesn't crash the process", async () => {
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

describe("the request id", () => {
  test("is passed on through every service", async () => {
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

  test("is generated when missing", async () => {
    await serving([answer(Ask, async () => ({ text: currentContext()?.requestId ?? "" }))]);
    expect((await call(caller, Ask, {})).text).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a JSON response that is passed through", () => {
  test("arrives unchanged, with the next page's cursor", async () => {
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
  test("share the requests, with one response each", async () => {
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

  test("finish their requests when they stop and accept no more", async () => {
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

describe("a slow request", () => {
  const Long = { ...Ask, subject: `${name}.long.ask`, timeoutMs: 60_000 };

  test("fails soon after its process is gone", async () => {
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
    expect(await failed).toMatchObject({
      code: "unavailable",
      message: `the ${name} service stopped before it answered`,
    });
    await caller.nats.flush();
    await owner.nats.flush();
    expect(calledOff).toHaveLength(1); // for a process that was only busy, and starts the call now
    over.resolve();
  });

  test("is awaited while its process is working", async () => {
    await serving([
      answer(Long, async () => {
        await Bun.sleep(7_000);
        return { text: "done" };
      }),
    ]);
    expect(await call(caller, Long, {})).toEqual({ text: "done" });
  });
});

test("1,500 concurrent requests each get their own response", async () => {
  const Echo: RequestContract = Ask;
  await serving([answer(Ask, async ({ text = "" }) => ({ text }))]);
  const texts = Array.from({ length: 1_500 }, (_, index) => String(index));
  const answers = await Promise.all(texts.map((text) => call(caller, Echo, { text })));
  expect(answers).toEqual(texts.map((text) => ({ text })));
});
