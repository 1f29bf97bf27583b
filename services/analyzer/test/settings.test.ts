import { afterAll, beforeAll, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";
import { failureOf, testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { SCHEMA } from "../src/schema.ts";
import { findSettings, updateSettings } from "../src/settings/settings.ts";

const USAGE = {
  weekly_used: 0,
  weekly_cap: 5,
  week_resets_at: "2026-10-12T00:00:00Z",
  hourly_used: 0,
  hourly_cap: -1,
  hour_resets_at: "2026-10-07T15:00:00Z",
  byok_configured: true,
  platform_model_configured: true,
  plan: "free" as const,
};

let db: TestDatabase;
let database: Database;
let bus: BusConnection;
let quota: BusConnection;
let isQuotaAway = false;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
  bus = await testBus("analyzer");
  quota = await testBus("quota");
  const usage = answer(GetUsage, async () => {
    if (isQuotaAway) throw unavailable("the database is gone");
    return USAGE;
  });
  serve(quota, { service: "quota", endpoints: [usage], log: testLog() });
  await quota.nats.flush();
});
afterAll(async () => {
  await Promise.all([bus.nats.close(), quota.nats.close()]);
  await db.drop();
});

test("settings are stored when the change is confirmed, and not when it fails", async () => {
  const orgId = crypto.randomUUID();
  const deps = { database, bus };
  isQuotaAway = true;
  const refused = await failureOf(updateSettings(deps, { org_id: orgId, risk_profile: "lenient" }));
  expect(refused).toMatchObject({ code: "unavailable" });
  isQuotaAway = false;
  const before = {
    risk_profile: "standard",
    comment_min_risk: "low",
    drift_narratives: true,
    comment_decisions: "acknowledge",
  } as const;
  expect(await findSettings(deps, orgId)).toEqual(before);

  expect(await updateSettings(deps, { org_id: orgId, risk_profile: "lenient" })).toEqual({
    ...before,
    risk_profile: "lenient",
  });
  // The quota service is no longer needed once the organization has chosen a profile.
  isQuotaAway = true;
  const chosen = { ...before, risk_profile: "lenient", drift_narratives: false } as const;
  expect(await updateSettings(deps, { org_id: orgId, drift_narratives: false })).toEqual(chosen);
  expect(await updateSettings(deps, { org_id: orgId, comment_min_risk: "high" })).toEqual({
    ...chosen,
    comment_min_risk: "high",
  });
  expect(await findSettings(deps, orgId)).toEqual({ ...chosen, comment_min_risk: "high" });
});
