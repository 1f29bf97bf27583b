import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { openBodies } from "@leeway/shared/bus/bodies";
import { call } from "@leeway/shared/bus/request";
import { withContext } from "@leeway/shared/platform/context";
import { SubmitPlan, type Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { text } from "@leeway/shared/values/json";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { fails, hangs } from "../../services/quota/test/support/model-server.ts";
import {
  answersWith,
  change,
  destroysDatabase,
  plan,
  resource,
  startWorld,
  type Tenant,
  type World,
} from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.model.answerAsUsual();
  tenant = await world.newTenant("free");
});

const setWeeklyCap = (cap: number) =>
  world.stack.ask("PUT", `/operator/orgs/${tenant.orgId}/plan`, {
    as: OPERATOR_TOKEN,
    body: { plan: "free", weekly_platform_llm_quota: cap },
  });

/** Submits to the analyzer directly, as the gateway does. */
async function submit(job_id = Bun.randomUUIDv7()): Promise<Submitted> {
  const body = new Response(JSON.stringify({ plan: destroysDatabase() })).body!;
  const { ref } = await openBodies(world.stack.bus, "analyzer").put(body, 1_000_000);
  const submitted_by = { type: "api_key" as const, id: "k" };
  return call(world.stack.bus, SubmitPlan, { org_id: tenant.orgId, job_id, submitted_by, body: { ref } });
}

test("a submission cancelled at any moment leaves no slot without a job", async () => {
  await setWeeklyCap(1_000);
  const bodies = openBodies(world.stack.bus, "analyzer");
  const submit = async (afterMs: number): Promise<void> => {
    const body = new Response(JSON.stringify({ plan: destroysDatabase() })).body!;
    const { ref } = await bodies.put(body, 1_000_000);
    const signal = AbortSignal.timeout(afterMs);
    const input = {
      org_id: tenant.orgId,
      submitted_by: { type: "api_key", id: "k" },
      body: { ref },
    } as const;
    await withContext({ requestId: "r", signal }, () => call(world.stack.bus, SubmitPlan, input)).catch(
      () => undefined,
    );
  };
  for (let count = 0; count < 60; count += 1) await submit(count / 4);
  await Bun.sleep(300);
  await tenant.settled();
  const held = await world.stack.db.admin`
    select r.id
      from quota.reservations r
      left join analyzer.jobs j on j.org_id = r.org_id and j.id = r.id
     where r.org_id = ${tenant.orgId}
       and (r.state = 'held' or (r.state = 'consumed' and j.id is null))
  `;
  expect(held).toHaveLength(0);
});

test("repeated submissions of one job share one slot, even after it is done", async () => {
  const id = Bun.randomUUIDv7();
  const answers = await Promise.all([submit(id), submit(id), submit(id)]);
  await tenant.job(id);
  const late = await submit(id);
  expect(late).toMatchObject({ accepted: true, job_id: id, status: "done" });
  const made = [...answers, late].map((answer) => answer.accepted && answer.created_at);
  expect(new Set(made).size).toBe(1);
  expect(await tenant.usage()).toBe(1);
});

test("a slot from before the organization set its own key is released once that key is used", async () => {
  const id = Bun.randomUUIDv7();
  await call(world.stack.bus, ReserveSlot, { org_id: tenant.orgId, job_id: id });
  expect(await tenant.usage()).toBe(1);
  world.model.answerWith(answersWith("`aws_db_instance.orders` is destroyed."));
  const own = { api_key: world.model.key, base_url: world.model.baseUrl("anthropic") };
  const body = { provider: "anthropic", ...own };
  await world.stack.ask("PUT", `/api/v2/orgs/${tenant.orgId}/llm-config`, { as: tenant.key, body });
  await submit(id);
  expect((await tenant.job(id)).result.narrative.source).toBe("byok");
  expect(await tenant.usage()).toBe(0);
});

test.each([
  [401, "the provider rejects the API key"],
  [402, "the provider account has no credit left"],
  [404, "the provider doesn't know the model"],
  [500, "server"],
] as const)("a plan reports a %d from the organization's own model", async (code, why) => {
  const own = { api_key: world.model.key, base_url: world.model.baseUrl("anthropic") };
  const body = { provider: "anthropic", ...own };
  await world.stack.ask("PUT", `/api/v2/orgs/${tenant.orgId}/llm-config`, { as: tenant.key, body });
  world.model.answerWith(fails(code));
  const { result } = await tenant.analyzed({ plan: destroysDatabase() });
  const note = `the organization's model failed: ${why}`;
  expect(result.narrative).toMatchObject({ source: "template", note });
});

test("a submission returns the creation time of its job", async () => {
  const { body } = await tenant.analyze({ plan: destroysDatabase() });
  const path = text(body, "poll_url") ?? "";
  const { body: job } = await world.stack.ask("GET", path, { as: tenant.key });
  expect(body["created_at"]).toBe(job.created_at);
});

const policy = (...Action: string[]) => ({
  policy: JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action, Resource: "*" }],
  }),
});
const REORDERED = change(["update"], { before: policy("b", "a"), after: policy("a", "b") });
const NOISY = plan(resource("aws_iam_policy.reader", REORDERED));

test("a repeated fix request returns the running job without another slot", async () => {
  const { result } = await tenant.analyzed({ plan: NOISY, narrative: false });
  await setWeeklyCap(1);
  world.model.answerWith(hangs);
  const path = `/api/v2/plan-noise/${result.noise[0]?.fingerprint}/fix`;
  const fix = () => world.stack.ask("POST", path, { as: tenant.key, body: {} });
  const first = await fix();
  expect(first.status).toBe(202);
  const again = { status: 409, body: { code: "conflict", job_id: first.body.job_id } };
  expect(await fix()).toMatchObject(again);
  await setWeeklyCap(5);
  expect(await fix()).toMatchObject(again);
  const slots = await world.stack.db
    .admin`select state from quota.reservations where org_id = ${tenant.orgId}`;
  expect(slots).toHaveLength(1);
});
