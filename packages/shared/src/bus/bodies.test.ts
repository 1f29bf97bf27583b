import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { sha256 } from "../values/digest.ts";
import { failureOf, testBus, testStreams } from "../testing/testing.ts";
import { openBodies, type Bodies } from "./bodies.ts";
import type { BusConnection } from "./connection.ts";

const MB = 1024 * 1024;
const OWNER = "test";
const STREAM = "BODIES_TEST";

let bus: BusConnection;
let bodies: Bodies;

beforeAll(async () => {
  await testStreams({ service: OWNER, durables: [], takesBodies: true });
  bus = await testBus();
  bodies = openBodies(bus, OWNER);
});

afterAll(() => bus.nats.close());

/** Returns a body that arrives in `parts`. */
function arriving(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...parts];
  return new ReadableStream({
    pull(controller) {
      const part = left.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
}

function random(bytes: number): Uint8Array {
  const data = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536));
  return data;
}

async function read(ref: string): Promise<Buffer> {
  return Buffer.from(await new Response(await bodies.open(ref)).arrayBuffer());
}

/** Returns the number of chunks that the bus has, after `work`, of the body that it sent. */
async function keptOf(work: () => Promise<unknown>): Promise<number> {
  const chunks = await chunksOf(work);
  const subjects = new Set([...chunks.keys()].map((subject) => subject.replace(/\d+$/, "*")));
  expect(subjects.size).toBe(1);
  const manager = await bus.nats.jetstreamManager();
  const kept = [...chunks.keys()].map(async (subject) => {
    const { data } = await manager.streams.getMessage(STREAM, { last_by_subj: subject });
    return data.length;
  });
  return (await Promise.all(kept)).filter((length) => length > 0).length;
}

/** Returns the chunks that are published during `work`, by subject. */
async function chunksOf(work: () => Promise<unknown>): Promise<Map<string, Uint8Array>> {
  const chunks = new Map<string, Uint8Array>();
  const watching = bus.nats.subscribe("body.>", {
    callback: (_, { subject, data }) => chunks.set(subject, data.slice()),
  });
  await work();
  await watching.drain();
  return chunks;
}

describe("a body", () => {
  test("arrives unchanged, whatever chunks it was sent in", async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom(1, 977, 40_000), async (parts, repeat) => {
        const all = parts.map((part) => Buffer.concat(Array.from({ length: repeat }, () => part)));
        const sent = Buffer.concat(all);
        const { ref, size } = await bodies.put(arriving(all), 300 * MB);
        expect(size).toBe(sent.length);
        expect(sha256(await read(ref))).toEqual(sha256(sent));
        await bodies.delete(ref);
      }),
      { numRuns: 20 },
    );
  });

  test("of exactly the limit is accepted, one byte more is refused and leaves nothing behind", async () => {
    const exact = random(3 * MB);
    const { ref, size } = await bodies.put(arriving([exact]), exact.length);
    expect(size).toBe(exact.length);
    await bodies.delete(ref);
    const kept = await keptOf(async () => {
      const tooLarge = failureOf(bodies.put(arriving([exact, random(1)]), exact.length));
      expect(await tooLarge).toMatchObject({
        code: "payload_too_large",
        message: `the body exceeds the limit of ${exact.length} bytes`,
      });
    });
    expect(kept).toBe(0);
  });

  test("that is too large isn't read to the end", async () => {
    let pulled = 0;
    let canceled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += MB;
        controller.enqueue(random(MB));
      },
      cancel() {
        canceled = true;
      },
    });
    expect(await failureOf(bodies.put(endless, 4 * MB))).toMatchObject({ code: "payload_too_large" });
    expect(canceled).toBe(true);
    expect(pulled).toBeLessThan(16 * MB);
  });

  test("whose sender fails isn't kept", async () => {
    const begun = random(MB);
    let pulls = 0;
    const broken = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pulls += 1;
        if (pulls === 1) return controller.enqueue(begun);
        await Bun.sleep(50);
        controller.error(new Error("reset"));
      },
    });
    const kept = await keptOf(async () => {
      expect(await failureOf(bodies.put(broken, 9 * MB))).toMatchObject({ code: "unavailable" });
    });
    expect(kept).toBe(0);
  });

  test("with one part refused by the bus fails, even if later parts succeed", async () => {
    const { streams } = await bus.nats.jetstreamManager();
    await streams.update(STREAM, { max_msg_size: 10_000 });
    const parts = [random(MB / 2), new Uint8Array(MB / 2)]; // zeros compress to almost nothing
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = parts.shift();
        if (!part) return controller.close();
        controller.enqueue(part);
        await Bun.sleep(200);
      },
    });
    const failure = await failureOf(bodies.put(slow, MB));
    await streams.update(STREAM, { max_msg_size: -1 });
    expect(failure).toMatchObject({
      code: "unavailable",
      message: "couldn't store the request body; send it again",
    });
  });

  test("is deleted, and may be deleted twice", async () => {
    const { ref } = await bodies.put(arriving([random(2 * MB)]), 4 * MB);
    await bodies.delete(ref);
    expect(await failureOf(bodies.open(ref))).toMatchObject({
      code: "unavailable",
      message: "the stored request body no longer exists; send the request again",
    });
    await bodies.delete(ref);
  });

  test("deleted during reading fails the reader", async () => {
    const { ref } = await bodies.put(arriving([random(8 * MB)]), 9 * MB);
    const reader = (await bodies.open(ref)).getReader();
    await reader.read();
    await bodies.delete(ref);
    const rest = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    expect(await failureOf(rest())).toMatchObject({
      code: "unavailable",
      message: "the stored request body no longer exists; send the request again",
    });
  });

  test("is fetched no faster than it is read", async () => {
    const { ref } = await bodies.put(arriving([random(16 * MB)]), 16 * MB);
    const before = bus.nats.stats().inBytes;
    const reader = (await bodies.open(ref)).getReader();
    await reader.read();
    await Bun.sleep(100);
    expect(bus.nats.stats().inBytes - before).toBeLessThan(4 * MB);
    await reader.cancel();
    await bodies.delete(ref);
  });
});

describe("stored chunks", () => {
  test("can't be read without the reference", async () => {
    const secret = Buffer.from("password = correct horse battery staple\n".repeat(100));
    let ref = "";
    const chunks = await chunksOf(async () => {
      ({ ref } = await bodies.put(arriving([secret]), MB));
    });
    expect(chunks.size).toBe(1);
    for (const chunk of chunks.values()) expect(Buffer.from(chunk).includes("horse")).toBe(false);
    expect(await read(ref)).toEqual(secret);
    const another = ref.replace(/[^.]+$/, Buffer.alloc(32, 1).toString("base64url"));
    expect(await failureOf(bodies.open(another))).toMatchObject({ code: "unavailable" });
    await bodies.delete(ref);
  });

  test("are compressed", async () => {
    const listing = Buffer.from(
      Array.from(
        { length: 20_000 },
        (_, index) => `{"id":"arn:aws:sqs:eu-west-1:123456789012:q${index}"}\n`,
      ).join(""),
    );
    let ref = "";
    const chunks = await chunksOf(async () => {
      ({ ref } = await bodies.put(arriving([listing]), 4 * MB));
    });
    const sizes = [...chunks.values()].map(({ length }) => length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(listing.length / 8);
    expect(await read(ref)).toEqual(listing);
    await bodies.delete(ref);
  });

  test("can't be changed or swapped unnoticed", async () => {
    let ref = "";
    const chunks = await chunksOf(async () => {
      ({ ref } = await bodies.put(arriving([random(MB + 1)]), 2 * MB));
    });
    const [first = "", second = ""] = [...chunks.keys()].toSorted();
    const one = chunks.get(first) ?? new Uint8Array();
    await bus.nats.jetstream().publish(second, one);
    expect(await failureOf(read(ref))).toMatchObject({
      message: "the stored request body is damaged; send the request again",
    });
    await bus.nats.jetstream().publish(first, Buffer.concat([one, Buffer.from([0])]));
    expect(await failureOf(bodies.open(ref))).toMatchObject({
      message: "the stored request body is damaged; send the request again",
    });
    await bodies.delete(ref);
  });
});

test("concurrent bodies don't mix", async () => {
  const all = Array.from({ length: 16 }, (_, index) => random(MB + index * 1_000));
  const refs = await Promise.all(all.map((body) => bodies.put(arriving([body]), 4 * MB)));
  const back = await Promise.all(refs.map(({ ref }) => read(ref)));
  expect(back.map(sha256)).toEqual(all.map(sha256));
  await Promise.all(refs.map(({ ref }) => bodies.delete(ref)));
});

test.each(["", "x", "*.1", "body.>", `${crypto.randomUUID()}.*`, `${crypto.randomUUID()}.1.2`])(
  "%p isn't a reference",
  async (ref) => {
    expect(await failureOf(bodies.open(ref))).toMatchObject({ code: "invalid_parameter" });
    expect(await failureOf(bodies.delete(ref))).toMatchObject({ code: "invalid_parameter" });
  },
);
