import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { openBodies } from "@leeway/shared/bus/bodies";
import { call } from "@leeway/shared/bus/request";
import { withContext } from "@leeway/shared/context";
import { SubmitPlan, type Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { text } from "@leeway/shared/json";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { fails, hangs, says } from "../../services/quota/test/support/model-server.ts";
import { change, destroysDatabase, plan, resource, startWorld, type Tenant, type World } from "./kit.ts";

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

/** Asks the analyzer itself, as the gateway does. */
async function submit(job_id = Bun.randomUUIDv7()): Promise<Submitted> {
  const body = new Response(JSON.stringify({ plan: destroysDatabase() })).body!;
  const { ref } = await openBodies(world.stack.bus, 1).put(body, 1_000_000);
  const submitted_by = { type: "api_key" as const, id: "k" };
  return call(world.stack.bus, SubmitPlan, { org_id: tenant.orgId, job_id, submitted_by, body: { ref } });
}

test("a submission that is called off, whenever that is, leaves no slot without a job", async () => {
  await setWeeklyCap(1_000);
  const bodies = openBodies(world.stack.bus, 1);
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

test("a job that is asked for again is the same, on one slot, at once and when it is over", async () => {
  const id = Bun.randomUUIDv7();
  const answers = await Promise.all([submit(id), submit(id), submit(id)]);
  await tenant.job(id);
  const late = await submit(id);
  expect(late).toMatchObject({ accepted: true, job_id: id, status: "done" });
  const made = [...answers, late].map((answer) => answer.accepted && answer.created_at);
  expect(new Set(made).size).toBe(1);
  expect(await tenant.usage()).toBe(1);
});

test("a slot that was taken before the organization set its own key is given back once that key has told the plan", async () => {
  const id = Bun.randomUUIDv7();
  await call(world.stack.bus, ReserveSlot, { org_id: tenant.orgId, job_id: id });
  expect(await tenant.usage()).toBe(1);
  world.model.answerWith(says("`aws_db_instance.orders` is destroyed: **critical** (R01)."));
  const own = { api_key: world.model.key, base_url: world.model.baseUrl("anthropic") };
  const body = { provider: "anthropic", ...own };
  await world.stack.ask("PUT", `/api/v2/orgs/${tenant.orgId}/llm-config`, { as: tenant.key, body });
  await submit(id);
  expect((await tenant.job(id)).result.narrative.source).toBe("byok");
  expect(await tenant.usage()).toBe(0);
});

test.each([
  [401, "its provider rejects the key"],
  [402, "the key's account has no credit left"],
  [404, "its provider doesn't know the model"],
  [500, "server"],
] as const)(
  "a plan says what is wrong with the organization's own model that answers %d",
  async (code, why) => {
    const own = { api_key: world.model.key, base_url: world.model.baseUrl("anthropic") };
    const body = { provider: "anthropic", ...own };
    await world.stack.ask("PUT", `/api/v2/orgs/${tenant.orgId}/llm-config`, { as: tenant.key, body });
    world.model.answerWith(fails(code));
    const { result } = await tenant.analyzed({ plan: destroysDatabase() });
    const note = `the organization's own model failed (${why})`;
    expect(result.narrative).toMatchObject({ source: "template", note });
  },
);

test("an answered submission names the time at which its job was made", async () => {
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

test("a fix that is being made already is named also when it holds the last slot, and asking for it again takes none", async () => {
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
