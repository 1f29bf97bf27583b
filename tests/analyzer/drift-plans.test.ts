import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";

import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { change, NUMBER, plan, REPOSITORY, resource, startWorld, type Tenant, type World } from "./kit.ts";

const ACCOUNT = "123456789012";
const ARN = `arn:aws:sqs:eu-west-1:${ACCOUNT}:orders`;
const ADDRESS = "aws_sqs_queue.orders";
const DECLARED = { id: ARN, arn: ARN, name: "orders", delay_seconds: 0 };

let world: World;
let tenant: Tenant;
let sourceId: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  ({ id: sourceId } = await send("POST", "/iac-sources", {
    name: "network/prod",
    cloud_account_id: account.id,
  }));
  const state = tfstate([{ type: "aws_sqs_queue", name: "orders", attributes: DECLARED }]);
  await send("PUT", `/iac-sources/${sourceId}/state`, state);
  const row = { provider_resource_id: ARN, provider_type: "AWS::SQS::Queue" };
  const scan = await send("PUT", `/cloud-accounts/${account.id}/listing`, ndjson([row]));
  while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
});

const send = async (method: string, path: string, body?: unknown) => {
  const base = `/api/v2/orgs/${tenant.orgId}`;
  const answered = await world.stack.ask(method, base + path, { as: tenant.key, body });
  if (answered.status >= 300) throw new Error(`${answered.status} ${answered.text}`);
  return answered.body;
};

const drift = async (): Promise<DriftChange[]> => (await send("GET", "/drift-changes")).data;

/** A plan that creates a bucket and whose refresh found a different delay. */
const PLAN = {
  ...plan(
    resource("aws_s3_bucket.new", change(["create"], { after: { bucket: "new" } })),
    resource(ADDRESS, change(["no-op"], { before: DECLARED, after: DECLARED })),
  ),
  resource_drift: [
    resource(ADDRESS, change(["update"], { before: DECLARED, after: { ...DECLARED, delay_seconds: 90 } })),
  ],
};
const CLEAN = plan(resource(ADDRESS, change(["no-op"], { before: DECLARED, after: DECLARED })));
const PROJECT = { name: "network/prod" };

test("drift in a pipeline's plan is drift of the account, and its changes are pending", async () => {
  await tenant.analyzed({ plan: PLAN, project: PROJECT, narrative: false });
  await tenant.settled();
  const found = await drift();
  expect(found.map(({ kind, address }) => `${kind} ${address}`).toSorted()).toEqual([
    `changed ${ADDRESS}`,
    "pending aws_s3_bucket.new",
  ]);
  expect(found.find(({ kind }) => kind === "changed")).toMatchObject({
    provider_resource_id: ARN,
    attribute_changes: [{ path: ["delay_seconds"], before: 0, after: 90 }],
  });
  expect((await send("GET", `/iac-sources/${sourceId}`)).planned_at).toBeString();

  await tenant.analyzed({ plan: CLEAN, project: PROJECT, narrative: false });
  await tenant.settled();
  expect(await drift()).toEqual([]);
});

test("a plan of a merge request, a branch or an unknown project reports no drift", async () => {
  const planned = { plan: PLAN, repository: REPOSITORY, project: PROJECT, narrative: false };
  await tenant.analyzed({ ...planned, change_request: { number: NUMBER } });
  expect(await tenant.analyzed({ ...planned, speculative: true })).toMatchObject({ speculative: true });
  await tenant.analyzed({ plan: PLAN, project: { name: "network/dev" }, narrative: false });
  await tenant.settled();
  expect(await drift()).toEqual([]);
  expect((await send("GET", "/llm-jobs")).data).toHaveLength(3);
});
