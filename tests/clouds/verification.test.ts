import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import type { Answer, Call } from "@leeway/connectors/aws/aws.fixture";
import { AUDIT_ACTION, GRAPH_ACTION } from "@leeway/connectors/azure/azure-role";
import { keyFile } from "@leeway/connectors/gcp/fake-google.fixture";
import { AUDIT_PERMISSION, SEARCH_PERMISSION } from "@leeway/connectors/gcp/gcp-role";
import { ACCOUNT, AWS_KEY, startWorld, type Tenant, type World } from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  world.useClouds(world.cloudsOf(["aws", "gcp", "azure"]));
  world.awsAnswers(everything);
});

const ORDINARY: Readonly<Record<string, Answer>> = {
  "account:ListRegions": { body: { Regions: [{ RegionName: "eu-west-1" }] } },
  "resource-explorer-2:ListIndexes": {
    body: { Indexes: [{ Arn: "arn:1", Region: "us-east-1", Type: "AGGREGATOR" }] },
  },
  "resource-explorer-2:ListResources": { body: { Resources: [], ViewArn: "arn:2" } },
  "resource-explorer-2:ListSupportedResourceTypes": { body: { ResourceTypes: [] } },
  "resource-explorer-2:GetIndex": { body: { State: "ACTIVE" } },
  "resource-explorer-2:GetView": { body: { View: { ViewArn: "arn:2", Filters: { FilterString: "" } } } },
  "cloudformation:ListResources": { body: { TypeName: "AWS::Logs::LogGroup", ResourceDescriptions: [] } },
  "cloudformation:GetResource": { status: 400, code: "ResourceNotFoundException" },
  "tag:GetResources": { body: { PaginationToken: "", ResourceTagMappingList: [] } },
};
const everything = ({ action }: Call): Answer =>
  ORDINARY[action] ?? { status: 400, code: "UnsupportedActionException" };
const allBut =
  (denied: string) =>
  (call: Call): Answer =>
    call.action === denied
      ? { status: 400, code: "AccessDeniedException", message: `not authorized to perform: ${denied}` }
      : everything(call);

const verify = (id: string): Promise<Answered> => tenant.ask("POST", `cloud-accounts/${id}/verify`);
const account = async (id: string) => (await tenant.ask("GET", `cloud-accounts/${id}`)).body;

const awsAccount = () => tenant.account("aws", ACCOUNT, { credentials: AWS_KEY });
const googleKey = () => ({ kind: "static", service_account_key: keyFile() });
const azureSecret = () => ({
  kind: "static",
  tenant_id: world.azure.tenant,
  client_id: world.azure.client,
  client_secret: world.azure.secret,
});

describe("complete credentials", () => {
  test.each<[string, () => Promise<string>, () => string]>([
    ["aws", awsAccount, () => `arn:aws:iam::${ACCOUNT}:user/leeway`],
    [
      "gcp",
      () => tenant.account("gcp", world.google.project, { credentials: googleKey() }),
      () => world.google.email,
    ],
    [
      "azure",
      () => tenant.account("azure", world.azure.subscription, { credentials: azureSecret() }),
      () => world.azure.client,
    ],
  ])("of %s give the account the status ok", async (_, made, who) => {
    const id = await made();
    expect(await account(id)).toMatchObject({ status: "unverified" });
    const { status, body } = await verify(id);
    expect([status, body.status, body.identity, body.missing_permissions]).toEqual([200, "ok", who(), []]);
    expect(body.checks.length).toBeGreaterThan(2);
    const { identity, ...kept } = body;
    const after = await account(id);
    expect(after).toMatchObject({ status: "ok", last_verification: kept });
    expect(JSON.stringify(after)).not.toContain(identity);
  });
});

describe("a missing permission", () => {
  test("of AWS is named", async () => {
    world.awsAnswers(allBut("tag:GetResources"));
    const id = await awsAccount();
    const { status, body } = await verify(id);
    expect([status, body.status, body.missing_permissions]).toEqual([200, "failing", ["tag:GetResources"]]);
    expect(await account(id)).toMatchObject({
      status: "failing",
      last_verification: { missing_permissions: ["tag:GetResources"] },
    });
    world.awsAnswers(everything);
    expect((await verify(id)).body.status).toBe("ok");
    expect(await account(id)).toMatchObject({ status: "ok" });
  });

  test("of Google Cloud is named", async () => {
    const id = await tenant.account("gcp", world.google.project, { credentials: googleKey() });
    world.google.granted.delete(SEARCH_PERMISSION);
    expect((await verify(id)).body.missing_permissions).toEqual([SEARCH_PERMISSION]);
    world.google.granted.add(SEARCH_PERMISSION);
  });

  test("that is optional doesn't fail the account", async () => {
    const id = await tenant.account("gcp", world.google.project, { credentials: googleKey() });
    world.google.granted.delete(AUDIT_PERMISSION);
    const { body } = await verify(id);
    expect([body.status, body.missing_permissions]).toEqual(["ok", [AUDIT_PERMISSION]]);
    expect(body.checks.at(-1)).toMatchObject({ ok: false, optional: true });
    world.google.granted.add(AUDIT_PERMISSION);
  });

  test("of Azure is named", async () => {
    const id = await tenant.account("azure", world.azure.subscription, { credentials: azureSecret() });
    const allowed = world.azure.permissions;
    world.azure.permissions = [
      { actions: ["Microsoft.Resources/*/read", "Microsoft.Authorization/*/read"], notActions: [] },
    ];
    expect((await verify(id)).body.missing_permissions).toEqual(["*/read", AUDIT_ACTION, GRAPH_ACTION]);
    world.azure.permissions = allowed;
  });
});

test("rejected credentials fail the account with the reason", async () => {
  const credentials = { ...azureSecret(), client_secret: "wrong" };
  const id = await tenant.account("azure", world.azure.subscription, { credentials });
  const { status, body } = await verify(id);
  expect([status, body.status, body.identity]).toEqual([200, "failing", undefined]);
  expect(body.checks).toMatchObject([
    { ok: false, message: expect.stringContaining("the client secret is wrong") },
  ]);
});

test("new credentials are unverified, removed ones mean push, and a new name changes nothing", async () => {
  const id = await awsAccount();
  await verify(id);
  const patch = async (body: object) => (await tenant.ask("PATCH", `cloud-accounts/${id}`, { body })).body;
  expect(await patch({ name: "production" })).toMatchObject({ status: "ok", name: "production" });
  const other = { ...AWS_KEY, access_key_id: "AKIAIOSFODNN7OTHER00" };
  const changed = await patch({ credentials: other });
  expect(changed).toMatchObject({ status: "unverified", credentials: { kind: "static" } });
  expect(changed).not.toContainKey("last_verification");
  await verify(id);
  const pushed = await patch({ credentials: null });
  expect(pushed).toMatchObject({ status: "push", name: "production" });
  expect(pushed).not.toContainAnyKeys(["credentials", "last_verification"]);
  const { status, body } = await verify(id);
  expect([status, body.code]).toEqual([409, "no_credentials"]);
  const [row] = await world.db
    .admin`select sealed_credentials from inventory.cloud_accounts where id = ${id}`;
  expect(row?.["sealed_credentials"]).toBeNull();
});

test("a verification doesn't count for credentials that were replaced meanwhile", async () => {
  const id = await awsAccount();
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  world.awsAnswers(async (call) => {
    asked.resolve();
    await released.promise;
    return everything(call);
  });
  const verifying = verify(id);
  await asked.promise;
  await tenant.ask("PATCH", `cloud-accounts/${id}`, { body: { credentials: AWS_KEY } });
  released.resolve();
  expect((await verifying).body.status).toBe("ok");
  expect(await account(id)).toMatchObject({ status: "unverified" });
});

test("a cloud that doesn't respond gives 503 and keeps the status", async () => {
  const id = await awsAccount();
  await verify(id);
  world.useClouds(world.cloudsOf(["aws"], 100));
  world.awsAnswers(() => "silence");
  const { status, body } = await verify(id);
  expect([status, body.code]).toEqual([503, "unavailable"]);
  expect(await account(id)).toMatchObject({ status: "ok" });
  world.useClouds(world.cloudsOf([]));
  expect((await verify(id)).body.code).toBe("registry_not_configured");
});

test("members can't verify, other organizations get 404, and an audit entry is written", async () => {
  const id = await awsAccount();
  const path = `cloud-accounts/${id}/verify`;
  expect((await tenant.ask("POST", path, { as: await tenant.keyOf("member") })).status).toBe(403);
  const other = await world.newTenant();
  expect((await other.ask("POST", path)).status).toBe(404);
  await verify(id);
  const log = `audit-log?action=cloud_account.verify&limit=1`;
  const entry = async () => (await tenant.ask("GET", log, { as: tenant.key })).body.data[0];
  while ((await entry())?.target.id !== id) await Bun.sleep(20); // the inventory brings it within a second
  expect(await entry()).toMatchObject({
    action: "cloud_account.verify",
    target: { id },
    outcome: "done",
    details: { status: "ok" },
  });
});

const role = (role_arn: string, more: object = {}) => ({ kind: "aws_role", role_arn, ...more });
const wif = (audience: string, service_account_email = "leeway@shop-prod.iam.gserviceaccount.com") => ({
  kind: "gcp_wif",
  audience,
  service_account_email,
});

describe("malformed credentials are refused when they are set", () => {
  const AUDIENCE =
    "//iam.googleapis.com/projects/4711/locations/global/workloadIdentityPools/leeway/providers/leeway";
  const CASES: [provider: string, credentials: object, field: string][] = [
    ["aws", role("arn:aws:iam::999999999999:role/x"), "role_arn"],
    ["aws", role(`arn:aws:iam::${ACCOUNT}:user/x`), "role_arn"],
    ["aws", role(`arn:aws:iam::${ACCOUNT}:role/x`, { external_id: "leeway:org:other" }), "external_id"],
    ["aws", { kind: "aws_role" }, "role_arn"],
    ["aws", { kind: "static", access_key_id: AWS_KEY.access_key_id }, "secret_access_key"],
    ["aws", { ...AWS_KEY, client_secret: "s" }, "client_secret"],
    ["aws", wif(AUDIENCE), "kind"],
    ["gcp", wif("https://example.com"), "audience"],
    ["gcp", wif(AUDIENCE, "somebody@example.com"), "service_account_email"],
    ["gcp", { kind: "static", service_account_key: "{}" }, "service_account_key"],
    ["gcp", { kind: "static", access_key_id: "AKIAIOSFODNN7EXAMPLE" }, "access_key_id"],
    ["azure", { kind: "azure_federated", tenant_id: "a/b", client_id: ACCOUNT }, "tenant_id"],
    ["azure", { kind: "azure_federated", tenant_id: "example.com", client_id: "leeway" }, "client_id"],
    ["azure", { kind: "static", tenant_id: "t", client_id: "c" }, "client_secret"],
    ["acme", AWS_KEY, ""],
  ];
  const external = {
    aws: ACCOUNT,
    gcp: "shop-prod",
    azure: "0b1f6471-1bf0-4dda-aec3-cb9272f09590",
    acme: "x",
  };

  test.each(CASES)("of %s: %j", async (provider, credentials, field) => {
    const external_id = Object.entries(external).find(([name]) => name === provider)?.[1];
    const given = { provider, external_id };
    const expected = {
      status: 400,
      body: {
        code: "invalid_parameter",
        details: [{ field: field === "" ? "credentials" : `credentials.${field}` }],
      },
    };
    const refused = await tenant.ask("POST", "cloud-accounts", { body: { ...given, credentials } });
    expect(refused).toMatchObject(expected);
    const { body } = await tenant.ask("POST", "cloud-accounts", { body: given });
    const path = `cloud-accounts/${body.id}`;
    expect(await tenant.ask("PATCH", path, { body: { credentials } })).toMatchObject(expected);
    expect(await account(body.id)).toMatchObject({ status: "push" });
  });

  test.each(["POST", "PATCH"])("an unknown field is named: %s", async (method) => {
    const { body: made } = await tenant.ask("POST", "cloud-accounts", {
      body: { provider: "aws", external_id: "111111111111" },
    });
    const path = method === "POST" ? "cloud-accounts" : `cloud-accounts/${made.id}`;
    const given = method === "POST" ? { provider: "aws", external_id: ACCOUNT } : {};
    const body = { ...given, credentials: { ...AWS_KEY, session_token: "t" } };
    const { status, text } = await tenant.ask(method, path, { body });
    expect([status, text]).toEqual([
      400,
      '{"error":"invalid request body: json: unknown field \\"session_token\\""}',
    ]);
  });

  test("the organization's own external id counts as the default", async () => {
    const credentials = role(`arn:aws:iam::${ACCOUNT}:role/x`, { external_id: `leeway:org:${tenant.orgId}` });
    expect(await tenant.account("aws", ACCOUNT, { credentials })).toBeString();
  });
});
