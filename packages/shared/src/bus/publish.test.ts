import { describe, expect, test } from "bun:test";

import { RetentionPolicy } from "nats";

import { currentContext, withContext } from "../platform/context.ts";
import { failureOf } from "../testing/testing.ts";
import { awaitStreams } from "./await-streams.ts";
import { happenings, until } from "./happenings.fixture.ts";
import { publish } from "./publish.ts";
import { keepStream } from "./keep-streams.ts";
import { streamManager } from "./streams.ts";

const EVENTS = {
  name: "EVENTS",
  subjects: ["events.>"],
  retention: RetentionPolicy.Limits,
  max_age: 0,
};
const events = happenings();
const { happening, leftIn } = events;

describe("a published event", () => {
  test("is handled once, with the request id it was published with", async () => {
    const { event, works } = await happening();
    const seen: unknown[] = [];
    works({
      handle: async (payload, delivery) => {
        seen.push({ payload, delivery, requestId: currentContext()?.requestId });
      },
    });
    await withContext({ requestId: "the-request" }, () => publish(events.bus, event, { n: 1 }, "one"));
    await until(() => seen.length > 0);
    await until(async () => (await leftIn(event)) === 0);
    expect(seen).toEqual([
      { payload: { n: 1 }, delivery: { attempt: 1, last: false }, requestId: "the-request" },
    ]);
  });

  test("is stored once even if it is published repeatedly", async () => {
    const { event } = await happening();
    for (let time = 0; time < 3; time += 1) await publish(events.bus, event, { n: time }, "the same fact");
    await publish(events.bus, event, { n: 9 }, "another fact");
    expect(await leftIn(event)).toBe(2);
  });

  test("reports that JetStream isn't enabled", async () => {
    const nobody = await events.bus.nats.jetstreamManager({ apiPrefix: "$NOWHERE.API", checkAPI: false });
    expect(await failureOf(keepStream(nobody, EVENTS))).toMatchObject({
      code: "unavailable",
      message:
        "couldn't create the stream EVENTS: enable JetStream on the server, or wait until the cluster has elected a leader",
    });
  });

  test("to a missing stream fails and says to run migrations", async () => {
    const { event } = await happening(false);
    expect(await failureOf(publish(events.bus, event, { n: 1 }, "x"))).toMatchObject({
      code: "unavailable",
      message: `couldn't publish the event to the message bus: no stream stores ${event.subject}; run migrations`,
    });
  });
});

describe("migrations of the bus", () => {
  test("keep the events of an existing stream and restore its settings", async () => {
    const { event, durable } = await happening();
    await publish(events.bus, event, { n: 1 }, "x");
    const { streams } = await streamManager(events.bus);
    await streams.update(event.stream, {
      subjects: [event.subject, "everything.>"],
      republish: { src: ">", dest: "elsewhere.>" },
    });
    await events.ensure(event, durable);
    const { config, state } = await streams.info(event.stream);
    expect({ subjects: config.subjects, republish: config.republish, messages: state.messages }).toEqual({
      subjects: [event.subject],
      republish: undefined,
      messages: 1,
    });
  });

  test("are awaited, and the missing stream is named", async () => {
    const { event, durable } = await happening(false);
    const parts = { service: "test", durables: [{ event, durable }] };
    const warnings: unknown[] = [];
    const log = { warn: (...what: unknown[]) => void warnings.push(what) };
    const waited = await failureOf(awaitStreams(events.bus, parts, { log, patienceMs: 300 }));
    expect(waited).toMatchObject({
      code: "unavailable",
      message: `the message bus has no consumer ${durable}; run migrations with this NATS_URL`,
    });
    expect(warnings).toHaveLength(1);
    const waiting = awaitStreams(events.bus, parts, { log });
    await events.ensure(event, durable);
    await waiting;
  });
});
