import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";
import type { JsonObject } from "@leeway/shared/values/json";

import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { change, plan, plannerBody, resource, startWorld, type Tenant, type World } from "./kit.ts";

const ACCOUNT = "123456789012";
const ARN = `arn:aws:sqs:eu-west-1:${ACCOUNT}:orders`;
const ADDRESS = "aws_sqs_queue.orders";
const DECLARED = { id: ARN, arn: ARN, name: "orders", delay_seconds: 0 };
const OWN = "acme/infra";
const OTHER = "acme/website";

let world: World;
let tenant: Tenant;
let sourceId: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  const { body: account } = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const source = { name: "network/prod", cloud_account_id: account.id };
  ({ id: sourceId } = (await send("POST", "/iac-sources", source)).body);
  const state = tfstate([{ type: "aws_sqs_queue", name: "orders", attributes: DECLARED }]);
  await send("PUT", `/iac-sources/${sourceId}/state`, state);
  const row = { provider_resource_id: ARN, provider_type: "AWS::SQS::Queue" };
  const { body: scan } = await send("PUT", `/cloud-accounts/${account.id}/listing`, ndjson([row]));
  while ((await send("GET", `/scans/${scan.id}`)).body.finished_at === undefined) await Bun.sleep(20);
});

const send = (method: string, path: string, body?: unknown) =>
  world.stack.ask(method, `/api/v2/orgs/${tenant.orgId}${path}`, { as: tenant.key, body });

/** So many entries of submitted plans, newest first, once they are in the audit log. */
async function submissions(count: number): Promise<object[]> {
  for (;;) {
    const { data } = (await send("GET", "/audit-log?action=plan.submit")).body;
    if (data.length >= count) return data;
    await Bun.sleep(20);
  }
}

const drift = async (): Promise<DriftChange[]> => (await send("GET", "/drift-changes")).body.data;

/** A plan whose refresh found another delay. */
const DRIFTED = {
  ...plan(resource(ADDRESS, change(["no-op"], { before: DECLARED, after: DECLARED }))),
  resource_drift: [
    resource(ADDRESS, change(["update"], { before: DECLARED, after: { ...DECLARED, delay_seconds: 90 } })),
  ],
};
const CLEAN = plan(resource(ADDRESS, change(["no-op"], { before: DECLARED, after: DECLARED })));
const PROJECT = { name: "network/prod" };

const submission = (given: JsonObject, more: JsonObject = {}): JsonObject => ({
  plan: given,
  repository: OWN,
  project: PROJECT,
  narrative: false,
  ...more,
});
/** The same as a pipeline sends that doesn't know its repository. */
function unclaimed(given: JsonObject, more: JsonObject = {}): JsonObject {
  const { repository: _, ...rest } = submission(given, more);
  return rest;
}
function planned(given: JsonObject, repository: string): JsonObject {
  const { change_request: _, ...body } = plannerBody(given, { repository, project: PROJECT });
  return body;
}

describe("a source belongs to the repository of its first plan:", () => {
  beforeEach(async () => {
    await tenant.analyzed(submission(DRIFTED));
    await tenant.settled();
    expect(await drift()).toHaveLength(1);
  });

  test("a plan that claims another repository resolves none of its drift", async () => {
    const refused = await tenant.analyze(submission(CLEAN, { repository: OTHER }));
    expect(refused).toMatchObject({ status: 403, body: { code: "repository_mismatch" } });
    expect(refused.body["message"]).toContain(
      `IaC source network/prod belongs to repository ${OWN}, but the plan belongs to ${OTHER}`,
    );
    await tenant.settled();
    expect(await drift()).toHaveLength(1);
  });

  test("a plan without a repository is refused", async () => {
    const refused = await tenant.analyze(unclaimed(CLEAN));
    expect(refused).toMatchObject({ status: 403, body: { code: "repository_mismatch" } });
    expect(refused.body["message"]).toContain("the plan names no repository");
    await tenant.settled();
    expect(await drift()).toHaveLength(1);
  });

  test("a planner event of another repository fails, and its delivery says why", async () => {
    const delivery = await tenant.fromPlanner(planned(CLEAN, OTHER));
    await tenant.settled();
    expect(await drift()).toHaveLength(1);
    const { data: configs } = (await send("GET", "/webhooks")).body;
    const config = configs.find(({ source }: { source: string }) => source === "planner");
    const { data: deliveries } = (await send("GET", `/webhooks/${config.id}/deliveries`)).body;
    const one = deliveries.find(({ id }: { id: string }) => id === delivery);
    expect(one).toMatchObject({ reason: "job: repository_mismatch" });
    const job = await tenant.job(one.job_id);
    expect(job).toMatchObject({ status: "error", error: { code: "repository_mismatch" } });
    expect(job.error?.message).toContain(OWN);
  });

  test("a plan of its own repository is still accepted, from a pipeline or a planner", async () => {
    await tenant.fromPlanner(planned(CLEAN, OWN));
    await tenant.settled();
    expect(await drift()).toEqual([]);
    expect(await submissions(2)).toMatchObject([
      {
        actor: { type: "system" },
        details: { repository: OWN, project: "network/prod", webhook_config_id: expect.any(String) },
      },
      { actor: { type: "api_key" }, details: { repository: OWN, project: "network/prod" } },
    ]);
    await tenant.analyzed(submission(DRIFTED));
    await tenant.settled();
    expect(await drift()).toHaveLength(1);
  });

  test("an admin sees the repository and can reassign the source to another", async () => {
    const path = `/iac-sources/${sourceId}`;
    expect((await send("GET", path)).body.repository).toEqual({ path: OWN });
    const changed = await send("PATCH", path, { repository: { path: OTHER } });
    expect(changed).toMatchObject({ status: 200, body: { repository: { path: OTHER } } });
    expect((await tenant.analyze(submission(CLEAN))).status).toBe(403);
    await tenant.analyzed(submission(CLEAN, { repository: OTHER }));
    await tenant.settled();
    expect(await drift()).toEqual([]);
  });
});

test("a source created with a repository belongs to it before its first plan", async () => {
  const made = await send("POST", "/iac-sources", { name: "dns/prod", repository: { path: OWN } });
  expect(made).toMatchObject({ status: 201, body: { repository: { path: OWN } } });
  const project = { name: "dns/prod" };
  expect((await tenant.analyze(submission(CLEAN, { repository: OTHER, project }))).status).toBe(403);
  expect((await tenant.analyze(submission(CLEAN, { project }))).status).toBe(202);
});

test("two repositories may have projects with the same name if no source has that name", async () => {
  const project = { name: "unknown" };
  expect((await tenant.analyze(submission(CLEAN, { project }))).status).toBe(202);
  expect((await tenant.analyze(submission(CLEAN, { repository: OTHER, project }))).status).toBe(202);
});

const NOISY = plan(
  resource(
    "aws_s3_bucket_policy.b",
    change(["update"], { before: { policy: '{"a":1,"b":2}' }, after: { policy: '{"b":2,"a":1}' } }),
  ),
);

test("a plan without a repository isn't attributed to a repository's project by its name", async () => {
  const project = { name: "app" };
  await tenant.analyzed(submission(NOISY, { project }));
  await tenant.analyzed(unclaimed(CLEAN, { project: { name: `${OWN}:app` } }));
  const { data } = (await send("GET", "/plan-noise")).body;
  expect(data).toMatchObject([{ status: "active", projects: [`${OWN}:app`] }]);
});

test("a planner config with a repository is only for that repository", async () => {
  const { body: config } = await send("POST", "/webhooks", { source: "planner", repo_path: OTHER });
  const bytes = JSON.stringify(planned(CLEAN, OWN));
  const signature = new Bun.CryptoHasher("sha256", config.raw_secret).update(bytes).digest("hex");
  const headers = { "x-planner-signature": `sha256=${signature}` };
  const url = `${world.stack.url}/webhooks/planner/${tenant.orgId}`;
  const answer = await fetch(url, { method: "POST", body: bytes, headers });
  expect([answer.status, await answer.json()]).toEqual([403, { error: "repository_mismatch" }]);
  for (;;) {
    const { last_reject: reject } = (await send("GET", `/webhooks/${config.id}`)).body;
    if (reject) {
      expect(reject.reason).toBe("repository_mismatch");
      break;
    }
    await Bun.sleep(20);
  }
  expect((await send("GET", "/llm-jobs")).body.data).toEqual([]);
});
