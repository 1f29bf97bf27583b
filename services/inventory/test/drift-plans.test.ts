import { afterAll, beforeAll, expect, test } from "bun:test";

import { ListDriftChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";
import { ReportPlan, type PendingChange } from "@leeway/shared/contracts/inventory/plans";
import { ListSnapshots } from "@leeway/shared/contracts/inventory/posture";
import { DeleteSource, GetSource } from "@leeway/shared/contracts/inventory/sources";
import type { JsonObject } from "@leeway/shared/values/json";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const NAME = "network/prod";
const ADDRESS = "aws_lambda_function.orders";
const ARN = `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:orders`;
const DECLARED = { id: "orders", function_name: "orders", arn: ARN, memory_size: 256, timeout: 30 };

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const declared = (attributes: JsonObject = {}) => ({
  type: "aws_lambda_function",
  name: "orders",
  attributes: { ...DECLARED, ...attributes },
});
const listed = (properties?: JsonObject) => ({
  provider_resource_id: ARN,
  provider_type: "AWS::Lambda::Function",
  region: "eu-west-1",
  ...(properties && { properties }),
});
const refreshed = (after: JsonObject | null, address = ADDRESS): JsonObject => ({
  address,
  mode: "managed",
  type: "aws_lambda_function",
  name: "orders",
  provider_name: "registry.terraform.io/hashicorp/aws",
  change: {
    actions: [after ? "update" : "delete"],
    before: DECLARED,
    after: after && { ...DECLARED, ...after },
  },
});
const PENDING: PendingChange = {
  address: "aws_sqs_queue.new",
  resource_type: "aws_sqs_queue",
  provider_name: "registry.terraform.io/hashicorp/aws",
  actions: ["create"],
  attribute_changes: [],
  risk_level: "none",
  risk_flags: [],
  fingerprint: "dc1_0",
  hidden: false,
};

/** Creates an account with one declared function and pushes its listing. Returns helpers for its drift. */
async function start({ named = true } = {}) {
  const org = newOrg(inventory);
  const { call, bodies } = inventory;
  const org_id = org.id;
  const account = await org.account("aws", ACCOUNT);
  const source = await org.source(NAME, named ? account.id : undefined);
  await org.pushState(source, tfstate([declared()], { serial: 1 }));
  await org.pushListing(account, ndjson([listed()]));
  return {
    org,
    account,
    source,
    async report(
      given: { drift?: JsonObject[]; pending?: PendingChange[] },
      { at = new Date(), names = [NAME] }: { at?: Date; names?: string[] } = {},
    ) {
      const { drift = [], pending = [] } = given;
      const lines = [...drift.map((one) => ({ drift: one })), ...pending.map((one) => ({ pending: one }))];
      const { ref } = await bodies.put(new Blob([ndjson(lines)]).stream(), 1 << 20);
      const planned = { source_names: names, planned_at: at.toISOString() };
      return call(ReportPlan, { org_id, ...planned, body: { ref } });
    },
    changes: async (): Promise<DriftChange[]> => (await call(ListDriftChanges, { org_id, limit: 100 })).data,
    snapshots: async (): Promise<number> => (await call(ListSnapshots, { org_id, limit: 100 })).data.length,
  };
}

const summaryOf = (changes: readonly DriftChange[]) =>
  changes.map(({ kind, address, attribute_changes: attributes }) => [
    kind,
    address,
    ...attributes.map(({ path, after }) => `${path.join(".")}=${JSON.stringify(after)}`),
  ]);

test("refreshed attributes are reported with the live resource until a newer value is known", async () => {
  const { org, account, report, changes } = await start();
  await report({ drift: [refreshed({ timeout: 60, description: "by hand" })] });
  const [change] = await changes();
  expect(summaryOf(await changes())).toEqual([["changed", ADDRESS, "timeout=60", 'description="by hand"']]);
  expect(change).toMatchObject({ provider_resource_id: ARN, actions: ["update"], risk_level: "low" });

  await org.pushListing(account, ndjson([listed({ Timeout: 30, MemorySize: 512 })]));
  expect(summaryOf(await changes())).toEqual([
    ["changed", ADDRESS, "memory_size=512"],
    ["changed", ADDRESS, 'description="by hand"'],
  ]);
});

test("drift in a listing isn't changed by a plan, however often it is reported", async () => {
  const { org, account, report, changes } = await start();
  await org.pushListing(account, ndjson([listed({ Timeout: 60 })]));
  const seen = [["changed", ADDRESS, "timeout=60"]];
  expect(summaryOf(await changes())).toEqual(seen);
  for (const after of [{ timeout: 30 }, { timeout: 60 }, { timeout: 90 }]) {
    await report({ drift: [refreshed(after), refreshed({ timeout: 60 })] });
    expect(summaryOf(await changes())).toEqual(seen);
  }
  await report({ drift: [refreshed({ timeout: 90, description: "by hand" })] });
  expect(summaryOf(await changes())).toEqual([...seen, ["changed", ADDRESS, 'description="by hand"']]);
});

test("a resource that a refresh found deleted is missing until a later listing shows it", async () => {
  const { org, account, report, changes } = await start();
  await report({ drift: [refreshed(null)] });
  expect(summaryOf(await changes())).toEqual([["missing", ADDRESS]]);
  await org.pushListing(account, ndjson([listed()]));
  expect(summaryOf(await changes())).toEqual([]);
  await org.pushListing(account, "[]", { allow_empty: true });
  const [missing] = await changes();
  expect(summaryOf(await changes())).toEqual([["missing", ADDRESS]]);
  await report({ drift: [refreshed(null)] });
  expect((await changes()).map(({ fingerprint }) => fingerprint)).toEqual([missing?.fingerprint ?? ""]);
});

test("a repeated plan overrides a listing in between", async () => {
  const { org, account, report, changes, snapshots } = await start();
  await report({ drift: [refreshed(null)] });
  await org.pushListing(account, ndjson([listed()]));
  expect(summaryOf(await changes())).toEqual([]);
  const before = await snapshots();
  await report({ drift: [refreshed(null)] });
  expect(summaryOf(await changes())).toEqual([["missing", ADDRESS]]);
  await report({ drift: [refreshed(null)] });
  expect(await snapshots()).toBe(before + 1);
});

test("a new state or a plan without it ends a plan's drift, the same state doesn't", async () => {
  const { org, source, report, changes } = await start();
  await report({ drift: [refreshed({ timeout: 60 })], pending: [PENDING] });
  await org.pushState(source, tfstate([declared()], { serial: 1 }));
  expect(summaryOf(await changes())).toEqual([
    ["changed", ADDRESS, "timeout=60"],
    ["pending", "aws_sqs_queue.new"],
  ]);
  await report({ drift: [refreshed({ timeout: 60 })] });
  expect(summaryOf(await changes())).toEqual([["changed", ADDRESS, "timeout=60"]]);
  await org.pushState(source, tfstate([declared({ timeout: 60 })], { serial: 2 }));
  expect(summaryOf(await changes())).toEqual([]);
});

test("an outdated plan or a plan of an unknown source changes nothing", async () => {
  const { source, report, changes, snapshots } = await start();
  const before = await snapshots();
  const drift = [refreshed({ timeout: 60 })];
  expect(await report({ drift }, { at: new Date(Date.now() - 60_000) })).toEqual({});
  expect(await report({ drift }, { names: ["network/dev"] })).toEqual({});
  expect(await snapshots()).toBe(before);
  const at = new Date();
  expect(await report({ drift }, { at, names: ["network/dev", NAME] })).toEqual({ source_id: source.id });
  const after = await snapshots();
  expect(after).toBe(before + 1);
  await report({ drift }, { at });
  await report({ drift: [] }, { at: new Date(at.getTime() - 1) });
  expect(await snapshots()).toBe(after);
  expect(summaryOf(await changes())).toEqual([["changed", ADDRESS, "timeout=60"]]);
});

test("a plan of a source without an account counts where its resources are", async () => {
  const { account, report, changes } = await start({ named: false });
  await report({ drift: [refreshed({ timeout: 60 })], pending: [PENDING] });
  expect(await changes()).toMatchObject([{ kind: "changed", cloud_account_id: account.id }]);
});

test("deleting a source deletes its plan's drift", async () => {
  const { org, source, report, changes } = await start();
  await report({ pending: [PENDING, PENDING] });
  expect(summaryOf(await changes())).toEqual([["pending", "aws_sqs_queue.new"]]);
  const { planned_at } = await inventory.call(GetSource, { org_id: org.id, source_id: source.id });
  expect(planned_at).toBeString();
  await inventory.call(DeleteSource, { org_id: org.id, source_id: source.id });
  expect((await changes()).filter(({ kind }) => kind === "pending")).toEqual([]);
});

test("pending plan changes send no notification when they appear or disappear", async () => {
  const { org, report, changes } = await start();
  const events = async (): Promise<unknown[]> => {
    const rows = await inventory.test.admin<{ type: string }[]>`
      select publication::json->'event'->>'type' as type from inventory.notices where org_id = ${org.id} order by id
    `;
    return rows.map(({ type }) => type);
  };
  await report({ pending: [PENDING] });
  expect(summaryOf(await changes())).toEqual([["pending", "aws_sqs_queue.new"]]);
  await report({ drift: [refreshed({ timeout: 60 })], pending: [PENDING] });
  expect(await events()).toEqual(["drift.detected", "posture.degraded"]);
  await report({ drift: [refreshed({ timeout: 60 })] });
  expect(summaryOf(await changes())).toEqual([["changed", ADDRESS, "timeout=60"]]);
  expect(await events()).toEqual(["drift.detected", "posture.degraded"]);
});
