import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Input } from "@leeway/shared/contracts/contract";
import { DecideDrift, ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import {
  CompareDrift,
  GetDriftChange,
  GroupDriftChanges,
} from "@leeway/shared/contracts/inventory/drift-reads";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const GRACE = "arn:aws:iam::123456789012:user/grace";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const arnOf = (name: string): string => `arn:aws:logs:eu-west-1:${ACCOUNT}:log-group:${name}`;
const declared = (name: string) => ({
  type: "aws_cloudwatch_log_group",
  name,
  module: `module.${name}`,
  attributes: { id: name, name, arn: arnOf(name), retention_in_days: 30, kms_key_id: "key" },
});
const live = (name: string, RetentionInDays: number, KmsKeyId?: string) => ({
  provider_resource_id: arnOf(name),
  provider_type: "AWS::Logs::LogGroup",
  properties: { LogGroupName: name, RetentionInDays, KmsKeyId: KmsKeyId ?? "key" },
});

/** Lists an account twice: `same` had drifted before, `fresh` drifts since, `back` is put back, `grew` becomes worse. */
async function twoListings() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  await org.pushState(
    await org.source("logs", account.id),
    tfstate(["same", "fresh", "back", "grew"].map(declared)),
  );
  await org.pushListing(
    account,
    ndjson([live("same", 7), live("fresh", 30), live("back", 7), live("grew", 60)]),
  );
  const since = new Date().toISOString();
  await org.pushListing(
    account,
    ndjson([live("same", 7), live("fresh", 7), live("back", 30), live("grew", 7)]),
  );
  const list = async (filter: Omit<Input<typeof ListDriftChanges>, "org_id" | "limit">) =>
    (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 100, ...filter })).data;
  return {
    org,
    account,
    since,
    list,
    names: async (filter: Parameters<typeof list>[0]) =>
      (await list(filter)).map(({ address = "" }) => address.split(".").slice(-1).join("")).toSorted(),
  };
}

test("a listing since a time has what is new, worse or gone", async () => {
  const { since, names } = await twoListings();
  expect(await names({ since })).toEqual(["fresh", "grew"]);
  expect(await names({ since, movement: "new" })).toEqual(["fresh"]);
  expect(await names({ since, movement: "worse" })).toEqual(["grew"]);
  expect(await names({ since, movement: "gone" })).toEqual(["back"]);
  expect(await names({ since: "2026-01-01T00:00:00Z" })).toEqual(["fresh", "grew"]);
});

test("the comparison counts the same by account, level, type and person", async () => {
  const { org, account, since, list } = await twoListings();
  await inventory.test.admin`
    update inventory.drift_fingerprints set actor = jsonb_build_object('principal', ${GRACE}::text) where org_id = ${org.id}
  `;
  const moved = { new_count: 1, worse_count: 1, gone_count: 1, risk_level: "high" as const };
  const found = await inventory.call(CompareDrift, { org_id: org.id, since });
  expect(found).toMatchObject({ new_count: 1, worse_count: 1, gone_count: 1 });
  expect(found.accounts).toEqual([{ key: account.id, ...moved }]);
  expect(found.types).toEqual([{ key: "aws_cloudwatch_log_group", ...moved }]);
  expect(found.people).toEqual([{ key: GRACE, ...moved }]);
  const [fresh] = await list({ since, movement: "new" });
  const decided_by = { type: "person" as const, id: "ada" };
  await inventory.call(DecideDrift, {
    org_id: org.id,
    fingerprint: fresh?.fingerprint ?? "",
    status: "ignored",
    decided_by,
  });
  expect(await inventory.call(CompareDrift, { org_id: org.id, since })).toMatchObject({ new_count: 0 });
});

test("changes are grouped by what they have in common, and each group's key lists it", async () => {
  const { org, list } = await twoListings();
  const group = async (by: NonNullable<Input<typeof GroupDriftChanges>["by"]>) =>
    (await inventory.call(GroupDriftChanges, { org_id: org.id, by })).data;
  const [cause, ...others] = await group("cause");
  expect([cause?.count, others]).toEqual([3, []]);
  expect(await list({ cause: cause?.key ?? "" })).toHaveLength(3);
  expect((await group("module")).map(({ key, count }) => `${key}: ${count}`).toSorted()).toEqual([
    "module.fresh: 1",
    "module.grew: 1",
    "module.same: 1",
  ]);
  expect(await list({ module_address: "module.same" })).toHaveLength(1);
  expect(await group("person")).toMatchObject([{ count: 3 }]);
});

test("a change is found by its fingerprint with its earlier values, its source and the last decision, even if it is gone", async () => {
  const { org, since, list } = await twoListings();
  const [grew] = await list({ since, movement: "worse" });
  const fingerprint = grew?.fingerprint ?? "";
  const decided_by = { type: "person" as const, id: "ada" };
  await inventory.call(DecideDrift, { org_id: org.id, fingerprint, status: "acknowledged", decided_by });
  const found = await inventory.call(GetDriftChange, { org_id: org.id, fingerprint });
  expect(found.source?.name).toBe("logs");
  expect(found.disposition).toMatchObject({ by: decided_by, at: expect.any(String) });
  expect(
    found.versions.map(({ attribute_changes: [value], until }) => [value?.after, until !== undefined]),
  ).toEqual([
    [7, false],
    [60, true],
  ]);
  const [back] = await list({ since, movement: "gone" });
  const gone = await inventory.call(GetDriftChange, { org_id: org.id, fingerprint: back?.fingerprint ?? "" });
  expect(gone.disposition.status).toBe("resolved");
  const other = { org_id: newOrg(inventory).id, fingerprint };
  expect(await failureOf(inventory.call(GetDriftChange, other))).toMatchObject({ code: "not_found" });
});

test("changes can be listed from a risk level on, without ignored ones, and a movement needs a time", async () => {
  const { org, list, names } = await twoListings();
  const [first] = await list({});
  const decided_by = { type: "person" as const, id: "ada" };
  expect(await list({ min_risk: "high" })).toHaveLength(3);
  expect(await list({ min_risk: "critical" })).toHaveLength(0);
  await inventory.call(DecideDrift, {
    org_id: org.id,
    fingerprint: first?.fingerprint ?? "",
    status: "ignored",
    decided_by,
  });
  expect(await names({ min_risk: "high", ignored: "exclude" })).toHaveLength(2);
  expect(await failureOf(list({ movement: "new" }))).toMatchObject({ code: "invalid_parameter" });
});
