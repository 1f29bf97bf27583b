import { afterAll, beforeAll } from "bun:test";

import { Type as t } from "@sinclair/typebox";
import { pino } from "pino";

import { defineEvent, type EventContract } from "../contracts/contract.ts";
import { testBus } from "../testing/testing.ts";
import type { BusConnection } from "./connection.ts";
import { consume, type StopConsuming } from "./consume.ts";
import { listDeadLetters, type DeadLetter } from "./dead-letters.ts";
import { ensureStreams } from "./keep-streams.ts";
import { streamManager } from "./streams.ts";

export const QUICK = { retryMs: [20, 20, 20, 20], ackWaitMs: 400 };
const silent = pino({ level: Bun.env["LOUD"] ?? "silent" });

export const Payload = t.Object({ n: t.Integer() });

interface Happening {
  event: EventContract<typeof Payload>;
  durable: string;
  works: (options: Partial<Parameters<typeof consume<EventContract<typeof Payload>>>[1]>) => StopConsuming;
}

/** Returns a bus for the tests of one file, and functions for events on it. */
export function happenings() {
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

  const ensure = (event: EventContract, durable: string): Promise<void> =>
    ensureStreams(bus, [{ service: "test", durables: [{ event, durable, ackWaitMs: QUICK.ackWaitMs }] }]);

  return {
    ensure,
    get bus() {
      return bus;
    },
    /** Returns an event with its own stream. Its consumers stop with the tests. */
    async happening(ensured = true): Promise<Happening> {
      const id = crypto.randomUUID().slice(0, 8);
      const event = defineEvent(`t${id}.thing.happened`, { stream: `T${id}`, payload: Payload });
      const durable = `t${id}-worker`;
      streams.push(event.stream);
      if (ensured) await ensure(event, durable);
      const works: Happening["works"] = (options) => {
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
    },
    /** Returns the number of messages in an event's stream. */
    async leftIn({ stream }: EventContract): Promise<number> {
      const { state } = await (await streamManager(bus)).streams.info(stream);
      return state.messages;
    },
    deadLettersOf: (durable: string) => deadLettersOf(bus, durable),
  };
}

async function deadLettersOf(bus: BusConnection, durable: string): Promise<DeadLetter[]> {
  const { state } = await (await streamManager(bus)).streams.info("DEAD_LETTERS");
  const all = await listDeadLetters(bus, { afterSequence: Math.max(0, state.last_seq - 200), limit: 200 });
  return all.filter((letter) => letter.durable === durable);
}

export async function until(what: () => boolean | Promise<boolean>, limitMs = 90_000): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!(await what())) {
    if (performance.now() > limit) throw new Error(`not within ${limitMs} ms`);
    await Bun.sleep(10);
  }
}
