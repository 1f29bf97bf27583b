import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "../bus/connection.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { failureOf, testBus, testLog } from "../testing/testing.ts";

interface Thing {
  id: string;
}

let bus: BusConnection;
beforeAll(async () => {
  bus = await testBus("outbox");
});
afterAll(() => bus.nats.close());

/** Returns an outbox of rows such as `a1`, of the organization `a`, which can't send `refused`. */
function outboxOf(rows: string[], { refused = "", on = bus } = {}) {
  const sent: string[] = [];
  const withdrawn: string[] = [];
  const outbox: Outbox<Thing> = createOutbox<Thing>(
    { bus: on, log: testLog() },
    {
      name: crypto.randomUUID(),
      everyMs: 1_000,
      limit: 3,
      claim: async () => rows.splice(0, 3).map((id) => ({ org_id: id.slice(0, 1), id })),
      async send(orgId, things) {
        for (const { id } of things) {
          if (id === refused) throw new Error("refused");
          sent.push(`${orgId} ${id}`);
        }
      },
      withdraw: async (_, things) => void withdrawn.push(...things.map(({ id }) => id)),
    },
  );
  return { outbox, sent, withdrawn };
}

test("a sweep sends all waiting rows, those of an organization in order", async () => {
  const { outbox, sent, withdrawn } = outboxOf(["a1", "b1", "a2", "a3", "b2"]);
  await outbox.sweep();
  expect(sent.filter((row) => row.startsWith("a"))).toEqual(["a a1", "a a2", "a a3"]);
  expect(sent.filter((row) => row.startsWith("b"))).toEqual(["b b1", "b b2"]);
  expect(withdrawn).toEqual([]);
});

test("after a failure an organization's rows wait for the next sweep, and another's are sent", async () => {
  const { outbox, sent, withdrawn } = outboxOf(["a1", "a2", "b1"], { refused: "a1" });
  expect(await failureOf(outbox.sweep())).toMatchObject({ message: "refused" });
  expect(sent).toEqual(["b b1"]);
  expect(withdrawn).toEqual(["a1", "a2"]);
});

test("rows that were just stored are sent at once, unless the bus is down", async () => {
  const { outbox, sent } = outboxOf([]);
  outbox.offer("a", [{ id: "a1" }, { id: "a2" }]);
  expect(sent).toEqual(["a a1", "a a2"]);
  const away = outboxOf(["a4"], { on: { ...bus, connected: false } });
  away.outbox.offer("a", [{ id: "a3" }]);
  await away.outbox.sweep();
  expect(away.sent).toEqual([]);
});

test("an offer that fails doesn't affect its caller, and the next is sent", () => {
  const { outbox, sent } = outboxOf([], { refused: "a1" });
  outbox.offer("a", [{ id: "a1" }]);
  outbox.offer("a", [{ id: "a2" }]);
  expect(sent).toEqual(["a a2"]);
});
