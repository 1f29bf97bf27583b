import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { tfstate } from "../../services/inventory/test/kit.ts";
import {
  startIdentityProvider,
  type IdentityProvider,
} from "../../services/gateway/test/support/identity-provider.ts";
import { PUBLIC_BASE_URL, startStack, type Stack } from "../isolation/stack.ts";
import { change, plan, resource } from "./kit.ts";

const OWN = "acme/infra";
const OTHER = "evil/infra";
const NOISY = plan(
  resource(
    "aws_s3_bucket_policy.b",
    change(["update"], { before: { policy: '{"a":1,"b":2}' }, after: { policy: '{"b":2,"a":1}' } }),
  ),
);
const SUBMISSION = { plan: NOISY, repository: OWN, project: { name: "app" }, narrative: false };

let gitlab: IdentityProvider;
let stack: Stack;
let owner: string;
let base: string;
let key: string;

beforeAll(async () => {
  gitlab = await startIdentityProvider();
  stack = await startStack({ ciIssuers: [gitlab.issuer] });
  owner = await stack.newPerson("ada@example.com");
  const { body } = await stack.ask("POST", "/api/v2/orgs", { as: owner, body: { name: "Acme" } });
  base = `/api/v2/orgs/${body.id}`;
  ({ key } = await newKey({ repositories: ["acme/*"] }));
});
afterAll(() => Promise.all([stack.stop(), gitlab.stop()]));

const ask = (method: string, path: string, as: string, body?: unknown) =>
  stack.ask(method, path.startsWith("/api/") ? path : base + path, { as, body });

async function newKey(more: object): Promise<{ id: string; key: string }> {
  const made = await ask("POST", "/api-keys", owner, { name: "ci", role: "admin", ...more });
  if (made.status !== 201) throw new Error(made.text);
  return made.body;
}

async function entryOf(action: string, targetId: string) {
  for (;;) {
    const { data } = (await ask("GET", `/audit-log?action=${action}`, owner)).body;
    const entry = data.find(({ target }: { target: { id: string } }) => target.id === targetId);
    if (entry) return entry;
    await Bun.sleep(20);
  }
}

describe("a key for acme/*", () => {
  test("submits plans of these repositories, which the audit log names", async () => {
    const taken = await ask("POST", "/analyze", key, SUBMISSION);
    expect(taken.status).toBe(202);
    const { actor, details } = await entryOf("plan.submit", taken.body.job_id);
    expect(actor.type).toBe("api_key");
    expect(details).toEqual({ repository: OWN, project: "app" });
  });

  test.each([
    ["of another repository", { repository: OTHER }, `the plan belongs to ${OTHER}`],
    ["of a path outside its own", { repository: "acme/../evil/infra" }, "the plan belongs to"],
    ["without a repository", { repository: undefined }, "the plan names no repository"],
    [
      "with a comment there",
      { repository: OTHER, comment: true, change_request: { number: 1 } },
      `the plan belongs to ${OTHER}`,
    ],
  ])("submits none %s", async (_, more, why) => {
    const refused = await ask("POST", "/analyze", key, { ...SUBMISSION, ...more });
    expect(refused).toMatchObject({ status: 403, body: { code: "repository_mismatch" } });
    expect(refused.body.message).toContain("these credentials only work for acme/*");
    expect(refused.body.message).toContain(why);
  });

  test("fixes noise only in these repositories", async () => {
    const { job_id } = (await ask("POST", "/analyze", key, SUBMISSION)).body;
    const { result } = (await ask("GET", `/llm-jobs/${job_id}?wait=20`, key)).body;
    const path = `/api/v2/plan-noise/${result.noise[0].fingerprint}/fix`;
    for (const body of [{ repository: OTHER }, {}]) {
      const refused = await ask("POST", path, key, body);
      expect(refused).toMatchObject({ status: 403, body: { code: "repository_mismatch" } });
    }
    expect((await ask("POST", path, key, { repository: OWN })).status).not.toBe(403);
  });

  test.each([
    ["of its repository", OWN, 200],
    ["of another repository", OTHER, 403],
    ["without a repository", undefined, 403],
  ])("pushing the state of a source %s (%p) gets %i", async (_, path, status) => {
    const name = crypto.randomUUID();
    const repository = path === undefined ? undefined : { path };
    const source = (await ask("POST", "/iac-sources", owner, { name, repository })).body;
    const state = tfstate([{ type: "aws_sqs_queue", name: "q", attributes: { id: "q" } }]);
    const pushed = await ask("PUT", `/iac-sources/${source.id}/state`, key, state);
    expect(pushed.status).toBe(status);
    if (status === 403) expect(pushed.body.code).toBe("repository_mismatch");
  });

  test("changes nothing that affects the whole organization", async () => {
    const { id } = (await ask("POST", "/iac-sources", owner, { name: crypto.randomUUID() })).body;
    const changes: [string, string, unknown][] = [
      ["PATCH", `/iac-sources/${id}`, { repository: { path: OWN } }],
      ["POST", "/iac-sources", { name: "mine" }],
      ["POST", "/webhooks", { source: "planner" }],
      ["PATCH", "/settings", { comment_decisions: "ignore" }],
      ["PATCH", "/plan-noise/pn1_aaaaaaaaaaaaaaaaaaaaaaaaaa", { status: "muted" }],
      ["PATCH", "/drift-changes/any", { status: "acknowledged" }],
    ];
    for (const [method, path, body] of changes) {
      const refused = await ask(method, path, key, body);
      expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect(refused.body.message).toContain("acme/*");
    }
    expect((await ask("GET", "/iac-sources", key)).status).toBe(200);
  });
});

test("a key shows its repositories, also in the audit log, and one without them may use all", async () => {
  const limited = await newKey({ repositories: ["acme/*", "acme/*", "shop/web"] });
  const shown = (await ask("GET", `/api-keys/${limited.id}`, owner)).body;
  expect(shown.repositories).toEqual(["acme/*", "shop/web"]);
  expect((await entryOf("api_key.create", limited.id)).details.repositories).toBe("acme/*, shop/web");

  const open = await newKey({ repositories: [] });
  expect((await ask("GET", `/api-keys/${open.id}`, owner)).body.repositories).toBeUndefined();
  expect((await entryOf("api_key.create", open.id)).details.repositories).toBe("all");
  expect((await ask("POST", "/analyze", open.key, { ...SUBMISSION, repository: OTHER })).status).toBe(202);
});

test.each([
  ["an empty text", [""]],
  ["a path with a space", ["a b"]],
  ["a path over the length limit", ["x".repeat(301)]],
  ["more than 100", Array.from({ length: 101 }, () => "a/b")],
])("%s is refused for a key's repositories", async (_, repositories) => {
  const refused = await ask("POST", "/api-keys", owner, { name: "ci", role: "member", repositories });
  expect(refused).toMatchObject({ status: 400, body: { code: "invalid_parameter" } });
});

describe("a CI job that signs in with its host's ID token", () => {
  const SUBJECT = `project_path:${OWN}:ref_type:branch:ref:main`;
  let job: string;

  beforeAll(async () => {
    const identity = { issuer: gitlab.issuer, claims: { project_path: "acme/*" }, role: "member" };
    expect((await ask("POST", "/ci-identities", owner, identity)).status).toBe(201);
    const token = await gitlab.token({
      aud: PUBLIC_BASE_URL,
      jti: crypto.randomUUID(),
      sub: SUBJECT,
      project_path: OWN,
      ref: "main",
      ref_type: "branch",
    });
    const org_id = base.split("/").at(-1);
    const { body } = await stack.ask("POST", "/api/v2/auth/ci", { body: { token, org_id } });
    job = body.token;
  });

  test("submits plans of its own repository, audited in the job's name", async () => {
    const taken = await ask("POST", "/analyze", job, SUBMISSION);
    expect(taken.status).toBe(202);
    const { actor } = await entryOf("plan.submit", taken.body.job_id);
    expect(actor).toEqual({ type: "ci", id: SUBJECT, host: new URL(gitlab.issuer).host });
    expect((await ask("GET", `/llm-jobs/${taken.body.job_id}?wait=20`, job)).body.status).toBe("done");
  });

  test.each([
    ["of another repository that its identity also covers", { repository: "acme/website" }],
    ["without a repository", { repository: undefined }],
    [
      "of another host's repository with the same path",
      { change_request: { number: 1, url: `https://gitlab.example.com/${OWN}/-/merge_requests/1` } },
    ],
  ])("submits none %s", async (_, more) => {
    const refused = await ask("POST", "/analyze", job, { ...SUBMISSION, ...more });
    expect(refused).toMatchObject({ status: 403, body: { code: "repository_mismatch" } });
    expect(refused.body.message).toContain(`these credentials only work for ${OWN}`);
  });

  test("binds its source to its host's repository", async () => {
    const name = crypto.randomUUID();
    const source = (await ask("POST", "/iac-sources", owner, { name })).body;
    const taken = await ask("POST", "/analyze", job, { ...SUBMISSION, project: { name } });
    expect(taken.status).toBe(202);
    const { repository } = (await ask("GET", `/iac-sources/${source.id}`, owner)).body;
    expect(repository).toEqual({ path: OWN, host: new URL(gitlab.issuer).host });
  });
});
