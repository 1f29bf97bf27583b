import { afterAll, beforeAll, expect, test } from "bun:test";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { drained, ledgerOf } from "./ledger.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { attempt, createSender } from "./sender.ts";

const REPEATS = 100;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet({ services: ["gateway", "webhooks", "analyzer"] });
}, TEST_MS);

afterAll(() => fleet.stop(), TEST_MS);

test(
  "a body sent a hundred times at once, and again after a restart, is one event with 202 each time",
  async () => {
    const [receiver, other] = [await fleet.newReceiver(), await fleet.newReceiver()];
    const body = planEvent();
    const allAtOnce = () => Promise.all(Array.from({ length: REPEATS }, () => attempt(receiver, body)));
    const first = await allAtOnce();
    await drained(fleet, WAIT_MS);
    fleet.kill("webhooks");
    await createSender(other).send(planEvent());
    const again = await allAtOnce();
    await drained(fleet, WAIT_MS);
    const answers = [...first, ...again].map(({ status, text }) => ({ status, body: JSON.parse(text) }));
    const [id] = answers.map(({ body }) => body.delivery_id);
    const ledger = await ledgerOf(fleet, receiver);
    figure(
      `${answers.length} answers, the slowest ${Math.round(Math.max(...first.map(({ ms }) => ms)))} ms at first and ` +
        `${Math.round(Math.max(...again.map(({ ms }) => ms)))} ms after the restart: ${JSON.stringify(ledger)}`,
    );
    expect(answers.filter(({ body }) => body.status === "accepted")).toHaveLength(1);
    const repeat = { status: 202, body: { status: "duplicate", delivery_id: id } };
    expect(answers.filter(({ body }) => body.status !== "accepted")).toEqual(
      Array.from({ length: 2 * REPEATS - 1 }, () => repeat),
    );
    expect(ledger).toMatchObject({ deliveries: 1, bodies: 1, processed: 1, jobs: 1, twice: 0 });
  },
  TEST_MS,
);
