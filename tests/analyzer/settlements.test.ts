import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { serviceBus, testLog } from "@leeway/shared/testing/testing";

import { createPlanReader } from "../../services/analyzer/src/plan-reader.ts";
import { refreshDue } from "../../services/analyzer/src/settlements/refresh.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { OPERATOR_TOKEN } from "../../services/gateway/test/support/gateway.ts";
import { createRepository, type Repository } from "../code-hosts/repository.ts";
import {
  change,
  command,
  GITHUB_REPOSITORY,
  mayPush,
  NUMBER,
  OTHER_REPOSITORY,
  plan,
  REPOSITORY,
  resource,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

const ACCOUNT = "123456789012";
const arnOf = (name: string): string => `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;
const block = (name: string, timeout: number | string): string =>
  `# ${name}\nresource "aws_lambda_function" "${name}" {\n  timeout = ${timeout} # seconds\n}\n`;
const CODE = {
  "prod/orders.tf": block("orders", 30),
  "prod/mail.tf": block("mail", 30),
  "prod/odd.tf": block("odd", "var.timeout"),
  "prod/README.md": "# Functions\n",
  "other/main.tf": block("orders", 1),
};

let world: World;
let tenant: Tenant;
let base: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.gitlab.recover();
  world.github.recover();
  tenant = await world.newTenant();
  world.github.named.set(GITHUB_REPOSITORY, tenant.orgId);
  base = `/api/v2/orgs/${tenant.orgId}`;
});

const ask = (method: string, path: string, body?: unknown, as = tenant.key) =>
  world.stack.ask(method, base + path, { as, body });
const send = async (method: string, path: string, body?: unknown) => {
  const answered = await ask(method, path, body);
  if (answered.status >= 300) throw new Error(`${answered.status} ${answered.text}`);
  return answered.body;
};

/** Returns the fingerprints of changes by function, after three functions got another timeout and one is missing. */
async function drifted(repository?: object): Promise<Record<string, string>> {
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const source = await send("POST", "/iac-sources", {
    name: "main",
    cloud_account_id: account.id,
    repository,
  });
  const declared = ["orders", "mail", "odd", "gone"].map((name) => ({
    type: "aws_lambda_function",
    name,
    attributes: { id: name, arn: arnOf(name), timeout: 30 },
  }));
  await send("PUT", `/iac-sources/${source.id}/state`, tfstate(declared));
  const slow = { Timeout: 60 };
  return scanned(account.id, { orders: slow, mail: slow, odd: slow });
}

/** Returns the fingerprints of changes by function, after a listing with these properties of functions. */
async function scanned(
  accountId: string,
  functions: Record<string, object>,
): Promise<Record<string, string>> {
  const rows = Object.entries(functions).map(([name, properties]) => ({
    provider_resource_id: arnOf(name),
    provider_type: "AWS::Lambda::Function",
    properties,
  }));
  const scan = await send("PUT", `/cloud-accounts/${accountId}/listing`, ndjson(rows));
  while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
  const { data } = await send("GET", "/drift-changes?noise=include");
  return Object.fromEntries(
    data.map(({ address, fingerprint }: { address: string; fingerprint: string }) => [
      address.split(".")[1],
      fingerprint,
    ]),
  );
}

/** Compares all requests with the decisions, as the analyzer does every few minutes. */
async function refreshAll(): Promise<void> {
  const reader = createPlanReader();
  const bus = await serviceBus("analyzer");
  const database = world.stack.db.open("analyzer");
  await refreshDue({ database, bus, log: testLog(), reader, publicBaseUrl: "https://leeway.example.com" }, 0);
  reader.stop();
  await bus.nats.close();
}

interface AuditEntry {
  target: { id: string };
  details: { how?: string };
}

/** Waits until the audit log has the settlement of a change, or the request of a fix. */
async function audited(
  fingerprint: string | undefined,
  how: string | undefined,
  action = "drift_change.settle",
): Promise<void> {
  for (;;) {
    const { data } = await send("GET", `/audit-log?action=${action}`);
    const isIt = ({ target, details }: AuditEntry): boolean =>
      target.id === fingerprint && details.how === how;
    if (data.some(isIt)) return;
    await Bun.sleep(20);
  }
}

const settle = (fingerprint: string | undefined, body: object) =>
  send("POST", `/drift-changes/${fingerprint}/settlement`, body);

function newCode(): Repository {
  const code = createRepository({ ...CODE, "prod/gone.tf": block("gone", 30) });
  world.gitlab.code.set(REPOSITORY, code);
  world.github.code.set(GITHUB_REPOSITORY, code);
  return code;
}

describe.each([
  ["gitlab", REPOSITORY],
  ["github", GITHUB_REPOSITORY],
])("on %s", (host, path) => {
  const repository = { host, path, dir: "prod", ref: "main" };

  test("a change is accepted as a patch of the source's folder, and nothing is stored", async () => {
    const code = newCode();
    const { orders } = await drifted(repository);
    const settled = await settle(orders, { how: "accept" });
    expect(settled).toMatchObject({
      how: "accept",
      files: [{ path: "prod/orders.tf", content: block("orders", 60) }],
      explanation: "Sets `timeout` of `aws_lambda_function.orders` to what is live, in `prod/orders.tf`.",
    });
    expect(settled.patch).toStartWith("--- a/prod/orders.tf\n+++ b/prod/orders.tf\n");
    expect(settled.patch).toContain("-  timeout = 30 # seconds\n+  timeout = 60 # seconds\n");
    expect(settled.change_request).toBeUndefined();
    expect(code.requests).toEqual([]);
    code.commit("main", { "prod/orders.tf": block("orders", 60) });
    expect(await settle(orders, { how: "accept" })).toMatchObject({ patch: "", files: [] });
  });

  test("a missing resource is forgotten, and a change that can't be edited is refused with its place", async () => {
    newCode();
    const { gone, odd, orders } = await drifted(repository);
    const forgotten = await settle(gone, { how: "forget" });
    expect(forgotten.files[0].content).toContain("removed {\n  from = aws_lambda_function.gone\n");
    expect(await settle(odd, { how: "accept" })).toMatchObject({
      patch: "",
      refused: { code: "variable", path: "prod/odd.tf", line: 3 },
    });
    for (const [fingerprint, how] of [
      [orders, "forget"],
      [gone, "accept"],
      [orders, "adopt"],
    ] as const)
      expect((await settle(fingerprint, { how })).refused).toMatchObject({ code: "not_applicable" });
  });

  test("a change's declaration is a link to its lines, also where the code can't be edited", async () => {
    const code = newCode();
    const { odd, gone } = await drifted(repository);
    const { commit, ...found } = await send("GET", `/drift-changes/${odd}/declaration`);
    const lines = host === "github" ? "#L2-L4" : "#L2-4";
    expect(found).toEqual({
      ref: "main",
      path: "prod/odd.tf",
      line: 2,
      end_line: 4,
      url: expect.stringMatching(new RegExp(`/${path}/.*blob/${commit}/prod/odd.tf${lines}$`)),
    });
    code.commit("main", { "prod/gone.tf": "" });
    expect(await send("GET", `/drift-changes/${gone}/declaration`)).toMatchObject({
      refused: { code: "not_declared" },
    });
    const other = await world.newTenant();
    expect((await ask("GET", `/drift-changes/${odd}/declaration`, undefined, other.key)).status).toBe(404);
  });

  test("several changes join one request at once, and those that can't are refused", async () => {
    const code = newCode();
    const { orders = "", mail = "", odd = "" } = await drifted(repository);
    const unknown = `dc1_${"0".repeat(32)}`;
    const body = { how: "accept", fingerprints: [orders, odd, unknown, mail] };
    const { settlements, change_requests } = await send("POST", "/drift-changes/settlements", body);
    expect(settlements).toMatchObject([
      { fingerprint: orders, explanation: expect.stringContaining("Sets `timeout`") },
      { fingerprint: odd, refused: { code: "variable", path: "prod/odd.tf", line: 3 } },
      { fingerprint: unknown, refused: { code: "not_applicable" } },
      { fingerprint: mail },
    ]);
    expect(settlements[0].refused ?? settlements[3].refused).toBeUndefined();
    expect(change_requests).toMatchObject([{ status: "created", number: 1 }]);
    const [{ branch }] = change_requests;
    expect(code.compare("main", branch).commits).toHaveLength(1);
    expect(code.files(branch)).toMatchObject({
      "prod/orders.tf": block("orders", 60),
      "prod/mail.tf": block("mail", 60),
      "prod/odd.tf": CODE["prod/odd.tf"],
    });
    for (const fingerprint of [orders, mail]) await audited(fingerprint, "accept");
    const again = await send("POST", "/drift-changes/settlements", body);
    expect(again.change_requests).toMatchObject([{ status: "unchanged", number: 1, branch }]);
    expect(code.compare("main", branch).commits).toHaveLength(1);
    const { settlement } = await send("GET", `/drift-changes/${orders}/settlement`);
    expect(settlement.source_id).toBe(change_requests[0].source_id);
    expect(await send("GET", `/drift-changes/${odd}/settlement`)).toEqual({});
    for (const fingerprint of [orders, mail])
      await send("DELETE", `/drift-changes/${fingerprint}/settlement`);
    expect(code.openRequests()).toEqual([]);
  });

  test("settlements of a source become one request, which is updated, and closed when nothing is left", async () => {
    const code = newCode();
    const { orders, mail } = await drifted(repository);
    const first = await settle(orders, { how: "accept", open_change_request: true });
    expect(first.change_request).toMatchObject({ status: "created", number: 1 });
    const { branch } = first.change_request;
    expect(branch).toMatch(/^leeway\/settle-\d{4}-\d\d-\d\d$/);
    expect(code.files(branch)["prod/orders.tf"]).toBe(block("orders", 60));
    expect(code.files("main")["prod/orders.tf"]).toBe(CODE["prod/orders.tf"]);
    const again = await settle(orders, { how: "accept", open_change_request: true });
    expect(again.change_request).toMatchObject({ branch, number: 1 });
    expect(code.compare("main", branch).commits).toHaveLength(1);
    const second = await settle(mail, { how: "accept", open_change_request: true });
    expect(second.change_request).toMatchObject({ status: "updated", branch, number: 1 });
    expect(code.files(branch)).toMatchObject({
      "prod/orders.tf": block("orders", 60),
      "prod/mail.tf": block("mail", 60),
    });
    expect(code.openRequests()).toHaveLength(1);
    const [request] = code.requests;
    for (const words of [
      "aws_lambda_function.orders",
      "aws_lambda_function.mail",
      "Decided by `api key",
      orders,
    ])
      expect(request?.body).toContain(words ?? "");
    await audited(mail, "accept");
    code.commit(branch, {}, { message: "Mine" });
    const left = await settle(orders, { how: "accept", open_change_request: true });
    expect(left.change_request).toMatchObject({
      status: "refused",
      problem: expect.stringContaining(host === "github" ? "ada" : "Ada"),
    });
    // A later test refreshes the requests of all organizations.
    for (const one of [orders, mail]) await send("DELETE", `/drift-changes/${one}/settlement`);
  });

  test("a request is closed when its last settlement is withdrawn, or its drift is gone", async () => {
    const code = newCode();
    const { orders } = await drifted(repository);
    const { change_request: first } = await settle(orders, { how: "accept", open_change_request: true });
    const { change_request: closed } = await send("DELETE", `/drift-changes/${orders}/settlement`);
    expect(closed).toMatchObject({ status: "closed", branch: first.branch });
    await audited(orders, "withdrawn");
    expect(code.openRequests()).toEqual([]);
    expect([...code.branches.keys()]).toEqual(["main"]);
    expect((await ask("DELETE", `/drift-changes/${orders}/settlement`)).status).toBe(404);
    await settle(orders, { how: "accept", open_change_request: true });
    expect(code.openRequests()).toHaveLength(1);
    const [account] = (await send("GET", "/cloud-accounts")).data;
    await scanned(account.id, { orders: { Timeout: 30 }, mail: { Timeout: 60 }, odd: { Timeout: 60 } });
    await refreshAll();
    expect(code.openRequests()).toEqual([]);
  });
});

/** Analyzes a plan with noise in the function `mail`, and returns the noise's fingerprint. */
async function noisy(repository: string, project = "main"): Promise<string> {
  const tags = change(["update"], { before: { tags: null }, after: { tags: {} } });
  const { result } = await tenant.analyzed({
    plan: plan(resource("aws_lambda_function.mail", tags)),
    narrative: false,
    repository,
    project: { name: project },
  });
  return result.noise[0]?.fingerprint ?? "";
}

/** Requests a fix of noise, and returns the result of its job. */
async function fixed(fingerprint: string): Promise<FixResult> {
  const answer = await world.stack.ask("POST", `/api/v2/plan-noise/${fingerprint}/fix`, {
    as: tenant.key,
    body: { strategy: "ignore_changes", open_change_request: true },
  });
  if (answer.status !== 202) throw new Error(answer.text);
  for (;;) {
    const { result, error } = await send("GET", `/llm-jobs/${answer.body.job_id}?wait=20`);
    if (error) throw new Error(JSON.stringify(error));
    if (result) return result;
  }
}

describe.each([
  ["gitlab", REPOSITORY],
  ["github", GITHUB_REPOSITORY],
])("a fix of plan noise on %s", (host, path) => {
  const repository = { host, path, dir: "prod", ref: "main" };

  test("joins the source's request, and leaves it when the code has the fix or the noise is muted", async () => {
    const code = newCode();
    const { orders } = await drifted(repository);
    const fingerprint = await noisy(path);
    const { change_request: request, change_request_url: url } = await fixed(fingerprint);
    expect(request).toMatchObject({ status: "created", number: 1, url });
    const { branch } = request!;
    const mail = code.files(branch)["prod/mail.tf"] ?? "";
    expect(mail).toContain("ignore_changes = [tags]");
    await audited(fingerprint, undefined, "plan_noise.fix");
    expect(code.files("main")["prod/mail.tf"]).toBe(CODE["prod/mail.tf"]);
    for (const words of [fingerprint, "`aws_lambda_function`", "Decided by `api key"])
      expect(code.requests[0]?.body).toContain(words);
    const settled = await settle(orders, { how: "accept", open_change_request: true });
    expect(settled.change_request).toMatchObject({ status: "updated", branch, number: 1 });
    expect(code.files(branch)).toMatchObject({ "prod/orders.tf": block("orders", 60), "prod/mail.tf": mail });
    code.commit("main", { "prod/mail.tf": mail });
    const left = await send("DELETE", `/drift-changes/${orders}/settlement`);
    expect(left.change_request).toMatchObject({ status: "closed", branch });
    code.commit("main", { "prod/mail.tf": CODE["prod/mail.tf"] });
    expect((await fixed(fingerprint)).change_request?.status).toBe("created");
    const titles = (): string[] => code.openRequests().map(({ title }) => title);
    expect(titles()).toContain("Settle plan noise of main");
    await send("PATCH", `/plan-noise/${fingerprint}`, { status: "muted" });
    await refreshAll();
    expect(titles()).not.toContain("Settle plan noise of main");
  });

  test("leaves a branch with another person's commit alone, and is refused without code", async () => {
    const code = newCode();
    const { orders } = await drifted(repository);
    const { change_request: request } = await settle(orders, { how: "accept", open_change_request: true });
    code.commit(request.branch, { "prod/mine.tf": "# mine\n" }, { message: "Mine" });
    const { change_request: left } = await fixed(await noisy(path));
    expect(left).toMatchObject({ status: "refused", problem: expect.stringMatching(/commit of ada/i) });
    expect(code.files(request.branch)["prod/mine.tf"]).toBe("# mine\n");
    const other = await noisy("acme/elsewhere", "elsewhere");
    const ask = (body: object) =>
      world.stack.ask("POST", `/api/v2/plan-noise/${other}/fix`, { as: tenant.key, body });
    const none = await ask({ open_change_request: true, repository: "acme/elsewhere" });
    expect([none.status, none.body.message]).toEqual([
      400,
      expect.stringContaining("needs an IaC source with the repository acme/elsewhere"),
    ]);
    expect((await ask({ open_change_request: true, source: [] })).status).toBe(400);
  });
});

test("a command shows the patch or the commands, only in the change's own repository", async () => {
  mayPush(world, true);
  newCode();
  const { orders, odd } = await drifted({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  const comment = (text: string, place = {}) => command(world, tenant, `/leeway settle ${text}`, place);
  expect(await comment(`${orders}`)).toContain("+  timeout = 60 # seconds");
  expect(await comment(`${orders} revert`)).toContain("terraform -chdir='prod' plan");
  expect(await comment(`${odd} accept`)).toContain("`prod/odd.tf:3`");
  expect(await comment(`${orders}`, { project: OTHER_REPOSITORY })).toContain(
    "belongs to another repository",
  );
  expect(await comment("pn1_abcdefghijklmnopqrstuvwxyz")).toContain("only drift can be settled");
  expect(await comment(`${orders} revert --open`)).toContain("no change request to open");
  expect(await comment(`${orders} --all`)).toContain("settle has no such option");
  await send("PATCH", "/settings", { comment_decisions: "none" });
  expect(await comment(`${orders}`)).toContain("doesn't allow decisions in comments");
});

test("a command opens the change request, and the audit log names its author", async () => {
  mayPush(world, true);
  newCode();
  const { orders } = await drifted({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  const comment = (text: string, place = {}) => command(world, tenant, `/leeway settle ${text}`, place);
  expect(await comment(`${orders} --open`, { project: OTHER_REPOSITORY })).toContain("another repository");
  expect(await comment(`${orders} --open`)).toMatch(/The code is in \[change request \d+\]\(http/);
  const known = await send("GET", `/drift-changes/${orders}/settlement`);
  expect(known.settlement.change_request.url).toContain("merge_requests");
  await audited(orders, "accept");
  const { data } = await send("GET", "/audit-log?action=drift_change.settle");
  expect(data[0]).toMatchObject({ target: { id: orders }, actor: { type: "code_host_user" } });
});

const plansOf = async (fingerprint: string | undefined) =>
  (await send("GET", `/drift-changes/${fingerprint}/plans`)).data;

/** Submits a plan of a branch that does this with the function `orders`. */
const analyzed = (actions: string[], ref: string) =>
  tenant.analyzed(
    submission(plan(resource("aws_lambda_function.orders", change(actions, { before: {}, after: {} }))), {
      ref,
      project: { name: "main" },
    }),
  );

test("the plan of the branch says whether it holds what the branch promises", async () => {
  newCode();
  world.gitlab.notes.length = 0;
  const { orders } = await drifted({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  const { change_request: request } = await settle(orders, { how: "accept", open_change_request: true });
  const kept = await analyzed(["no-op"], request.branch);
  expect(kept.result.promise).toEqual({ kept: true, changes: 1, broken: [] });
  expect(world.gitlab.texts(NUMBER).join("")).toContain("As promised: the plan leaves 1 settled change");
  const broken = await analyzed(["update"], request.branch);
  expect(broken.result.promise).toMatchObject({ kept: false, broken: [{ actions: ["update"] }] });
  expect(world.gitlab.texts(NUMBER).join("")).toContain("**Not as promised**");
  expect((await analyzed(["update"], "feature/x")).result.promise).toBeUndefined();
});

test("the latest plan of a merge request that changes the same resource is listed with the change", async () => {
  newCode();
  const { orders, mail } = await drifted({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  expect(await plansOf(orders)).toEqual([]);
  await analyzed(["delete"], "feature/x");
  const { id } = await analyzed(["update"], "feature/x");
  expect(await plansOf(orders)).toEqual([
    expect.objectContaining({ job_id: id, actions: ["update"], ref: "feature/x", repository: REPOSITORY }),
  ]);
  expect(await plansOf(mail)).toEqual([]);
  await analyzed(["no-op"], "feature/x");
  expect(await plansOf(orders)).toEqual([]);
});

test("a source without a repository is refused, with how to set it", async () => {
  const { orders } = await drifted();
  const { refused } = await settle(orders, { how: "accept" });
  expect(refused.code).toBe("no_repository");
  expect(refused.message).toContain("PATCH /orgs/:id/iac-sources/:source_id");
});

test("a change is reverted by commands, with the plan that they should show", async () => {
  const { orders, gone } = await drifted({ host: "gitlab", path: REPOSITORY, dir: "it's" });
  expect(await settle(orders, { how: "revert" })).toMatchObject({
    patch: "",
    commands: [
      String.raw`terraform -chdir='it'\''s' plan -target='aws_lambda_function.orders' -out=leeway.tfplan`,
      String.raw`terraform -chdir='it'\''s' apply leeway.tfplan`,
    ],
    expected_plan: { actions: ["update"], attribute_changes: [{ path: ["timeout"], before: 60, after: 30 }] },
  });
  expect((await settle(gone, { how: "revert" })).expected_plan.actions).toEqual(["create"]);
});

test("a revert that replaces the resource says so, and expects it", async () => {
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const source = await send("POST", "/iac-sources", { name: "main", cloud_account_id: account.id });
  const attributes = { id: "orders", arn: arnOf("orders"), package_type: "Image" };
  await send(
    "PUT",
    `/iac-sources/${source.id}/state`,
    tfstate([{ type: "aws_lambda_function", name: "orders", attributes }]),
  );
  const { orders } = await scanned(account.id, { orders: { PackageType: "Zip" } });
  const settled = await settle(orders, { how: "revert" });
  expect(settled.expected_plan.actions).toEqual(["delete", "create"]);
  expect(settled.explanation).toBe(
    "The plan will probably replace `aws_lambda_function.orders`, because `package_type` can't be changed in place. " +
      "That deletes its data: save the data first, or accept the change instead.",
  );
});

test("a viewer, another organization and a key of another repository may not settle", async () => {
  newCode();
  const { orders } = await drifted({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  const path = `/drift-changes/${orders}/settlement`;
  const newKey = async (body: object): Promise<string> => {
    const made = await world.stack.ask("POST", `/operator/orgs/${tenant.orgId}/api-keys`, {
      as: OPERATOR_TOKEN,
      body,
    });
    return made.body.key;
  };
  const viewer = await newKey({ name: "viewer", role: "viewer" });
  expect((await ask("POST", path, { how: "revert" }, viewer)).status).toBe(403);
  const other = await world.newTenant();
  expect((await ask("POST", path, { how: "revert" }, other.key)).status).toBe(404);
  const theirs = await world.stack.ask("POST", `/api/v2/orgs/${other.orgId}${path}`, {
    as: other.key,
    body: { how: "revert" },
  });
  expect(theirs.status).toBe(404);

  const all = "/drift-changes/settlements";
  const many = { how: "accept", fingerprints: [orders] };
  expect((await ask("POST", all, many, viewer)).status).toBe(403);
  expect((await ask("POST", all, many, other.key)).status).toBe(404);
  const elsewhere = await newKey({ name: "elsewhere", role: "member", repositories: ["elsewhere/*"] });
  expect((await ask("POST", all, many, elsewhere)).body.code).toBe("repository_mismatch");
  expect(await send("GET", path)).toEqual({});
  const wrong = { ...many, source_id: tenant.orgId };
  expect((await ask("POST", all, wrong)).body.details).toMatchObject([{ field: "source_id" }]);
});

test("an undeclared resource is adopted as a new file, unless its type isn't offered", async () => {
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  const [queue, repository] = [
    `arn:aws:sqs:eu-west-1:${ACCOUNT}:stray`,
    `arn:aws:ecr:eu-west-1:${ACCOUNT}:repository/r`,
  ];
  const scan = await send(
    "PUT",
    `/cloud-accounts/${account.id}/listing`,
    ndjson([
      { provider_resource_id: queue, provider_type: "AWS::SQS::Queue", properties: { QueueName: "stray" } },
      {
        provider_resource_id: repository,
        provider_type: "AWS::ECR::Repository",
        properties: { RepositoryName: "r" },
      },
    ]),
  );
  while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
  const { data } = await send("GET", "/drift-changes?kind=undeclared");
  const of = (id: string): string =>
    data.find((one: { provider_resource_id: string }) => one.provider_resource_id === id).fingerprint;
  const settled = await settle(of(queue), { how: "adopt" });
  expect(settled.files[0].content).toContain(`resource "aws_sqs_queue" "stray" {`);
  expect(settled.files[0].content).toContain("import {");
  expect(settled.patch).toStartWith("--- /dev/null\n+++ b/");
  expect(settled.explanation).toBe("Imports the resource as `aws_sqs_queue.stray`.");
  expect(await settle(of(repository), { how: "adopt" })).toMatchObject({
    files: [],
    refused: { code: "not_applicable" },
  });
  expect((await settle(of(queue), { how: "accept" })).refused.message).toBe(
    "no code declares the resource; use adopt",
  );
});
