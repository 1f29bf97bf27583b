import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";
import { failureOf, testLog } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createActiveConfigs } from "../src/configs/active-configs.ts";
import { RING, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

/** Returns the configs of a second instance, with a database that can be made unavailable. */
function anotherInstance() {
  const state = { away: false, asked: 0, now: 0 };
  const { database } = webhooks;
  const door: Database = {
    ...database,
    org(orgId) {
      state.asked += 1;
      if (state.away) throw unavailable("the database can't be reached");
      return database.org(orgId);
    },
  };
  const active = createActiveConfigs({ database: door, ring: RING, log: testLog(), now: () => state.now });
  return { state, active };
}

test("configs are read once for many calls", async () => {
  const orgId = crypto.randomUUID();
  const { id, raw_secret } = await webhooks.newConfig(orgId);
  const { active, state } = anotherInstance();
  const found = await Promise.all(Array.from({ length: 50 }, () => active.of(orgId, "planner")));
  expect(state.asked).toBe(1);
  for (const configs of found) {
    expect(configs).toEqual([
      {
        id,
        repoPath: undefined,
        botUsername: undefined,
        secrets: [{ raw: raw_secret, expiresAt: Infinity }],
      },
    ]);
  }
});

test("cached configs bridge 30 seconds of a database outage", async () => {
  const orgId = crypto.randomUUID();
  await webhooks.newConfig(orgId);
  const { active, state } = anotherInstance();
  await active.of(orgId, "planner");
  state.away = true;
  for (state.now of [14_000, 16_000, 29_000]) {
    expect(await active.of(orgId, "planner")).toHaveLength(1);
    await Bun.sleep(0);
  }
  state.now = 31_000;
  expect(await failureOf(active.of(orgId, "planner"))).toMatchObject({ code: "unavailable" });
  state.away = false;
  expect(await active.of(orgId, "planner")).toHaveLength(1);
});

test("a used entry is refreshed before it expires", async () => {
  const orgId = crypto.randomUUID();
  await webhooks.newConfig(orgId);
  const { active, state } = anotherInstance();
  await active.of(orgId, "planner");
  await webhooks.newConfig(orgId);
  state.now = 16_000;
  expect(await active.of(orgId, "planner")).toHaveLength(1);
  while (state.asked < 2) await Bun.sleep(1);
  await Bun.sleep(50);
  expect(await active.of(orgId, "planner")).toHaveLength(2);
});

test("an entry that changes during its lookup is read again", async () => {
  const orgId = crypto.randomUUID();
  await webhooks.newConfig(orgId);
  const { active, state } = anotherInstance();
  const looking = active.of(orgId, "planner");
  active.forget(orgId);
  await looking;
  expect(state.asked).toBe(2);
});
