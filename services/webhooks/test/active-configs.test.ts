import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { failureOf, testLog } from "@leeway/shared/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createActiveConfigs } from "../src/configs/active-configs.ts";
import { RING, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

/** The configs as another instance knows them, whose database can be taken away. */
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

test("configs are looked up once for many calls", async () => {
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

test("a database that is away for half a minute isn't noticed, for longer it is", async () => {
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

test("what is used is asked for again before it is too old", async () => {
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

test("what changes while it is looked up is looked up again", async () => {
  const orgId = crypto.randomUUID();
  await webhooks.newConfig(orgId);
  const { active, state } = anotherInstance();
  const looking = active.of(orgId, "planner");
  active.forget(orgId);
  await looking;
  expect(state.asked).toBe(2);
});
