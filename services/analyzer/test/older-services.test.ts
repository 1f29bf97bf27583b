import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { GetAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListSnapshotChanges } from "@leeway/shared/contracts/inventory/drift";
import { GetSnapshot, NoteNarrative, type DriftSnapshot } from "@leeway/shared/contracts/inventory/posture";
import { CreateCompletion, type Completion } from "@leeway/shared/contracts/quota/completions";
import { ReleaseSlot } from "@leeway/shared/contracts/quota/slots";
import { invalidParameter } from "@leeway/shared/values/errors";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { standingOf, storeJobs } from "../src/jobs/store/jobs.ts";
import { SCHEMA } from "../src/schema.ts";
import { narrateJob } from "../src/snapshots/narrate-job.ts";

const AT = "2026-10-06T14:05:12.000Z";
const ANSWER = { summary: "Nothing was changed by hand.", findings: [] };
const log = testLog();

let db: TestDatabase;
let bus: BusConnection;
let others: BusConnection[];
/** Service that is an older build without structured answers. */
let older: "quota" | "inventory" | undefined;
const noted: DriftSnapshot["narrative"][] = [];

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  bus = await testBus("analyzer");
  const [quota, inventory] = await Promise.all([testBus("quota"), testBus("inventory")]);
  others = [quota, inventory];
  serve(quota, { service: "quota", endpoints: quotaEndpoints(), log });
  serve(inventory, { service: "inventory", endpoints: inventoryEndpoints(), log });
  await Promise.all(others.map(({ nats }) => nats.flush())); // the server has the subscriptions
});
afterAll(async () => {
  await Promise.all([bus, ...others].map(({ nats }) => nats.close()));
  await db.drop();
});
beforeEach(() => {
  noted.length = 0;
});

function quotaEndpoints() {
  return [
    answer(CreateCompletion, async ({ schema }): Promise<Completion> => {
      if (older === "quota" && schema) throw invalidParameter("schema", "is unknown");
      const usage = { input_tokens: 1, output_tokens: 1 };
      const said = { model: "m", text: JSON.stringify(ANSWER), finish: "stop" as const, usage };
      return { outcome: "completed", source: "platform", provider: "openai", ...said };
    }),
    answer(ReleaseSlot, async () => ({ state: "released" as const })),
  ];
}

function inventoryEndpoints() {
  const counts = {
    live_count: 1,
    matched_count: 1,
    undeclared_count: 0,
    unchecked_count: 0,
    excluded_count: 0,
  };
  return [
    answer(GetSnapshot, async ({ snapshot_id }) => ({
      id: snapshot_id,
      cloud_account_id: crypto.randomUUID(),
      status: "ready" as const,
      ...counts,
      missing_count: 0,
      changed_count: 0,
      coverage_pct: 100,
      coverage_reliable: true,
      risk_level: "none" as const,
      risk_counts: { critical: 0, high: 0, medium: 0, low: 0 },
      created_at: AT,
    })),
    answer(GetAccount, async ({ account_id }) => ({
      id: account_id,
      provider: "aws" as const,
      external_id: "210987654321",
      regions: [],
      status: "push" as const,
      created_at: AT,
      updated_at: AT,
    })),
    answer(ListSnapshotChanges, async () => ({ data: [] })),
    answer(NoteNarrative, async ({ narrative }) => {
      if (older === "inventory" && narrative.answer) throw invalidParameter("narrative.answer", "is unknown");
      noted.push(narrative);
      return {};
    }),
  ];
}

test.each(["quota", "inventory", undefined] as const)(
  "a snapshot gets a model's narrative while %s is an older version",
  async (which) => {
    older = which;
    const database = db.open(SCHEMA.service);
    const [orgId, id] = [crypto.randomUUID(), Bun.randomUUIDv7()];
    const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
    await storeJobs(database.org(orgId), [{ id, subject }]);
    const begun = { createdAt: new Date(), startedAt: new Date(), attempts: 1 };
    const job = { id, orgId, subject, result: undefined, input: undefined, ...begun };
    await narrateJob({ bus, log, database }, job);
    const words = { status: "ready", text: ANSWER.summary, source: "platform", model: "m" } as const;
    expect(noted).toEqual([which === "inventory" ? words : { ...words, answer: ANSWER }]);
    expect(await standingOf(database.org(orgId), id)).toMatchObject({ status: "done" });
  },
);
