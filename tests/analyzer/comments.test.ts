import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { text, type JsonObject } from "@leeway/shared/values/json";

import { says } from "../../services/quota/test/support/model-server.ts";
import {
  change,
  command,
  destroysDatabase,
  mayPush,
  mergeRequestBody,
  NUMBER,
  opensPort,
  plan,
  REPOSITORY,
  resource,
  startWorld,
  submission,
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
  world.model.requests.length = 0;
  world.gitlab.notes.length = 0;
  world.github.comments.length = 0;
  tenant = await world.newTenant();
});

/** Sets `comment_decisions` to `ignore`, which allows every command. */
async function letIgnore(): Promise<void> {
  const path = `/api/v2/orgs/${tenant.orgId}/settings`;
  await world.stack.ask("PATCH", path, { as: tenant.key, body: { comment_decisions: "ignore" } });
}

/** Returns the comment for the project of the merge request. */
const comment = (): string =>
  world.gitlab.texts(NUMBER).find((text) => text.includes("leeway:plan:prod")) ?? "";

/** A change to the key order of a policy, which is noise. */
const NOISE = resource(
  "aws_s3_bucket_policy.b",
  change(["update"], { before: { policy: '{"a":1,"b":2}' }, after: { policy: '{"b":2,"a":1}' } }),
);
const DELAYED = resource("aws_sqs_queue.a", change(["update"], { before: { delay_seconds: 1 }, after: {} }));
const DATABASE = { identifier: "orders", tags: null, publicly_accessible: false };

test("dangerous drift gets a comment even if the plan changes nothing", async () => {
  const gone: JsonObject = resource("aws_db_instance.orders", change(["delete"], { before: DATABASE }));
  const { result } = await tenant.analyzed(
    submission({ ...plan(), resource_drift: [gone] }, { fail_on: "low" }),
  );
  expect(result).toMatchObject({ risk_level: "none", gate: { passed: true }, comment: { posted: true } });
  expect(comment()).toContain("### Leeway: no risk in its changes, critical drift in `prod`");
  expect(comment()).toContain(
    "| **critical** | `aws_db_instance.orders` | Deleted outside code: all data in it is lost",
  );
});

test.each([
  [{ dir: "live" }, { dir: "live", workspace: "default" }, "live:"],
  [{}, { dir: ".", workspace: "default" }, ":"],
])("a project has one comment, whether it is sent as %j or %j", async (one, same, former) => {
  for (const project of [one, same, one]) {
    const { result } = await tenant.analyzed(submission(destroysDatabase(), { project }));
    expect(result.comment).toMatchObject({ posted: true });
  }
  expect(world.gitlab.texts(NUMBER)).toBeArrayOfSize(1);
  const [note] = world.gitlab.notes;
  if (note) note.body = note.body.replace(/leeway:plan:[^ ]+/, `leeway:plan:${former}`);
  await tenant.analyzed(submission(destroysDatabase(), { project: same }));
  expect(world.gitlab.texts(NUMBER)).toBeArrayOfSize(1);
});

test("a plan keeps its comment while a later one without a comment is still in progress", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  world.model.answerWith((exchange) => void answered.then(() => says("Nothing else.")(exchange)));
  const narrated = tenant.analyzed(submission(destroysDatabase(), { narrative: true }));
  while (world.model.requests.length === 0) await Bun.sleep(5);
  await tenant.analyzed(submission(plan(NOISE), { project: { name: "other" } })); // creates the noise's row
  await world.stack.db.admin.begin(async (held) => {
    await held`select from analyzer.noise where org_id = ${tenant.orgId} for update`;
    const silent = await tenant.analyze(submission(plan(NOISE, DELAYED), { comment: false }));
    expect(silent.status).toBe(202);
    await latest(text(silent.body, "job_id") ?? "");
    answer();
    expect((await narrated).result.comment).toMatchObject({ posted: true });
  });
  expect(comment()).toContain("aws_sqs_queue.a");
});

/** Waits until the job's result is the latest of its project. */
async function latest(jobId: string): Promise<void> {
  for (;;) {
    const [row] = await world.stack.db.admin`
      select from analyzer.hosted_reviews where org_id = ${tenant.orgId} and job_id = ${jobId}
    `;
    if (row) return;
    await Bun.sleep(5);
  }
}

test("drift below the comment's minimum risk gets no comment", async () => {
  const path = `/api/v2/orgs/${tenant.orgId}/settings`;
  await world.stack.ask("PATCH", path, { as: tenant.key, body: { comment_min_risk: "high" } });
  const { result } = await tenant.analyzed(submission({ ...plan(), resource_drift: [DELAYED] }));
  expect(result).not.toHaveProperty("comment");
});

test("every command that a comment suggests works as written", async () => {
  mayPush(world, true);
  await letIgnore();
  await tenant.analyzed(submission({ ...plan(NOISE), resource_drift: [DELAYED] }));
  const offered = new Set(comment().match(/\/leeway [^`]+/gu));
  expect(new Set([...offered].map((text) => text.split(" ")[1]))).toEqual(new Set(["fix", "ignore", "help"]));
  for (const text of offered) expect(await command(world, tenant, text)).not.toContain("There is no noise");
  expect(await command(world, tenant, "/leeway explain aws_sqs_queue.a")).not.toContain("ignore dc1_");
});

test("ignored noise is missing from the comment until it is unignored", async () => {
  mayPush(world, true);
  await letIgnore();
  const { result } = await tenant.analyzed(submission(plan(NOISE, DELAYED)));
  const fingerprint = result.noise[0]?.fingerprint ?? "";
  expect(comment()).toContain(fingerprint);
  await command(world, tenant, `/leeway ignore ${fingerprint}`);
  await command(world, tenant, "/leeway analyze");
  expect(comment()).not.toContain(fingerprint);
  expect(comment()).not.toContain("What is noise");
  const explained = await command(world, tenant, "/leeway explain aws_s3_bucket_policy.b");
  expect(explained).toContain(`/leeway unignore ${fingerprint}`);
  await command(world, tenant, `/leeway unignore ${fingerprint}`);
  await command(world, tenant, "/leeway analyze");
  expect(comment()).toContain(fingerprint);
});

test("reanalysing a plan doesn't count its noise twice or as a return after an apply", async () => {
  mayPush(world, true);
  const { result } = await tenant.analyzed(submission(plan(NOISE)));
  const applied = {
    Repo: { FullName: REPOSITORY },
    Pull: { Num: NUMBER },
    ProjectName: "prod",
    Success: true,
  };
  await tenant.fromPlanner(applied);
  await tenant.settled();
  await command(world, tenant, "/leeway analyze");
  const path = `/api/v2/orgs/${tenant.orgId}/plan-noise/${result.noise[0]?.fingerprint}`;
  expect((await world.stack.ask("GET", path, { as: tenant.key })).body.occurrences).toBe(1);
  const rows = await world.stack.db.admin`
    select repeats from analyzer.noise_projects where org_id = ${tenant.orgId}
  `;
  expect([...rows]).toEqual([{ repeats: 0 }]);
});

test("noise can be ignored until the last possible date", async () => {
  mayPush(world, true);
  await letIgnore();
  const { result } = await tenant.analyzed(submission(plan(NOISE)));
  const text = `/leeway ignore ${result.noise[0]?.fingerprint} --until 9999-12-31`;
  expect(await command(world, tenant, text)).toContain("is ignored until `9999-12-31T23:59:59.999Z`");
});

test("a deleted plan can't be analysed again, and the reply says so", async () => {
  mayPush(world, true);
  await tenant.analyzed(submission(destroysDatabase()));
  await world.stack.db.admin`delete from analyzer.inputs where org_id = ${tenant.orgId}`;
  expect(await command(world, tenant, "/leeway analyze")).toContain(
    "kept for 7 days, and this one has been deleted",
  );
});

test("for a deleted result the reply doesn't claim that there was none", async () => {
  mayPush(world, true);
  const { id } = await tenant.analyzed(submission(destroysDatabase()));
  await world.stack.db.admin`delete from analyzer.jobs where org_id = ${tenant.orgId} and id = ${id}`;
  for (const text of ["/leeway status", "/leeway explain aws_db_instance.orders"])
    expect(await command(world, tenant, text)).toContain("kept for 30 days, and this one has been deleted");
});

test("a command never affects another GitLab's merge request with the same path and number", async () => {
  mayPush(world, true);
  const url = `https://gitlab.example.org/${REPOSITORY}/-/merge_requests/${NUMBER}`;
  await tenant.analyzed(submission(destroysDatabase(), { change_request: { number: NUMBER, url } }));
  for (const text of ["/leeway status", "/leeway explain aws_db_instance.orders", "/leeway analyze"])
    expect(await command(world, tenant, text)).toContain("No plan of this merge request");
  expect(await command(world, tenant, "/leeway rescan")).not.toContain("prod");
});

const at = (url: string): JsonObject => ({ change_request: { number: NUMBER, url } });

test("a plan of another GitLab with the same path and number leaves the comment as it is", async () => {
  mayPush(world, true);
  const path = `${REPOSITORY}/-/merge_requests/${NUMBER}`;
  const { otherGitlab: other } = world;
  const config = { source: "vcs", api_token: other.issue(), provider_base_url: other.url };
  await world.stack.ask("POST", `/api/v2/orgs/${tenant.orgId}/webhooks`, { as: tenant.key, body: config });
  await tenant.analyzed(submission(destroysDatabase(), at(`https://gitlab.example.com/${path}`)));
  await tenant.analyzed(submission(opensPort(), at(`${other.url}/${path}`)));
  expect(comment()).toContain("aws_db_instance.orders");
  expect(other.texts(NUMBER)).toEqual([expect.stringContaining("aws_security_group_rule.web")]);

  expect(await command(world, tenant, "/leeway status")).toContain("critical risk");
  await command(world, tenant, "/leeway analyze");
  await tenant.fromHost(mergeRequestBody());
  await tenant.settled();
  expect(comment()).toContain("aws_db_instance.orders");
  expect(other.texts(NUMBER)).toHaveLength(1);

  await tenant.analyzed(submission(plan(), at(`https://gitlab.example.com/${path}`)));
  expect(comment()).not.toContain("aws_db_instance.orders");
  expect(other.texts(NUMBER)).toEqual([expect.stringContaining("aws_security_group_rule.web")]);
});

test("noise is explained for the project whose plan has it", async () => {
  mayPush(world, true);
  await tenant.analyzed(submission(opensPort(), { project: { name: "a" } }));
  await tenant.analyzed(submission(plan(NOISE), { project: { name: "b" } }));
  const explained = await command(world, tenant, "/leeway explain aws_s3_bucket_policy.b");
  expect(explained).toContain("**Noise** (`json_policy_normalization`)");
});

test("a resource is explained for each project whose plan has it", async () => {
  mayPush(world, true);
  const names = ["dev", "prod"];
  for (const name of names) await tenant.analyzed(submission(destroysDatabase(), { project: { name } }));
  const explained = await command(world, tenant, "/leeway explain aws_db_instance.orders");
  for (const name of names) expect(explained).toContain(`#### \`aws_db_instance.orders\` in \`${name}\``);
});

test("a failed plan fails its gate and isn't reported as free of risk", async () => {
  await tenant.analyzed(submission(destroysDatabase()));
  const failed = submission({ ...plan(), errored: true }, { fail_on: "critical", narrative: true });
  const { result } = await tenant.analyzed(failed);
  expect(result).toMatchObject({
    errored: true,
    gate: { passed: false },
    narrative: { source: "template", note: "the plan failed" },
  });
  expect(await tenant.usage()).toBe(0);
  expect(comment()).toContain(
    "### Leeway: the plan failed in `prod`\n\nPlan: failed · **gate failed** (limit critical)",
  );
  expect(comment()).not.toContain("no risk");
});

test("dangerous drift is reported as such, even next to noise", async () => {
  const after = { ...DATABASE, tags: {}, publicly_accessible: true };
  const drifted: JsonObject = resource(
    "aws_db_instance.orders",
    change(["update"], { before: DATABASE, after }),
  );
  await tenant.analyzed(submission({ ...opensPort(), resource_drift: [drifted] }));
  expect(comment()).toContain(
    "| **critical** | `aws_db_instance.orders` | Changed outside code: allows public access: `publicly_accessible` false → true | R10 |",
  );
});

test("a comment names its commit and the previous one, even after a repeat", async () => {
  const [first, second] = ["a".repeat(40), "b".repeat(40)];
  await tenant.analyzed(submission(destroysDatabase(), { commit_sha: first }));
  expect(comment()).toContain(`commit ${first} ·`);
  for (let times = 0; times < 2; times += 1) {
    await tenant.analyzed(submission(destroysDatabase(), { commit_sha: second }));
    expect(comment()).toContain(`commit ${second} (was ${first}) ·`);
  }
});
