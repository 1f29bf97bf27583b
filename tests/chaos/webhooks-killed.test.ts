import { afterAll, beforeAll, expect, test } from "bun:test";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet, type Receiver } from "./fleet.ts";
import { ledgerOf, lostOf, settled } from "./ledger.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS, WAIT_MS } from "./promised.ts";
import { createSender, each, type Sender } from "./sender.ts";
import { until } from "./until.ts";

/** Events per batch, plus a quarter of repeats. Batches are sent until the service is back after each kill. */
const EVENTS = Number(process.env["LEEWAY_CHAOS_EVENTS"] ?? 80);
const ROUNDS = Number(process.env["LEEWAY_CHAOS_ROUNDS"] ?? 1);
const AT_ONCE = 64;

let fleet: Fleet;
let receiver: Receiver;

beforeAll(async () => {
  fleet = await startFleet();
  receiver = await fleet.newReceiver();
}, TEST_MS);

afterAll(() => fleet.stop(), TEST_MS);

/** Kill of each process in turn. Servers without a supervisor are restarted. */
const VICTIMS: Readonly<Record<string, () => Promise<unknown>>> = {
  gateway: async () => fleet.kill("gateway"),
  webhooks: async () => fleet.kill("webhooks"),
  NATS: () => startedAgain(fleet.nats),
  analyzer: async () => fleet.kill("analyzer"),
  inventory: async () => fleet.kill("inventory"),
  PostgreSQL: () => startedAgain(fleet.postgres),
  quota: async () => fleet.kill("quota"),
};

async function startedAgain(server: Fleet["nats"]): Promise<void> {
  server.signal("SIGKILL");
  await Bun.sleep(Math.random() * 300);
  await server.start();
}

/** Shuffles the events with a quarter as many repeats, some of them of earlier events. */
function withRepeats(events: readonly string[], before: readonly string[]): string[] {
  const known = [...before, ...events];
  const anyKnown = (): string => known[Math.floor(Math.random() * known.length)] ?? "";
  const repeats = Array.from({ length: events.length / 4 }, anyKnown);
  return [...events, ...repeats].toSorted(() => Math.random() - 0.5);
}

/** Sends batches of events until `end` is called. */
function sendOn(sender: Sender): { end(): Promise<void> } {
  const state = { ending: false };
  const sending = (async () => {
    do {
      const events = Array.from({ length: EVENTS }, () => planEvent());
      await each(withRepeats(events, [...sender.ids.keys()]), AT_ONCE, sender.send);
    } while (!state.ending);
  })();
  return {
    end: () => {
      state.ending = true;
      return sending;
    },
  };
}

test(
  "whatever is killed under load, each event answered with 202 is processed exactly once",
  async () => {
    const sender = createSender(receiver);
    const kills = Array.from({ length: ROUNDS }, () => Object.entries(VICTIMS)).flat();
    const downMs: Record<string, number> = {};
    for (const [name, kill] of kills) {
      const enough = sender.ids.size + EVENTS / 3;
      const sending = sendOn(sender);
      await until(() => sender.ids.size > enough, WAIT_MS);
      await kill();
      const back = performance.now();
      await until(() => sender.acceptedAt() > back, WAIT_MS);
      downMs[name] = Math.max(downMs[name] ?? 0, Math.round(performance.now() - back));
      await sending.end();
    }
    const settledMs = await settled(fleet, WAIT_MS);
    const lost = await lostOf(fleet, sender.ids);
    const ledger = await ledgerOf(fleet, receiver);
    figure(
      `${sender.ids.size} events and a quarter as many repeats over ${kills.length} kills, answers ` +
        `${JSON.stringify(sender.statuses)}, slowest ${Math.round(sender.slowestMs())} ms; ${lost.length} lost, ` +
        `${ledger.twice} twice; serving again after at most (ms) ${JSON.stringify(downMs)}; ` +
        `all worked off ${Math.round(settledMs)} ms after the last`,
    );
    const all = sender.ids.size;
    expect({ lost, wrong: sender.wrong }).toEqual({ lost: [], wrong: [] });
    expect(ledger).toEqual({
      deliveries: all,
      bodies: all,
      processed: all,
      jobs: all,
      undone: 0,
      twice: 0,
    });
    expect(sender.slowestMs()).toBeLessThan(ANSWER_LIMIT_MS);
    for (const server of ["NATS", "PostgreSQL"]) expect(downMs[server]).toBeLessThan(BACK_LIMIT_MS);
  },
  TEST_MS,
);
