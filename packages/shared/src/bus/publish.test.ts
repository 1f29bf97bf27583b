import { describe, expect, test } from "bun:test";

import { currentContext, withContext } from "../context.ts";
import { defineEvent } from "../contract.ts";
import { failureOf, testBus } from "../testing.ts";
import { happenings, Payload, until } from "./happenings.fixture.ts";
import { publish } from "./publish.ts";
import { ensureStream, ensureStreams, streamManager } from "./streams.ts";

const events = happenings();
const { happening, leftIn } = events;

describe("a published event", () => {
  test("is worked off once, with the id of the request that it came of", async () => {
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

  test("is kept once however often its fact is told", async () => {
    const { event } = await happening();
    for (let time = 0; time < 3; time += 1) await publish(events.bus, event, { n: time }, "the same fact");
    await publish(events.bus, event, { n: 9 }, "another fact");
    expect(await leftIn(event)).toBe(2);
  });

  test("has no stream where NATS runs without JetStream, which is told", async () => {
    const nobody = await events.bus.nats.jetstreamManager({ apiPrefix: "$NOWHERE.API", checkAPI: false });
    expect(await failureOf(ensureStream(nobody, { name: "EVENTS", subjects: ["events.>"] }))).toMatchObject({
      code: "unavailable",
      message: "the message bus can't keep the stream EVENTS: JetStream isn't on there, or nobody leads it",
    });
  });

  test("to a stream that nobody here ensured is refused", async () => {
    const { event } = await happening(false);
    const failed = publish(events.bus, event, { n: 1 }, "x").catch((error: unknown) => error);
    expect(await failed).toMatchObject({ code: "unavailable" });
  });

  test("to a stream that was ensured and is lost makes it again", async () => {
    const { event } = await happening();
    await (await streamManager(events.bus)).streams.delete(event.stream);
    await publish(events.bus, event, { n: 1 }, "x");
    expect(await leftIn(event)).toBe(1);
  });

  test("of one service doesn't take another's subject out of the stream they share", async () => {
    const { event } = await happening();
    const other = defineEvent(`${event.subject}.too`, { stream: event.stream, payload: Payload });
    const secondService = await testBus();
    await ensureStreams(secondService, [other], 1);
    await ensureStreams(events.bus, [event], 1);
    await publish(events.bus, event, { n: 1 }, "a");
    await publish(secondService, other, { n: 1 }, "b");
    expect(await leftIn(event)).toBe(2);
    await secondService.nats.close();
  });
});
