import { afterAll, beforeAll, expect, test } from "bun:test";

import { isObject, members, text, type JsonObject } from "../../values/json.ts";
import { runProgram, testServers } from "../../testing/testing.ts";

/** Spans received by a trace collector. */
let spans: JsonObject[] = [];
const collector = Bun.serve({
  port: 0,
  routes: {
    "/v1/traces": async (request) => {
      const body: unknown = await request.json();
      if (!isObject(body)) return new Response(null, { status: 400 });
      const scopes = members(body, "resourceSpans").flatMap((resource) => members(resource, "scopeSpans"));
      spans.push(...scopes.flatMap((scope) => members(scope, "spans")));
      return Response.json({});
    },
  },
});

const id = crypto.randomUUID().slice(0, 8);
const PROGRAM = `
  import { Type as t } from "@sinclair/typebox";
  import { answer, serve } from "../bus/answer.ts";
  import { connectBus } from "../bus/connection.ts";
  import { consume } from "../bus/consume.ts";
  import { publish } from "../bus/publish.ts";
  import { call } from "../bus/request.ts";
  import { ensureStreams } from "../bus/keep-streams.ts";
  import { defineEvent, defineRequest } from "../contracts/contract.ts";
  import { createLogger } from "../platform/telemetry/log.ts";
  import { span, SpanKind, startTracing } from "../platform/telemetry/trace.ts";

  const log = createLogger("test", "info");
  const stop = await startTracing("test", process.env.COLLECTOR + "/", log);
  const connect = () => connectBus({ url: process.env.NATS_URL, name: "trace", log });
  const [asking, answering] = await Promise.all([connect(), connect()]);
  const Ask = defineRequest("t${id}.things.ask", { input: t.Object({}), output: t.Object({}) });
  const Done = defineEvent("t${id}.thing.done", { stream: "T${id}", payload: t.Object({}) });
  await ensureStreams(answering, [{ service: "t", durables: [{ event: Done, durable: "t${id}-worker" }] }]);
  const { promise: worked, resolve } = Promise.withResolvers();
  const stopConsuming = consume(answering, {
    event: Done, durable: "t${id}-worker", concurrency: 1, log,
    handle: async () => { log.info("working"); resolve(); },
  });
  serve(answering, { service: "t", log, endpoints: [answer(Ask, async () => {
    await publish(answering, Done, {}, crypto.randomUUID());
    throw new Error("Canary7hunter2");
  })] });
  await answering.nats.flush();
  await span("outermost", { kind: SpanKind.SERVER }, () => call(asking, Ask, {}).catch(() => undefined));
  await worked;
  await stopConsuming();
  await (await answering.nats.jetstreamManager()).streams.delete("T${id}");
  await stop();
  process.exit(0);
`;

let output = "";

beforeAll(async () => {
  const { exitCode, stdout, stderr } = await runProgram(PROGRAM, {
    COLLECTOR: `http://127.0.0.1:${collector.port}`,
    NATS_URL: testServers().natsUrl,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  output = stdout;
});

afterAll(() => collector.stop(true));

const named = (name: string): JsonObject => spans.find((span) => span["name"] === name) ?? {};

test("one trace covers everything from the first request to the last worker", () => {
  const outermost = named("outermost");
  const request = named(`t${id}.things.ask request`);
  const answered = named(`t${id}.things.ask answer`);
  const processed = named(`t${id}.thing.done process`);
  expect(text(outermost, "traceId")).toMatch(/^[0-9a-f]{32}$/);
  expect([request, answered, processed].map((span) => text(span, "traceId"))).toEqual(
    Array.from({ length: 3 }, () => text(outermost, "traceId")),
  );
  expect(text(request, "parentSpanId")).toBe(text(outermost, "spanId") ?? "");
  expect(text(answered, "parentSpanId")).toBe(text(request, "spanId") ?? "");
  expect(text(processed, "parentSpanId")).toBe(text(answered, "spanId") ?? "");
});

test("a failed span has the error's name but not its message", () => {
  expect(named(`t${id}.things.ask answer`)["status"]).toMatchObject({ code: 2, message: "Error" });
  expect(JSON.stringify(spans)).not.toContain("Canary7hunter2");
});

test("log lines carry the trace", () => {
  const working = output.split("\n").find((line) => line.includes('"working"')) ?? "{}";
  expect(JSON.parse(working)).toMatchObject({ trace_id: text(named("outermost"), "traceId") });
});
