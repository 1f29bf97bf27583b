import { afterAll, beforeAll, expect, test } from "bun:test";

import { reportBacklog } from "@leeway/shared/platform/telemetry/backlog";
import { openDatabase } from "@leeway/shared/database/database";
import { registry } from "@leeway/shared/platform/telemetry/metrics";
import { testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { backlog as jobs } from "../../services/analyzer/src/jobs/store/jobs.ts";
import { matchCounts } from "../../services/inventory/src/matching/store/match-counts.ts";
import { backlog as scans } from "../../services/inventory/src/scans/store/work.ts";
import { openBreakers } from "../../services/quota/src/llm-config/store.ts";
import { backlog as deliveries } from "../../services/webhooks/src/deliveries/store/work.ts";
import { until } from "../chaos/until.ts";
import { SCHEMAS } from "./stack.ts";

const MINUTE = 60;
let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase(SCHEMAS);
});
afterAll(() => db.drop());

/** Creates an id with a time in the past. */
function idOf(secondsAgo: number): string {
  return Bun.randomUUIDv7("hex", Date.now() - secondsAgo * 1000);
}

test("an empty queue has no waiting time", async () => {
  const queues = [
    ...(await deliveries(db.open("webhooks").system)),
    ...(await jobs(db.open("analyzer").system)),
    ...(await scans(db.open("inventory").system)),
  ];
  expect(queues.map(({ queue }) => queue)).toEqual(["deliveries", "notifications", "jobs", "scans"]);
  expect(queues.filter(({ waiting, oldest_seconds: age }) => waiting !== 0 || age !== 0)).toEqual([]);
});

test("the metrics count waiting work of all organizations, with the age of the oldest", async () => {
  for (const age of [MINUTE, 10 * MINUTE]) {
    const [org, id] = [crypto.randomUUID(), idOf(age)];
    await db.admin`
      insert into webhooks.deliveries (org_id, id, config_id, source, body_sha256, size, outcome, received_at)
      values (${org}, ${id}, ${id}, 'planner', '', 1, 'pending', now() - make_interval(secs => ${age}))
    `;
    await db.admin`
      insert into analyzer.jobs (org_id, id, kind, status, subject, created_at)
      values (${org}, ${id}, 'analyze', 'running', '{}', now() - make_interval(secs => ${age}))
    `;
  }
  const { system } = db.open("webhooks");
  const queues = [...(await deliveries(system)), ...(await jobs(db.open("analyzer").system))];
  for (const queue of ["deliveries", "jobs"]) {
    const own = queues.find((one) => one.queue === queue);
    expect(own?.waiting).toBe(2);
    expect(own?.oldest_seconds).toBeWithin(10 * MINUTE, 11 * MINUTE);
  }
  const reporting = reportBacklog(testLog(), () => deliveries(system));
  await until(async () => (await registry.metrics()).includes('leeway_waiting{queue="deliveries"} 2'), 5_000);
  await reporting.stop();
});

test("statements during a database outage are counted as failed, even without requests", async () => {
  const failed = 'leeway_database_seconds_count{lane="short",outcome="error"}';
  expect(await registry.metrics()).not.toContain(failed);
  const away = openDatabase({ url: "postgres://nobody@127.0.0.1:1/leeway", service: "webhooks" });
  const reporting = reportBacklog(testLog(), () => deliveries(away.system));
  await until(async () => (await registry.metrics()).includes(failed), 5_000);
  await reporting.stop();
  await away.close();
});

test("live resources are counted by match status over all organizations", async () => {
  for (const org of [crypto.randomUUID(), crypto.randomUUID()]) {
    await db.admin`
      insert into inventory.cloud_accounts
        (org_id, id, provider, cloud, external_id, live_count, matched_count, undeclared_count, unchecked_count,
         excluded_count, missing_count)
      values (${org}, ${org}, 'aws', 'aws', '1', 10, 6, 4, 1, 2, 3)
    `;
  }
  expect(await matchCounts(db.open("inventory").system)).toEqual({
    matched: 12,
    undeclared: 6,
    unchecked: 2,
    excluded: 4,
    missing: 6,
  });
});

test("paused keys are counted until they may be tried again", async () => {
  for (const retryAt of ["1 minute", "-1 minute"]) {
    const org = crypto.randomUUID();
    await db.admin`
      insert into quota.llm_configs (org_id, id, provider, model, sealed_key, key_hint, key_fingerprint, retry_at)
      values (${org}, ${org}, 'openai', 'm', '', '', '', now() + ${retryAt}::interval)
    `;
  }
  expect(await openBreakers(db.open("quota").system)).toEqual([{ provider: "openai", open: 1 }]);
});
