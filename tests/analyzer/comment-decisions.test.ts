import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { COMMANDS as KNOWN } from "@leeway/shared/contracts/webhooks/commands";

import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import {
  change,
  command,
  mayPush,
  OTHER_REPOSITORY,
  plan,
  resource,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

const ACCOUNT = "123456789012";
const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;
/** A change to the key order of a policy, which is noise. */
const NOISE = resource(
  "aws_s3_bucket_policy.b",
  change(["update"], { before: { policy: '{"a":1,"b":2}' }, after: { policy: '{"b":2,"a":1}' } }),
);

let world: World;
let tenant: Tenant;
let base: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.gitlab.notes.length = 0;
  tenant = await world.newTenant();
  base = `/api/v2/orgs/${tenant.orgId}`;
  mayPush(world, true);
});

const send = async (method: string, path: string, body?: unknown) => {
  const answered = await world.stack.ask(method, base + path, { as: tenant.key, body });
  if (answered.status >= 300) throw new Error(`${answered.status} ${answered.text}`);
  return answered.body;
};
const allow = (comment_decisions: string) => send("PATCH", "/settings", { comment_decisions });
const postComment = (text: string, more: { project?: string; username?: string } = {}) =>
  command(world, tenant, text, more);

/** Pushes a function that differs from its declaration in the source `main`, and an undeclared queue. */
async function drifted(): Promise<{ changed: string; undeclared: string }> {
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const source = await send("POST", "/iac-sources", { name: "main", cloud_account_id: account.id });
  const orders = {
    type: "aws_lambda_function",
    name: "orders",
    attributes: { id: "orders", arn: arnOf("orders"), timeout: 30 },
  };
  await send("PUT", `/iac-sources/${source.id}/state`, tfstate([orders]));
  const rows = [
    {
      provider_resource_id: arnOf("orders"),
      provider_type: "AWS::Lambda::Function",
      properties: { Timeout: 60 },
    },
    {
      provider_resource_id: arnOf("by-hand"),
      provider_type: "AWS::Lambda::Function",
      properties: { Timeout: 3 },
    },
  ];
  const scan = await send("PUT", `/cloud-accounts/${account.id}/listing`, ndjson(rows));
  while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
  const { data } = await send("GET", "/drift-changes");
  const of = (kind: string): string =>
    data.find((one: { kind: string }) => one.kind === kind)?.fingerprint ?? "";
  return { changed: of("changed"), undeclared: of("undeclared") };
}

/** Analyzes a plan of project `main` from the repository of these tests. */
const planned = () => tenant.analyzed(submission(plan(), { project: { name: "main" } }));

async function dispositionOf(fingerprint: string): Promise<{ status: string; by?: object }> {
  const { data } = await send("GET", "/drift-changes");
  return data.find((one: { fingerprint: string }) => one.fingerprint === fingerprint).disposition;
}

describe("drift", () => {
  test("of another repository's source can't be decided on, whatever comments may decide", async () => {
    const { changed } = await drifted();
    await planned();
    await allow("ignore");
    for (const verb of ["ignore", "acknowledge", "unignore"]) {
      const reply = await postComment(`/leeway ${verb} ${changed}`, { project: OTHER_REPOSITORY });
      expect(reply).toContain(`\`/leeway ${verb}\` was not run`);
      expect(reply).toContain("decide there");
    }
    expect(await dispositionOf(changed)).toEqual({ status: "open" });
    expect(await postComment(`/leeway ignore ${changed}`)).toContain("is ignored");
  });

  test("of an unbound source, or without a source, can't be decided on", async () => {
    const { changed, undeclared } = await drifted();
    await allow("ignore");
    expect(await postComment(`/leeway ignore ${changed}`)).toContain("belongs to no repository yet");
    expect(await postComment(`/leeway ignore ${undeclared}`)).toContain(
      "no IaC source declares this resource",
    );
    expect(await dispositionOf(changed)).toEqual({ status: "open" });
  });

  test("stays bound to the repository of its first plan", async () => {
    const { changed } = await drifted();
    await planned();
    const of = { project: { name: "main" }, repository: OTHER_REPOSITORY, comment: false };
    expect((await tenant.analyze(submission(plan(), of))).status).toBe(403);
    await allow("ignore");
    expect(await postComment(`/leeway ignore ${changed}`, { project: OTHER_REPOSITORY })).toContain(
      "was not run",
    );
    expect(await postComment(`/leeway ignore ${changed}`)).toContain("is ignored");
  });

  test("can be acknowledged but not ignored from a comment, unless the organization allows it", async () => {
    const { changed } = await drifted();
    await planned();
    const refused = await postComment(`/leeway ignore ${changed}`);
    expect(refused).toContain("comments in this organization may only acknowledge drift");
    expect(refused).toContain("comment_decisions");
    expect(await postComment(`/leeway acknowledge ${changed} --reason "a launch"`)).toContain(
      "is acknowledged",
    );
    expect(await dispositionOf(changed)).toMatchObject({ status: "acknowledged", reason: "a launch" });
    expect(await postComment(`/leeway unignore ${changed}`)).toContain("was not run");
    await send("PATCH", `/drift-changes/${changed}`, { status: "ignored" });
    expect(await postComment(`/leeway acknowledge ${changed}`)).toContain("was not run");
    await allow("none");
    expect(await postComment(`/leeway acknowledge ${changed}`)).toContain(
      "this organization doesn't allow decisions in comments",
    );
    expect(await dispositionOf(changed)).toMatchObject({ status: "ignored" });
  });

  test("is decided on by a user of the code host, even if the username is a person's id", async () => {
    const { changed } = await drifted();
    await planned();
    const username = crypto.randomUUID();
    await postComment(`/leeway acknowledge ${changed}`, { username });
    expect(await dispositionOf(changed)).toMatchObject({
      by: { type: "code_host_user", host: "gitlab.example.com", id: "7", username },
    });
  });
});

async function noisy(more: object = {}): Promise<{ hidden: string[]; fingerprint: string }> {
  const { result } = await tenant.analyzed(submission(plan(NOISE), { comment: false, ...more }));
  const muted = result.noise.filter((one) => one.muted);
  return {
    hidden: muted.map(({ fingerprint }) => fingerprint),
    fingerprint: result.noise[0]?.fingerprint ?? "",
  };
}

const comment = () => world.gitlab.texts(12).find((text) => text.includes("leeway:plan:prod")) ?? "";

describe("noise", () => {
  test("is muted by a comment only for its own repository", async () => {
    await allow("ignore");
    const { fingerprint } = await noisy();
    expect(await postComment(`/leeway ignore ${fingerprint}`, { project: OTHER_REPOSITORY })).toContain(
      "No noise or drift has the fingerprint",
    );
    expect(await postComment(`/leeway ignore ${fingerprint} --reason "known"`)).toContain("is ignored");
    expect((await noisy()).hidden).toEqual([fingerprint]);
    expect((await noisy({ repository: OTHER_REPOSITORY })).hidden).toEqual([]);
    expect(await send("GET", `/plan-noise/${fingerprint}`)).toMatchObject({
      status: "active",
      muted_in: [{ repository: "platform/aws/network", reason: "known", by: { type: "code_host_user" } }],
    });
    await send("PATCH", `/plan-noise/${fingerprint}`, { status: "active" });
    expect((await noisy()).hidden).toEqual([]);
  });

  test("is fixed by a comment only in its own repository", async () => {
    const { fingerprint } = await noisy();
    expect(await postComment(`/leeway fix ${fingerprint}`, { project: OTHER_REPOSITORY })).toContain(
      "No noise or drift has the fingerprint",
    );
    expect(await postComment(`/leeway fix ${fingerprint}`)).toContain("aws_s3_bucket_policy");
  });

  test("is offered to be ignored only where comments may ignore it", async () => {
    const delayed = resource(
      "aws_sqs_queue.a",
      change(["update"], { before: { delay_seconds: 1 }, after: {} }),
    );
    await tenant.analyzed(submission({ ...plan(NOISE), resource_drift: [delayed] }));
    const explain = () => postComment("/leeway explain aws_s3_bucket_policy.b");
    expect(await explain()).not.toContain("/leeway ignore");
    expect(comment()).not.toContain("/leeway ignore");
    await allow("ignore");
    await postComment("/leeway analyze");
    expect(comment()).toContain("/leeway ignore");
    expect(await explain()).toContain("/leeway ignore");
  });
});

test("a rescan skips accounts of another repository's sources", async () => {
  const of = { project: { name: "main" }, repository: OTHER_REPOSITORY, comment: false };
  await tenant.analyzed(submission(plan(), of)); // while there is no source of this name
  await drifted();
  await planned();
  expect(await postComment("/leeway rescan", { project: OTHER_REPOSITORY })).toContain(
    "Leeway doesn't know which cloud account",
  );
  expect(await postComment("/leeway rescan")).toContain("isn't scanned");
});

const entries = async (): Promise<{ action: string; actor: object; details: object }[]> =>
  (await send("GET", "/audit-log")).data.filter(
    ({ actor }: { actor: { type: string } }) => actor.type === "code_host_user",
  );

describe("commands that decide are in the audit log with the comment's author:", () => {
  /** Audit action of each command; commands that only read have none. */
  const COMMANDS: Readonly<Record<string, string | undefined>> = {
    acknowledge: "drift_change.decide",
    ignore: "drift_change.decide",
    unignore: "drift_change.decide",
    rescan: "scan.create",
    analyze: undefined, // repeats a known analysis
    explain: undefined,
    fix: undefined,
    help: undefined,
    settle: "drift_change.settle", // with --open: tests/analyzer/settlements.test.ts
    status: undefined,
    unknown: undefined,
  };

  test("every command is covered here", () => {
    const verbs = [...Object.keys(KNOWN), "unknown"];
    expect(Object.keys(COMMANDS).toSorted()).toEqual(verbs.toSorted());
  });

  test("decisions about drift and noise", async () => {
    const { changed } = await drifted();
    await planned();
    await allow("ignore");
    const { fingerprint } = await noisy();
    const given = [
      `acknowledge ${changed}`,
      `ignore ${changed} --reason "a launch"`,
      `unignore ${changed}`,
      `ignore ${fingerprint}`,
      `unignore ${fingerprint}`,
      "help",
      "status",
      "analyze",
      "explain aws_s3_bucket_policy.b",
      `fix ${fingerprint}`,
      "frobnicate",
    ];
    for (const text of given) await postComment(`/leeway ${text}`);
    while ((await entries()).length < 5) await Bun.sleep(50);
    const by = { type: "code_host_user", host: "gitlab.example.com", id: "7", username: "ada" };
    const repository = "platform/aws/network";
    expect((await entries()).toReversed()).toMatchObject([
      { action: "drift_change.decide", actor: by, details: { status: "acknowledged", repository } },
      { action: "drift_change.decide", actor: by, details: { status: "ignored", reason: "a launch" } },
      { action: "drift_change.decide", actor: by, details: { status: "open" } },
      { action: "plan_noise.update", actor: by, details: { status: "muted", repository } },
      { action: "plan_noise.update", actor: by, details: { status: "active", repository } },
    ]);
  });

  test("a refused command writes nothing", async () => {
    const { changed } = await drifted();
    await planned();
    await postComment(`/leeway ignore ${changed}`);
    await postComment(`/leeway acknowledge ${changed}`, { project: OTHER_REPOSITORY });
    await Bun.sleep(600);
    expect(await entries()).toEqual([]);
  });
});
