import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { fails, says, slowly } from "../../services/quota/test/support/model-server.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import {
  answersWith,
  command,
  mayPush,
  plan,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

const ACCOUNT = "123456789012";
const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;

let world: World;
let tenant: Tenant;
let base: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.gitlab.notes.length = 0;
  world.model.requests.length = 0;
  world.model.answerAsUsual();
  tenant = await world.newTenant();
  base = `/api/v2/orgs/${tenant.orgId}`;
});

const send = async (method: string, path: string, body?: unknown) => {
  const answered = await world.stack.ask(method, base + path, { as: tenant.key, body });
  if (answered.status >= 300) throw new Error(`${answered.status} ${answered.text}`);
  return answered.body;
};

/**
 * Creates an account with declared functions and pushes a listing with a different timeout. Returns a function that
 * pushes it again.
 */
async function drifted(timeout: number, names = ["orders"]): Promise<() => Promise<void>> {
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const source = await send("POST", "/iac-sources", { name: "main", cloud_account_id: account.id });
  const declared = names.map((name) => ({
    type: "aws_lambda_function",
    name,
    attributes: { id: name, arn: arnOf(name), timeout: 30 },
  }));
  await send("PUT", `/iac-sources/${source.id}/state`, tfstate(declared));
  const rows = names.map((name) => ({
    provider_resource_id: arnOf(name),
    provider_type: "AWS::Lambda::Function",
    properties: { Timeout: timeout },
  }));
  return async () => {
    const scan = await send("PUT", `/cloud-accounts/${account.id}/listing`, ndjson(rows));
    while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
  };
}

/** Returns the snapshots that have a narrative. */
const withWords = async () => {
  const { data } = await send("GET", "/drift-snapshots?status=ready");
  return data.filter(({ narrative }: { narrative?: { text?: string } }) => narrative?.text !== undefined);
};

test("drift ignored from a merge request counts again when it is unignored", async () => {
  mayPush(world, true);
  await send("PATCH", "/settings", { comment_decisions: "ignore" });
  const postComment = (text: string) => command(world, tenant, text);
  await (
    await drifted(60)
  )();
  await tenant.analyzed(submission(plan(), { project: { name: "main" } }));
  const risk = async () => (await send("GET", "/posture")).data[0].risk_level;
  const [change] = (await send("GET", "/drift-changes")).data;
  expect(await risk()).toBe("low");
  expect(await postComment(`/leeway ignore ${change.fingerprint} --until 30d --reason "a launch"`)).toContain(
    "is ignored until",
  );
  expect((await send("GET", "/drift-changes")).data[0].disposition).toMatchObject({
    status: "ignored",
    reason: "a launch",
    by: { type: "code_host_user", host: "gitlab.example.com", id: "7", username: "ada" },
  });
  expect(await risk()).toBe("none");
  expect(await postComment(`/leeway fix ${change.fingerprint}`)).toContain("only noise has a fix");
  expect(await postComment(`/leeway unignore ${change.fingerprint}`)).toContain("no longer ignored");
  expect(await risk()).toBe("low");
  expect(await postComment(`/leeway ignore dc1_${"0".repeat(32)}`)).toContain(
    "No noise or drift has the fingerprint",
  );
  expect(await postComment(`/leeway ignore ${change.fingerprint} --until 2020-01-01`)).toContain(
    "is in the past",
  );
});

test("a snapshot with new drift gets one narrative from a model that sees the change", async () => {
  const list = await drifted(60);
  await list();
  await list();
  while ((await withWords()).length === 0) await Bun.sleep(50);
  await tenant.settled();
  expect(await withWords()).toMatchObject([{ narrative: { status: "ready", source: "platform" } }]);
  expect(world.model.requests.length).toBe(1);
  expect(world.model.requests[0]?.body).toContain("aws_lambda_function.orders");
});

test("a requested narrative is queued until the model fails", async () => {
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  world.model.answerWith(slowly(500, fails(500)));
  const { job_id } = await send("POST", `/drift-snapshots/${id}/narrative`);
  expect((await send("GET", `/drift-snapshots/${id}`)).narrative).toEqual({ status: "queued" });
  await tenant.job(job_id);
  expect((await send("GET", `/drift-snapshots/${id}`)).narrative).toEqual({ status: "error" });
});

test("an existing narrative stays when a requested new one fails", async () => {
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  const narrate = async () => (await send("POST", `/drift-snapshots/${id}/narrative`)).job_id;
  const words = async () => (await send("GET", `/drift-snapshots/${id}`)).narrative;
  await tenant.job(await narrate());
  const { text, ...rest } = await words();
  expect(rest).toMatchObject({ status: "ready", source: "platform" });
  world.model.answerWith(fails(500));
  await tenant.job(await narrate());
  expect(await words()).toEqual({ ...rest, text, status: "error" });
});

test("concurrent narrative requests share one job and one slot", async () => {
  tenant = await world.newTenant("free");
  base = `/api/v2/orgs/${tenant.orgId}`;
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  world.model.answerWith(slowly(1_000));
  const asked = await Promise.all([0, 1, 2, 3].map(() => send("POST", `/drift-snapshots/${id}/narrative`)));
  const { job_id } = await send("POST", `/drift-snapshots/${id}/narrative`);
  expect(new Set(asked.map((answer) => answer.job_id))).toEqual(new Set([job_id]));
  expect(await tenant.usage()).toBe(1);
  await tenant.job(job_id);
});

test("a narrative isn't generated twice when the inventory can't store it at once", async () => {
  const { admin } = world.stack.db;
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  await admin`create sequence public.times_kept`;
  await admin`grant usage on sequence public.times_kept to public`;
  await admin`
    create function public.keep_later() returns trigger language plpgsql as
    $$ begin if nextval('public.times_kept') = 1 then raise exception using errcode = '57014'; end if; return new; end $$
  `;
  await admin`
    create trigger keep_later before update of narrative on inventory.drift_snapshots
       for each row when (new.narrative->>'status' = 'ready') execute function public.keep_later()
  `;
  const { job_id } = await send("POST", `/drift-snapshots/${id}/narrative`);
  expect(await tenant.job(job_id)).toMatchObject({ status: "done" });
  await admin`drop function public.keep_later cascade`;
  await admin`drop sequence public.times_kept`;
  expect((await send("GET", `/drift-snapshots/${id}`)).narrative).toMatchObject({ status: "ready" });
  expect(world.model.requests.length).toBe(1);
});

test("a model explains changes by fingerprint, and its text names the resources", async () => {
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  const [{ fingerprint }] = (await send("GET", "/drift-changes")).data;
  const explanation = "The timeout went from 30 to 60 s by hand.";
  world.model.answerWith(answersWith("", [{ id: fingerprint, explanation }]));
  await tenant.job((await send("POST", `/drift-snapshots/${id}/narrative`)).job_id);
  expect((await send("GET", `/drift-snapshots/${id}`)).narrative).toMatchObject({
    status: "ready",
    source: "platform",
    text: `- \`aws_lambda_function.orders\`: ${explanation}`,
    answer: { findings: [{ id: fingerprint, explanation }] },
  });
});

test("after an unusable model answer a snapshot gets the template, and the slot is spent", async () => {
  tenant = await world.newTenant("free");
  base = `/api/v2/orgs/${tenant.orgId}`;
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  world.model.answerWith(says("It is all fine."));
  await tenant.job((await send("POST", `/drift-snapshots/${id}/narrative`)).job_id);
  const note = "the model's answer wasn't valid";
  const { narrative } = await send("GET", `/drift-snapshots/${id}`);
  expect(narrative).toMatchObject({ status: "template", source: "template", note });
  expect(await tenant.usage()).toBe(1);
});

/** Creates an organization without slots, so the template writes its narratives. */
async function withoutSlots(): Promise<void> {
  tenant = await world.newTenant("free");
  base = `/api/v2/orgs/${tenant.orgId}`;
  const operator = `/operator/orgs/${tenant.orgId}/plan`;
  const plan = { plan: "free", weekly_platform_llm_quota: 0 };
  await world.stack.ask("PUT", operator, { as: OPERATOR_TOKEN, body: plan });
  await send("PATCH", "/settings", { drift_narratives: true });
}

/** Waits for the latest snapshot's narrative and returns it. */
async function wordsThere() {
  for (;;) {
    const [{ narrative }] = (await send("GET", "/drift-snapshots?status=ready")).data;
    if (narrative?.text !== undefined) return narrative;
    await Bun.sleep(50);
  }
}

test("a closed gate leaves the narrative to the template", async () => {
  await withoutSlots();
  await (
    await drifted(60)
  )();
  const note = "platform AI analyses are disabled for the plan";
  const words = await wordsThere();
  expect(words).toMatchObject({ status: "template", source: "template", note });
  expect(words.text).toContain("aws_lambda_function.orders");
  expect(world.model.requests).toEqual([]);
});

test("ignored drift takes no space in a narrative from open drift", async () => {
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(
      60,
      Array.from({ length: 101 }, (_, index) => `f${index}`),
    )
  )();
  const { data: changes } = await send("GET", "/drift-changes?limit=500");
  const open = changes.pop();
  for (const { fingerprint } of changes)
    await send("PATCH", `/drift-changes/${fingerprint}`, { status: "ignored" });
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  const { job_id } = await send("POST", `/drift-snapshots/${id}/narrative`);
  await tenant.job(job_id);
  expect(world.model.requests[0]?.body).toContain(open.address);
});

test("a narrative of more changes than are read gives their number as a minimum", async () => {
  await withoutSlots();
  await (
    await drifted(
      60,
      Array.from({ length: 101 }, (_, index) => `f${index}`),
    )
  )();
  expect((await wordsThere()).text).toContain("\n- at least 95 more changes");
});
