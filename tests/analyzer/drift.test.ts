import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { fails, slowly } from "../../services/quota/test/support/model-server.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { command, mayPush, startWorld, type Tenant, type World } from "./kit.ts";

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

/** An account with declared functions, and a listing in which their timeout is another. */
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

/** Snapshots that are told in words. */
const withWords = async () => {
  const { data } = await send("GET", "/drift-snapshots?status=ready");
  return data.filter(({ narrative }: { narrative?: { text?: string } }) => narrative?.text !== undefined);
};

test("drift is ignored from a merge request, and counts again when that is taken back", async () => {
  mayPush(world, true);
  const tell = (text: string) => command(world, tenant, text);
  await (
    await drifted(60)
  )();
  const risk = async () => (await send("GET", "/posture")).data[0].risk_level;
  const [change] = (await send("GET", "/drift-changes")).data;
  expect(await risk()).toBe("low");
  expect(await tell(`/leeway ignore ${change.fingerprint} --until 30d --reason "a launch"`)).toContain(
    "is ignored until",
  );
  expect((await send("GET", "/drift-changes")).data[0].disposition).toMatchObject({
    status: "ignored",
    reason: "a launch",
    by: { type: "person", id: "ada" },
  });
  expect(await risk()).toBe("none");
  expect(await tell(`/leeway fix ${change.fingerprint}`)).toContain("only noise has a fix");
  expect(await tell(`/leeway unignore ${change.fingerprint}`)).toContain("no longer ignored");
  expect(await risk()).toBe("low");
  expect(await tell(`/leeway ignore dc1_${"0".repeat(32)}`)).toContain("There is no noise or drift");
  expect(await tell(`/leeway ignore ${change.fingerprint} --until 2020-01-01`)).toContain("is over");
});

test("a snapshot with something new is put into words, once, by a model that is told of it", async () => {
  const list = await drifted(60);
  await list();
  await list();
  while ((await withWords()).length === 0) await Bun.sleep(50);
  await tenant.settled();
  expect(await withWords()).toMatchObject([{ narrative: { status: "ready", source: "platform" } }]);
  expect(world.model.requests.length).toBe(1);
  expect(world.model.requests[0]?.body).toContain("aws_lambda_function.orders");
});

test("a snapshot is queued for words from the answer on, until a model has failed to find them", async () => {
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

test("words that are there stay when others are asked for that a model doesn't find", async () => {
  await send("PATCH", "/settings", { drift_narratives: false });
  await (
    await drifted(60)
  )();
  const [{ id }] = (await send("GET", "/drift-snapshots?status=ready")).data;
  const narrate = async () => (await send("POST", `/drift-snapshots/${id}/narrative`)).job_id;
  const words = async () => (await send("GET", `/drift-snapshots/${id}`)).narrative;
  await tenant.job(await narrate());
  const { text, ...told } = await words();
  expect(told).toMatchObject({ status: "ready", source: "platform" });
  world.model.answerWith(fails(500));
  await tenant.job(await narrate());
  expect(await words()).toEqual({ ...told, text, status: "error" });
});

test("who asks for words twice gets one job, which takes one slot", async () => {
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

test("words that a model was paid for aren't bought again where the inventory can't keep them at once", async () => {
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

/** An organization whose gate is closed: the template words its snapshots. */
async function withoutSlots(): Promise<void> {
  tenant = await world.newTenant("free");
  base = `/api/v2/orgs/${tenant.orgId}`;
  const operator = `/operator/orgs/${tenant.orgId}/plan`;
  const plan = { plan: "free", weekly_platform_llm_quota: 0 };
  await world.stack.ask("PUT", operator, { as: OPERATOR_TOKEN, body: plan });
  await send("PATCH", "/settings", { drift_narratives: true });
}

/** The latest snapshot's words, once there are any. */
async function wordsThere() {
  for (;;) {
    const [{ narrative }] = (await send("GET", "/drift-snapshots?status=ready")).data;
    if (narrative?.text !== undefined) return narrative;
    await Bun.sleep(50);
  }
}

test("the plan's gate that is closed leaves the words to the template", async () => {
  await withoutSlots();
  await (
    await drifted(60)
  )();
  const note = "the platform's model is off for the plan";
  const words = await wordsThere();
  expect(words).toMatchObject({ status: "template", source: "template", note });
  expect(words.text).toContain("aws_lambda_function.orders");
  expect(world.model.requests).toEqual([]);
});

test("what is ignored takes no place in a snapshot's words from what isn't", async () => {
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

test("words of a snapshot with more changes than are looked at don't tell a number of them that is too small", async () => {
  await withoutSlots();
  await (
    await drifted(
      60,
      Array.from({ length: 101 }, (_, index) => `f${index}`),
    )
  )();
  expect((await wordsThere()).text).toContain("\n- at least 95 more changes");
});
