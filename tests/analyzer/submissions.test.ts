import { text, type JsonObject } from "@leeway/shared/values/json";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { answers, fails, hangs, resets } from "../../services/quota/test/support/model-server.ts";
import {
  answersWith,
  change,
  destroysDatabase,
  opensPort,
  plan,
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
afterAll(() => world.stop()); // this waits for a model that hangs, up to a limit
beforeEach(async () => {
  world.model.answerAsUsual();
  world.model.requests.length = 0;
  tenant = await world.newTenant("free");
});

const gateOf = async (given: ReturnType<typeof plan>, fail_on: string) =>
  (await tenant.analyzed({ plan: given, narrative: false, fail_on })).result.gate;
const listNoise = async () => {
  const path = `/api/v2/orgs/${tenant.orgId}/plan-noise`;
  return (await world.stack.ask("GET", path, { as: tenant.key })).body.data;
};
const below = (method: string, path: string, body?: unknown) =>
  world.stack.ask(method, `/api/v2/orgs/${tenant.orgId}${path}`, {
    as: tenant.key,
    ...(body !== undefined && { body }),
  });
const withPlan = (given = destroysDatabase(), more = {}) => ({ plan: given, ...more });

describe("a submitted plan", () => {
  test("is answered at once with its job's URL", async () => {
    const { status, body } = await tenant.analyze(withPlan());
    expect(status).toBe(202);
    await tenant.settled();
    expect(body).toMatchObject({ kind: "analyze", status: "queued" });
    expect(body["poll_url"]).toBe(`/api/v2/orgs/${tenant.orgId}/llm-jobs/${text(body, "job_id")}`);
  });

  test("gets findings and a model's narrative on one slot", async () => {
    world.model.answerWith(answersWith("`aws_db_instance.orders` is destroyed."));
    const job = await tenant.analyzed(withPlan());
    expect(job.result).toMatchObject({
      risk_level: "critical",
      summary: { delete: 1 },
      findings: [{ rule: "R01", address: "aws_db_instance.orders" }],
      narrative: { source: "platform", text: expect.stringContaining("aws_db_instance.orders") },
      gate: { fail_on: "never", passed: true },
    });
    expect(await tenant.usage()).toBe(1);
    expect(world.model.requests).toHaveLength(1);
  });

  test("has at most 100 labels, which lists and polls of the job return", async () => {
    const submit = (count: number) => {
      const labels = Object.fromEntries(Array.from({ length: count }, (_, index) => [`label-${index}`, ""]));
      return tenant.analyze(withPlan(destroysDatabase(), { narrative: false, labels }));
    };
    expect((await submit(100)).status).toBe(202);
    expect(await submit(101)).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter", message: "labels must have at most 100 fields" },
    });
    await tenant.settled();
  });

  test("takes no slot and calls no model without a narrative", async () => {
    const job = await tenant.analyzed(withPlan(destroysDatabase(), { narrative: false }));
    expect(job.result.narrative.source).toBe("template");
    expect(world.model.requests).toEqual([]);
    expect(await tenant.usage()).toBe(0);
  });

  test("fails its gate at the given level and above", async () => {
    expect(await gateOf(destroysDatabase(), "critical")).toEqual({ fail_on: "critical", passed: false });
    expect(await gateOf(opensPort(), "medium")).toEqual({ fail_on: "medium", passed: false });
    expect(await gateOf(opensPort(), "high")).toEqual({ fail_on: "high", passed: true });
  });

  test("over the weekly quota is denied without a job", async () => {
    for (let count = 0; count < 5; count += 1) expect((await tenant.analyze(withPlan())).status).toBe(202);
    const { status, body } = await tenant.analyze(withPlan());
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: "plan_weekly_quota_exhausted", used: 5, cap: 5 });
  });

  test("may have a result larger than a bus message", async () => {
    const name = "orders".repeat(100);
    const given = plan(
      ...Array.from({ length: 7_000 }, (_, index) =>
        resource(`aws_db_instance.${name}_${index}`, change(["delete"], { before: {} })),
      ),
    );
    const { result } = await tenant.analyzed(withPlan(given, { narrative: false }));
    expect(JSON.stringify(result).length).toBeGreaterThan(8 << 20);
    // One for each database, and one for the number of deletions.
    expect(result.risk_counts.critical).toBe(7_001);
  });

  test("isn't delayed by a concurrent one", async () => {
    const jobs = await Promise.all([tenant.analyzed(withPlan()), tenant.analyzed(withPlan(opensPort()))]);
    expect(jobs.map(({ result }) => result.risk_level)).toEqual(["critical", "medium"]);
  });
});

describe("the risk examples of the interface", () => {
  test.each([
    ["destroying a stateful resource is critical", destroysDatabase(), "critical"],
    [
      "replacement causing downtime is high",
      plan(
        resource(
          "aws_lb.front",
          change(["delete", "create"], {
            before: { name: "front", internal: false },
            after: { name: "front", internal: true },
            replace_paths: [["internal"]],
          }),
        ),
      ),
      "high",
    ],
    [
      "a security group change is medium",
      plan(
        resource(
          "aws_security_group.web",
          change(["update"], {
            before: { name: "web", ingress: [] },
            after: {
              name: "web",
              ingress: [{ from_port: 443, to_port: 443, protocol: "tcp", cidr_blocks: ["10.0.0.0/8"] }],
            },
          }),
        ),
      ),
      "medium",
    ],
  ] as const)("%s", async (_, given, level) => {
    const job = await tenant.analyzed(withPlan(given, { narrative: false }));
    expect(job.result.risk_level).toBe(level);
  });
});

describe("an invalid submission is refused with its error", () => {
  test("an unknown field, with exactly the text of Go's decoder", async () => {
    const { status, body } = await tenant.analyze({ ...withPlan(), llm_config: {}, later: 1 });
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'invalid request body: json: unknown field "llm_config"' });
  });

  test("a nested unknown field, but none inside the plan", async () => {
    const { body } = await tenant.analyze(
      withPlan(destroysDatabase(), { change_request: { number: 1, name: "x" } }),
    );
    expect(body).toEqual({ error: 'invalid request body: json: unknown field "name"' });
    expect((await tenant.analyze(withPlan({ ...destroysDatabase(), llm_config: {} }))).status).toBe(202);
    const twice = JSON.stringify(withPlan()).replace("{", '{"project":{"bogus":1},"project":{"name":"x"},');
    expect((await tenant.analyze(twice)).body).toEqual({
      error: 'invalid request body: json: unknown field "bogus"',
    });
  });

  test.each([
    ["plan_is_state_file", { version: 4, serial: 3, lineage: "x", resources: [] }],
    ["plan_is_state_file", { format_version: "1.0", values: { root_module: {} } }],
    ["state_encrypted", { encrypted_data: "x", encryption_version: "v0", meta: {} }],
    ["unsupported_plan_format", { format_version: "2.0" }],
    ["unsupported_plan_format", {}],
    ["plan_is_binary", "UEsDBBQACAgIAA=="],
    ["plan_is_stream", [{ "@level": "info", "@message": "Terraform 1.9.8" }]],
  ])("%s", async (code, given) => {
    const { status, body } = await tenant.analyze({ plan: given });
    expect({ status, code: body["code"] }).toEqual({ status: 400, code });
    expect(await tenant.usage()).toBe(0);
  });

  test("an invalid merge request number", async () => {
    for (const number of [0, 2 ** 31, 1e300]) {
      const { body } = await tenant.analyze({ plan: opensPort(), change_request: { number } });
      expect(body).toMatchObject({
        code: "invalid_parameter",
        details: [{ field: "change_request.number" }],
      });
    }
  });

  test("a comment without a repository", async () => {
    const { body } = await tenant.analyze({ plan: opensPort(), comment: true });
    expect(body).toMatchObject({ code: "invalid_parameter", details: [{ field: "repository" }] });
  });
});

test("jobs are listed newest first, with their subject, and filtered by kind and state", async () => {
  const first = await tenant.analyzed(withPlan(opensPort(), { narrative: false, repository: "a/b" }));
  const change_request = { number: 7 };
  const second = await tenant.analyzed(
    withPlan(destroysDatabase(), { narrative: false, repository: "a/c", change_request, fail_on: "high" }),
  );
  const { body } = await below("GET", "/llm-jobs");
  expect(body.data).toMatchObject([
    {
      id: second.id,
      status: "done",
      repository: "a/c",
      change_request,
      risk_level: "critical",
      gate_passed: false,
    },
    { id: first.id, status: "done", repository: "a/b", risk_level: "medium", gate_passed: true },
  ]);
  expect(body.data[0]).not.toHaveProperty("result");
  const page = (await below("GET", "/llm-jobs?limit=1")).body;
  const next = await below("GET", `/llm-jobs?limit=1&cursor=${page.next_cursor}`);
  expect(next.body.data).toMatchObject([{ id: first.id }]);
  expect((await below("GET", "/llm-jobs?kind=drift_narrative")).body.data).toEqual([]);
  expect((await below("GET", "/llm-jobs?status=queued")).body.data).toEqual([]);
  expect((await below("GET", "/llm-jobs?status=lost")).status).toBe(400);
});

describe("a failing model", () => {
  test.each([
    ["500", fails(500)],
    ["429", fails(429)],
    ["529", fails(529)],
    ["400", fails(400)],
    ["401", fails(401)],
    ["a cut connection", resets],
    ["an invalid protocol response", answers(200, "<html>")],
  ])("(%s) leaves the template narrative and releases the slot", async (_, answer) => {
    world.model.answerWith(answer);
    const job = await tenant.analyzed(withPlan());
    expect(job).toMatchObject({ status: "done", result: { narrative: { source: "template" } } });
    expect(job.result.narrative.text).toContain("Before you apply");
    expect(await tenant.usage()).toBe(0);
  });

  test("never receives a value that the plan marks as sensitive", async () => {
    const secret = `hunter-${crypto.randomUUID()}`;
    const given = plan(
      resource(
        "aws_db_instance.orders",
        change(["update"], {
          before: { note: "x", size: 1 },
          after: { note: secret, size: 2 },
          after_sensitive: { note: true },
        }),
      ),
    );
    const job = await tenant.analyzed(withPlan(given));
    expect(JSON.stringify([job, world.model.requests])).not.toContain(secret);
    const { db } = world.stack;
    const rows = await db.admin`select * from analyzer.jobs where org_id = ${tenant.orgId}`;
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

/** Builds a plan whose refresh shows a tag that was added outside Terraform. */
const tagged = (key: string): JsonObject => {
  const outside = change(["update"], { before: { tags: {} }, after: { tags: { [key]: "a" } } });
  return { ...plan(), resource_drift: [resource("aws_instance.web", outside)] };
};

describe("noise", () => {
  const POLICY = {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }],
  };
  const noisy = (name = "reader"): ReturnType<typeof plan> =>
    plan(
      resource(
        `aws_iam_policy.${name}`,
        change(["update"], {
          before: { policy: JSON.stringify(POLICY) },
          after: {
            policy: JSON.stringify({
              Statement: [{ ...POLICY.Statement[0], Action: ["s3:GetObject"] }],
              Version: "2012-10-17",
            }),
          },
        }),
      ),
    );

  test("is separate from findings and remembered", async () => {
    const { result } = await tenant.analyzed(withPlan(noisy(), { narrative: false, repository: "a/b" }));
    expect(result.findings).toEqual([]);
    expect(result.noise).toMatchObject([{ class: "json_policy_normalization", hidden: true, count: 1 }]);
    await tenant.analyzed(withPlan(noisy("other"), { narrative: false, repository: "a/c" }));
    expect(await listNoise()).toMatchObject([
      {
        fingerprint: result.noise[0]?.fingerprint,
        occurrences: 2,
        status: "active",
        projects: ["a/b:./default", "a/c:./default"],
      },
    ]);
  });

  test("gets a fix in the caller's own code", async () => {
    const { result } = await tenant.analyzed(withPlan(noisy(), { narrative: false }));
    const hcl = 'resource "aws_iam_policy" "reader" {\n  policy = file("p.json") # keep me\n}\n';
    const path = `/api/v2/plan-noise/${result.noise[0]?.fingerprint}/fix`;
    const body = { source: [{ path: "main.tf", hcl }], strategy: "ignore_changes" };
    const answer = await world.stack.ask("POST", path, { as: tenant.key, body });
    expect(answer.status).toBe(202);
    const fixed = await tenant.job(answer.body.job_id);
    expect(fixed).toMatchObject({ kind: "plan_noise_fix", status: "done" });
    expect(JSON.stringify(fixed.result)).toContain("ignore_changes");
    expect(JSON.stringify(fixed.result)).toContain("# keep me");
  });

  test("gets a fix in the code of any project that has it, whichever was planned last", async () => {
    const { result } = await tenant.analyzed(withPlan(noisy(), { narrative: false }));
    await tenant.analyzed(withPlan(noisy("other"), { narrative: false, repository: "a/c" }));
    const path = `/api/v2/plan-noise/${result.noise[0]?.fingerprint}/fix`;
    for (const name of ["reader", "other"]) {
      const hcl = `resource "aws_iam_policy" "${name}" {\n  policy = file("p.json")\n}\n`;
      const body = { source: [{ path: "main.tf", hcl }], strategy: "ignore_changes" };
      const answer = await world.stack.ask("POST", path, { as: tenant.key, body });
      expect(await tenant.job(answer.body.job_id)).toMatchObject({
        result: {
          patches: [{ path: "main.tf" }],
          explanation: expect.not.stringContaining("isn't declared"),
        },
      });
    }
  });

  test("gets a fix for the requesting repository's occurrence", async () => {
    const more = { narrative: false };
    const { result } = await tenant.analyzed(withPlan(tagged("wiz:ours"), { ...more, repository: "a/b" }));
    await tenant.analyzed(withPlan(tagged("wiz:theirs"), { ...more, repository: "a/c" }));
    const path = `/api/v2/plan-noise/${result.noise[0]?.fingerprint}/fix`;
    for (const [repository, key] of [
      ["a/b", "wiz:ours"],
      ["a/c", "wiz:theirs"],
    ]) {
      const answer = await world.stack.ask("POST", path, { as: tenant.key, body: { repository } });
      const { result: fixed } = await tenant.job(answer.body.job_id);
      expect(fixed).toMatchObject({ hcl: expect.stringContaining(`keys = ["${key}"]`) });
    }
  });

  test("gets a fix that says what it couldn't change and why, whatever the model writes", async () => {
    const { result } = await tenant.analyzed(withPlan(noisy(), { narrative: false }));
    world.model.answerWith(answersWith("The policy means the same."));
    const path = `/api/v2/plan-noise/${result.noise[0]?.fingerprint}/fix`;
    const body = { source: [{ path: "main.tf", hcl: "resource {{" }] };
    const answer = await world.stack.ask("POST", path, { as: tenant.key, body });
    const { result: fixed } = await tenant.job(answer.body.job_id);
    expect(fixed).toMatchObject({
      patches: [],
      explanation: expect.stringMatching(/^No file was changed\. `main\.tf` can't be parsed\. /),
      narrative: { text: "The policy means the same.", source: "platform" },
    });
    expect(fixed).not.toMatchObject({ explanation: expect.stringContaining("means the same") });
  });

  test("whose fix needs a failing model ends in an error and releases the slot", async () => {
    const { result } = await tenant.analyzed(withPlan(noisy(), { narrative: false }));
    world.model.answerWith(fails(500));
    const path = `/api/v2/plan-noise/${result.noise[0]?.fingerprint}/fix`;
    const answer = await world.stack.ask("POST", path, { as: tenant.key, body: {} });
    expect(await tenant.job(answer.body.job_id)).toMatchObject({
      status: "error",
      error: { code: "model_failed" },
    });
    expect(await tenant.usage()).toBe(0);
  });

  test("is muted until a date or until it is made active", async () => {
    const { result } = await tenant.analyzed(withPlan(noisy(), { narrative: false }));
    const path = `/plan-noise/${result.noise[0]?.fingerprint}`;
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const muted = await below("PATCH", path, { status: "muted", until, reason: "known" });
    expect(muted.body).toMatchObject({ status: "muted", muted_until: until, muted_reason: "known" });
    expect((await below("GET", "/plan-noise?status=muted")).body.data).toHaveLength(1);
    const still = await below("PATCH", path, { status: "muted", reason: "still" });
    expect(still.body).toMatchObject({ status: "muted", muted_until: until, muted_reason: "still" });
    const active = await below("PATCH", path, { status: "active" });
    expect(active.body).toMatchObject({ status: "active" });
    expect(active.body).not.toHaveProperty("muted_until");
    const again = await below("PATCH", path, { status: "muted" });
    expect(again.body).toMatchObject({ status: "muted", muted_reason: "still" });
    expect(again.body).not.toHaveProperty("muted_until");
  });

  test.each([
    [{ status: "muted", until: "2020-01-01T00:00:00Z" }, 400],
    [{ status: "active", until: "2999-01-01T00:00:00Z" }, 400],
    [{ status: "fixed" }, 400],
    [{ status: "muted" }, 404],
  ])("that is unknown can't be changed with %j: %d", async (body, status) => {
    expect((await below("PATCH", `/plan-noise/pn1_${"a".repeat(26)}`, body)).status).toBe(status);
  });

  test("with more code than fits a body is refused, naming the code", async () => {
    const path = `/api/v2/plan-noise/pn1_${"a".repeat(26)}/fix`;
    const body = { source: [{ path: "main.tf", hcl: "#".repeat(900_000) }] };
    const { status, body: refusal } = await world.stack.ask("POST", path, { as: tenant.key, body });
    expect(status).toBe(400);
    expect(refusal).toMatchObject({
      code: "invalid_parameter",
      details: [{ field: "source", code: "too_large" }],
    });
  });

  test("that is unknown has no fix", async () => {
    const path = `/api/v2/plan-noise/pn1_${"a".repeat(26)}/fix`;
    expect((await world.stack.ask("POST", path, { as: tenant.key, body: {} })).status).toBe(404);
  });
});

test("a request that waits is answered while a model hangs", async () => {
  world.model.answerWith(hangs);
  const { body } = await tenant.analyze(submission(destroysDatabase(), { narrative: true, comment: false }));
  const path = `/api/v2/orgs/${tenant.orgId}/llm-jobs/${text(body, "job_id")}?wait=1`;
  const answer = await world.stack.ask("GET", path, { as: tenant.key });
  expect(["queued", "running"]).toContain(answer.body.status);
  world.model.answerAsUsual();
});
