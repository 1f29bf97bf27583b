import { CreateAccount, UpdateAccount, type Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { GetResource } from "@leeway/shared/contracts/inventory/resources";
import { isObject, member, text, type JsonObject } from "@leeway/shared/values/json";
import { testLog } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { FakeAzure } from "@leeway/connectors/azure/fake-azure.fixture";
import { ASSETS, FakeGoogle, keyFile, POLICIES } from "@leeway/connectors/gcp/fake-google.fixture";
import { POLICY_PERMISSION } from "@leeway/connectors/gcp/gcp-role";
import { createRegistry } from "@leeway/connectors/registry";
import { flood, trickle } from "@leeway/connectors/rest/rest.fixture";
import { seekActors } from "../src/drift/actors/seek-actors.ts";
import { scansOf } from "./aws-cloud.ts";
import { newOrg, RING, startInventory, tfstate, type TestInventory } from "./kit.ts";

const google = new FakeGoogle();
const azure = new FakeAzure();
let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({
    clouds: createRegistry({
      providers: ["gcp", "azure"],
      egressAllow: [google.host, azure.host],
      endpoints: { gcp: `http://${google.host}`, azure: `http://${azure.host}` },
      timeoutMs: 3_000,
    }),
  });
});
afterAll(async () => {
  await inventory.stop();
  await google.stop();
  await azure.stop();
});

async function start(provider: string, external_id: string, credentials: Credentials) {
  const org = newOrg(inventory);
  const account = await inventory.call(CreateAccount, { org_id: org.id, provider, external_id, credentials });
  const scans = scansOf(inventory.call, org.id);
  const names = async () => (await org.resources()).map(({ name = "" }) => name).toSorted();
  return {
    org,
    account,
    names,
    scan: (regions: string[] = []) => scans.run({ account_id: account.id, regions }),
  };
}

const startGoogle = () => start("gcp", google.project, { kind: "static", service_account_key: keyFile() });
const startAzure = () =>
  start("azure", azure.subscription, {
    kind: "static",
    tenant_id: azure.tenant,
    client_id: azure.client,
    client_secret: azure.secret,
  });

test("a scan of a Google Cloud project gives the same as pushing its assets", async () => {
  const { org, account, scan, names } = await startGoogle();
  expect(await scan()).toMatchObject({
    status: "succeeded",
    errors: [],
    stats: { seen: ASSETS.length, regions_ok: 1 },
  });
  const pulled = await names();
  expect(pulled).toContain("web-1");
  expect((await org.pushListing(account, { assets: ASSETS })).stats).toMatchObject({ created: 0, gone: 0 });
  expect(await names()).toEqual(pulled);
});

test("a scan of one region and of global resources leaves other regions unchanged", async () => {
  const { scan, names } = await startGoogle();
  await scan(["us-east1", "europe-west1"]);
  google.assets = [];
  const { stats } = await scan(["us-east1"]);
  google.assets = [...ASSETS];
  expect(stats).toMatchObject({ gone: 3 });
  expect(await names()).toEqual(expect.arrayContaining(["shop-images", "shop-logs", "web-1"]));
});

test("a region is found in capitals, too", async () => {
  const { scan, names } = await startGoogle();
  await scan(["EUROPE-WEST1"]);
  expect(await names()).toEqual(expect.arrayContaining(["shop-images", "shop-logs", "web-1"]));
});

test("a denied project keeps its resources, and the scan names the missing permission", async () => {
  const { scan, names } = await startGoogle();
  await scan();
  const before = await names();
  const { granted } = google;
  google.granted = new Set();
  const denied = await scan();
  google.granted = granted;
  expect(denied).toMatchObject({
    status: "failed",
    errors: [{ service: "cloudasset", code: "permission_denied" }],
  });
  expect(await names()).toEqual(before);
});

test("a project with denied policies is still listed, and the scan names the permission", async () => {
  const { scan, names } = await startGoogle();
  google.granted.delete(POLICY_PERMISSION);
  const partial = await scan(["europe-west1"]);
  google.granted.add(POLICY_PERMISSION);
  const error = { service: "cloudasset", code: "permission_denied", count: 1 };
  expect(partial).toMatchObject({ status: "partial", errors: [error, error] });
  expect(partial.errors[0]?.message).toContain(POLICY_PERMISSION);
  expect(await names()).toEqual(expect.arrayContaining(["main", "shop-images", "web-1"]));
});

test("reports a bucket made public outside code, with the actor", async () => {
  const { org, account, scan } = await startGoogle();
  const bucket = {
    type: "google_storage_bucket",
    name: "logs",
    attributes: { id: "shop-logs", name: "shop-logs" },
  };
  await org.pushState(await org.source("main", account.id), tfstate([bucket]));
  await scan();
  const name = "//storage.googleapis.com/shop-logs";
  const binding = { role: "roles/storage.objectViewer", members: ["allUsers"] };
  google.policies = [...POLICIES, { name, iamPolicy: { bindings: [binding] } }];
  google.entries = [
    {
      timestamp: new Date().toISOString(),
      protoPayload: {
        methodName: "storage.setIamPermissions",
        authenticationInfo: { principalEmail: "eve@example.com" },
      },
    },
  ];
  google.filters.length = 0;
  await scan();
  const clouds = createRegistry({
    providers: ["gcp"],
    egressAllow: [google.host],
    endpoints: { gcp: `http://${google.host}` },
  });
  const { database, bus } = inventory;
  await seekActors({ database, bus, log: testLog(), ring: RING, clouds }, new AbortController().signal, [0]);
  Object.assign(google, { policies: [...POLICIES], entries: [] });
  const { data } = await inventory.call(ListDriftChanges, { org_id: org.id, limit: 50, kind: "undeclared" });
  expect(data.filter(({ resource_type }) => resource_type.endsWith("_iam_member"))).toMatchObject([
    {
      provider_resource_id: `${name}/roles/storage.objectViewer/allUsers`,
      risk_flags: [{ rule: "R10" }],
      actor: { principal: "eve@example.com", event: "storage.setIamPermissions", source: "gcp_audit_log" },
    },
  ]);
  expect(google.filters.filter((filter) => filter.includes("setiam"))).toEqual([
    expect.stringContaining(
      'resourceName=("projects/_/buckets/shop-logs") AND protoPayload.methodName=~"(?i)setiam"',
    ),
  ]);
});

test("reported grants stay while policies are denied, and end when those can be read again", async () => {
  const { org, account, scan } = await startGoogle();
  const images = { id: "shop-images", name: "shop-images" };
  const bucket = { type: "google_storage_bucket", name: "images", attributes: images };
  await org.pushState(await org.source("main", account.id), tfstate([bucket]));
  const granted = async (): Promise<string[]> => {
    const { data } = await inventory.call(ListDriftChanges, {
      org_id: org.id,
      limit: 50,
      kind: "undeclared",
    });
    return data
      .map(({ provider_resource_id = "" }) => provider_resource_id)
      .filter((id) => id.includes("/roles/"));
  };
  await scan();
  const before = await granted();
  expect(before).toEqual([expect.stringContaining("allUsers")]);
  google.granted.delete(POLICY_PERMISSION);
  const denied = [await scan(), await scan()];
  const meanwhile = await granted();
  google.granted.add(POLICY_PERMISSION);
  google.policies = [];
  await scan();
  google.policies = [...POLICIES];
  expect(denied).toMatchObject([{ status: "partial" }, { status: "partial" }]);
  expect(meanwhile).toEqual(before);
  expect(await granted()).toEqual([]);
});

/** Returns the project's assets, with this creation time for one bucket. */
const imagesMade = (timeCreated: string): JsonObject[] =>
  ASSETS.map((asset) => {
    const [resource, data] = [member(asset, "resource"), member(member(asset, "resource"), "data")];
    return text(asset, "name")?.endsWith("/shop-images")
      ? { ...asset, resource: { ...resource, data: { ...data, timeCreated } } }
      : asset;
  });

test("a bucket recreated while policies are denied doesn't get the old one's policy", async () => {
  const { org, scan } = await startGoogle();
  const policy = async (): Promise<unknown> => {
    const resource_id = "//storage.googleapis.com/shop-images";
    const { properties } = await inventory.call(GetResource, { org_id: org.id, resource_id });
    return isObject(properties) ? properties["iamPolicy"] : undefined;
  };
  google.assets = imagesMade("2026-01-01T00:00:00Z");
  await scan();
  google.granted.delete(POLICY_PERMISSION);
  await scan();
  const kept = await policy();
  google.assets = imagesMade("2026-02-02T00:00:00Z");
  await scan();
  google.granted.add(POLICY_PERMISSION);
  google.assets = [...ASSETS];
  expect(kept).toMatchObject({ bindings: [{}, { members: ["allUsers"] }] });
  expect(await policy()).toBeUndefined();
});

test("a scan of a subscription lists all tables, and a failed table keeps its rows", async () => {
  const { scan, names } = await startAzure();
  expect(await scan()).toMatchObject({ status: "succeeded", stats: { seen: 7, regions_failed: 0 } });
  const resources = azure.tables.get("resources") ?? [];
  const dns = azure.tables.get("dnsresources") ?? [];
  azure.tables.set(
    "resources",
    resources.filter(({ name }) => name !== "shoplogs"),
  );
  azure.tables.delete("dnsresources");
  const partial = await scan();
  azure.tables.set("resources", resources);
  azure.tables.set("dnsresources", dns);
  expect(partial).toMatchObject({
    status: "partial",
    stats: { seen: 5, gone: 1 },
    errors: [{ service: "dnsresources" }],
  });
  expect(await names()).toContain("www");
  expect(await names()).not.toContain("shoplogs");
});

test("resources of a failed table aren't missing, those of the others are", async () => {
  const { org, scan } = await startAzure();
  await scan();
  const record = {
    type: "azurerm_dns_a_record",
    name: "gone",
    attributes: {
      id: `/subscriptions/${azure.subscription}/resourceGroups/shop/providers/Microsoft.Network/dnsZones/example.com/A/gone`,
    },
  };
  await org.pushState(await org.source("all"), tfstate([storage("gone", {}), record]));
  const fates = async () =>
    Object.fromEntries((await org.declared()).map(({ address, match }) => [address, match.status]));
  const both = { "azurerm_storage_account.gone": "missing", "azurerm_dns_a_record.gone": "missing" } as const;
  expect(await fates()).toEqual(both);
  const dns = azure.tables.get("dnsresources") ?? [];
  azure.tables.delete("dnsresources");
  const partial = await scan();
  azure.tables.set("dnsresources", dns);
  expect(partial).toMatchObject({ status: "partial", errors: [{ service: "dnsresources" }] });
  expect(await fates()).toEqual({ ...both, "azurerm_dns_a_record.gone": "unobserved" });
});

const storage = (name: string, location: object) => ({
  type: "azurerm_storage_account",
  name,
  attributes: {
    id: `/subscriptions/${azure.subscription}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/${name}`,
    ...location,
  },
});

test("a regional scan of a subscription makes resources missing only in its regions", async () => {
  const { org, scan } = await startAzure();
  const state = [
    storage("gone", { location: "westeurope" }),
    storage("elsewhere", { location: "northeurope" }),
    storage("anywhere", {}),
  ];
  await org.pushState(await org.source("all"), tfstate(state));
  const fates = async () =>
    Object.fromEntries((await org.declared()).map(({ address, match }) => [address, match.status]));
  await scan(["West Europe"]);
  expect(await fates()).toEqual({
    "azurerm_storage_account.gone": "missing",
    "azurerm_storage_account.elsewhere": "unobserved",
    "azurerm_storage_account.anywhere": "unobserved",
  });
  await scan();
  expect(new Set(Object.values(await fates()))).toEqual(new Set(["missing"]));
});

test.each([
  ["a project", startGoogle, "eurpoe-west1"],
  ["a subscription", startAzure, "westeuorpe"],
])("a misspelt region of %s is reported, and nothing is removed", async (_, begin, region) => {
  const { org, account, scan, names } = await begin();
  await scan();
  const before = await names();
  await inventory.call(UpdateAccount, { org_id: org.id, account_id: account.id, regions: [region] });
  const misspelt = await scan();
  expect(misspelt).toMatchObject({ status: "partial", stats: { gone: 0, regions_failed: 1 } });
  expect(misspelt.errors.every((error) => error.code === "unsupported" && error.region === region)).toBe(
    true,
  );
  expect(await names()).toEqual(before);
});

test("a subscription with an expired secret keeps its resources", async () => {
  const { scan, names } = await startAzure();
  await scan();
  const before = await names();
  azure.interfere = () => Response.json({ error: "invalid_client" }, { status: 401 });
  const failed = await scan();
  azure.interfere = () => undefined;
  expect(failed).toMatchObject({ status: "failed" });
  expect(await names()).toEqual(before);
});

const tooLarge = { code: "internal", message: "the response is too large" };
test.each([
  ["responds too slowly", trickle, { code: "timeout" }],
  ["never ends its response", flood, tooLarge],
])("a cloud that %s fails only its own scans, with the reason", async (_, answer, error) => {
  const projects = await Promise.all([startGoogle(), startGoogle()]);
  const subscription = await startAzure();
  await Promise.all(projects.map(({ scan }) => scan()));
  const before = await projects[0].names();
  google.interfere = ({ url }) => (url.includes("/assets") ? answer() : undefined);
  const failing = projects.map(({ scan }) => scan());
  expect(await subscription.scan()).toMatchObject({ status: "succeeded" });
  const failed = { status: "failed", errors: [{ service: "cloudasset", ...error }] };
  expect(await Promise.all(failing)).toMatchObject([failed, failed]);
  google.interfere = () => undefined;
  expect(await projects[0].names()).toEqual(before);
});
