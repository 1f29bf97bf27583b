import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { createRepository, type Repository } from "../code-hosts/repository.ts";
import {
  change,
  GITHUB_REPOSITORY,
  plan,
  REPOSITORY,
  resource,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

const ACCOUNT = "123456789012";
const FUNCTION = 'resource "aws_lambda_function" "orders" {\n  timeout = 30\n}\n';

let world: World;
let tenant: Tenant;
let code: Repository;
/** Fingerprints of the changes by resource. */
let changes: Record<string, string>;
let source: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  world.github.named.set(GITHUB_REPOSITORY, tenant.orgId);
  code = createRepository({ "prod/orders.tf": FUNCTION });
  world.gitlab.code.set(REPOSITORY, code);
  world.github.code.set(GITHUB_REPOSITORY, code);
});

const send = async (method: string, path: string, body?: unknown) => {
  const answered = await world.stack.ask(method, `/api/v2/orgs/${tenant.orgId}${path}`, {
    as: tenant.key,
    body,
  });
  if (answered.status >= 300) throw new Error(`${answered.status} ${answered.text}`);
  return answered.body;
};
const settle = (name: string, body: object) =>
  send("POST", `/drift-changes/${changes[name]}/settlement`, body);
const requested = async (name: string) =>
  (await send("GET", `/drift-changes/${changes[name]}/settlement`)).settlement;

const queue = (name: string, region = "eu-west-1") => ({
  provider_resource_id: `arn:aws:sqs:${region}:${ACCOUNT}:${name}`,
  provider_type: "AWS::SQS::Queue",
  name,
  region,
  properties: {
    QueueName: name,
    DelaySeconds: 5,
    QueueUrl: `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${name}`,
  },
});

/** Creates a source with a changed function, beside three queues that nobody declared. */
async function filled(repository: object | undefined): Promise<void> {
  const account = await send("POST", "/cloud-accounts", { provider: "aws", external_id: ACCOUNT });
  source = (await send("POST", "/iac-sources", { name: "main", cloud_account_id: account.id, repository }))
    .id;
  const arn = `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:orders`;
  const attributes = { id: "orders", arn, timeout: 30 };
  await send(
    "PUT",
    `/iac-sources/${source}/state`,
    tfstate([{ type: "aws_lambda_function", name: "orders", attributes }]),
  );
  const rows = [
    { provider_resource_id: arn, provider_type: "AWS::Lambda::Function", properties: { Timeout: 60 } },
    queue("jobs"),
    queue("mail"),
    queue("far", "us-east-1"),
  ];
  const scan = await send("PUT", `/cloud-accounts/${account.id}/listing`, ndjson(rows));
  while ((await send("GET", `/scans/${scan.id}`)).finished_at === undefined) await Bun.sleep(20);
  const { data } = await send("GET", "/drift-changes?noise=include");
  changes = Object.fromEntries(
    data.map((one: { resource_name?: string; address?: string; fingerprint: string }) => [
      one.address?.split(".")[1] ?? one.resource_name,
      one.fingerprint,
    ]),
  );
}

describe.each([
  ["gitlab", REPOSITORY],
  ["github", GITHUB_REPOSITORY],
])("on %s", (host, path) => {
  const repository = { host, path, dir: "prod", ref: "main" };

  test("adopted resources join the request of their source, as one new file", async () => {
    await filled(repository);
    const alone = await settle("jobs", { how: "adopt", source_id: source });
    expect(alone).toMatchObject({
      files: [{ path: "prod/adopted.tf" }],
      explanation: "Imports the resource as `aws_sqs_queue.jobs`, in `prod/adopted.tf`.",
    });
    expect(alone.change_request).toBeUndefined();
    expect(await requested("jobs")).toBeUndefined();

    const first = await settle("jobs", { how: "adopt", open_change_request: true });
    expect(first.change_request).toMatchObject({ status: "created", number: 1 });
    const { branch, url } = first.change_request;
    await settle("orders", { how: "accept", open_change_request: true });
    const second = await settle("mail", { how: "adopt", open_change_request: true, source_id: source });
    expect(second.change_request).toMatchObject({ status: "updated", branch, number: 1 });
    const files = code.files(branch);
    expect(files["prod/orders.tf"]).toBe(FUNCTION.replace("30", "60"));
    for (const name of ["jobs", "mail"])
      expect(files["prod/adopted.tf"]).toContain(`"aws_sqs_queue" "${name}"`);
    expect(Object.keys(files)).toHaveLength(2);
    for (const words of ["### Adopt `aws_sqs_queue.jobs`", "no code declares the resource", changes["mail"]])
      expect(code.requests[0]?.body).toContain(words ?? "");
    expect(await requested("mail")).toMatchObject({
      how: "adopt",
      source_id: source,
      decided_by: { type: "api_key" },
      change_request: { status: "unchanged", number: 1, url, branch },
    });

    const left = await send("DELETE", `/drift-changes/${changes["jobs"]}/settlement`);
    expect(left.change_request).toMatchObject({ status: "updated" });
    expect(code.files(branch)["prod/adopted.tf"]).not.toContain('"jobs"');
    expect(await requested("jobs")).toBeUndefined();
  });

  test("a resource that the code declares already isn't written again, and a file's name is taken once", async () => {
    await filled(repository);
    code.commit("main", { "prod/adopted.tf": 'resource "aws_sqs_queue" "jobs" {}\n' });
    expect(await settle("jobs", { how: "adopt", source_id: source })).toMatchObject({
      patch: "",
      files: [],
      explanation: "`prod/adopted.tf` already declares `aws_sqs_queue.jobs`.",
    });
    expect(await settle("mail", { how: "adopt", source_id: source })).toMatchObject({
      files: [{ path: "prod/adopted-2.tf" }],
    });
  });

  test("a resource of another region is left out of the request, with the reason", async () => {
    await filled(repository);
    const { change_request: request } = await settle("jobs", { how: "adopt", open_change_request: true });
    await settle("far", { how: "adopt", open_change_request: true });
    expect(code.files(request.branch)["prod/adopted.tf"]).not.toContain('"far"');
    expect(code.requests[0]?.body).toContain("- `far`: it is in another account or region");
  });
});

test("why the code host refused a request stays known", async () => {
  await filled({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  const { change_request: request } = await settle("jobs", { how: "adopt", open_change_request: true });
  code.commit(request.branch, {}, { message: "Mine" });
  await settle("mail", { how: "adopt", open_change_request: true });
  expect(await requested("jobs")).toMatchObject({
    change_request: { status: "refused", number: 1, problem: expect.stringContaining("a commit of Ada") },
  });
});

test("the plan of the branch holds the promise only if it imports without a change", async () => {
  await filled({ host: "gitlab", path: REPOSITORY, dir: "prod" });
  const { change_request: request } = await settle("jobs", { how: "adopt", open_change_request: true });
  const analyzed = async (actions: string[]) => {
    const one = resource("aws_sqs_queue.jobs", change(actions, { before: {}, after: {} }));
    const { result } = await tenant.analyzed(
      submission(plan(one), { ref: request.branch, project: { name: "main" } }),
    );
    return result.promise;
  };
  expect(await analyzed(["no-op"])).toEqual({ kept: true, changes: 1, broken: [] });
  expect(await analyzed(["update"])).toMatchObject({ kept: false, broken: [{ actions: ["update"] }] });
});

test("the source must be named if there are several, and needs a repository", async () => {
  await filled(undefined);
  const opened = { how: "adopt", open_change_request: true };
  expect((await settle("jobs", opened)).refused).toMatchObject({ code: "no_repository" });
  for (const name of ["one", "two"])
    await send("POST", "/iac-sources", { name, repository: { host: "gitlab", path: REPOSITORY, dir: name } });
  expect((await settle("jobs", opened)).refused).toMatchObject({
    code: "no_source",
    message: expect.stringContaining("source_id"),
  });
  const wrong = await world.stack.ask(
    "POST",
    `/api/v2/orgs/${tenant.orgId}/drift-changes/${changes["orders"]}/settlement`,
    { as: tenant.key, body: { how: "accept", source_id: source } },
  );
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("source_id")]);
});
