import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { formats } from "./formats.ts";
import { knownDocuments } from "./known-documents.ts";

/** Returns the formats that accept the row. */
function readers(row: Json): string[] {
  return formats.filter((format) => format.read(row, {}) !== null).map(({ name }) => name);
}

function readAll(row: Json): ListedResource[] | null {
  return formats.map((format) => format.read(row, {})).find((found) => found !== null) ?? null;
}

function readOne(row: Json): ListedResource {
  const [resource] = readAll(row) ?? [];
  if (resource === undefined) throw new Error("no format reads it");
  return resource;
}

function accountOfDataset(data: JsonObject, parent: string): string | undefined {
  const name = "//bigquery.googleapis.com/projects/1043/datasets/sales";
  return readOne({ asset_type: "bigquery.googleapis.com/Dataset", name, resource: { parent, data } }).account;
}

function nameOf(type: string, name: string, data: JsonObject): string | undefined {
  return readOne({ asset_type: type, name, resource: { data } }).name;
}

const DISK = {
  asset_type: "compute.googleapis.com/Disk",
  name: "//compute.googleapis.com/projects/shop/zones/europe-west1-b/disks/data",
  resource: {
    version: "v1",
    parent: "//cloudresourcemanager.googleapis.com/projects/1041",
    data: {
      id: "9281",
      name: "data",
      sizeGb: "100",
      creationTimestamp: "2024-03-01T10:00:00.250+02:00",
      labels: { env: "prod", cost: "42" },
      zone: "https://www.googleapis.com/compute/v1/projects/shop/zones/europe-west1-b",
    },
  },
} satisfies JsonObject;

const SEARCHED_TOPIC = {
  name: "//pubsub.googleapis.com/projects/shop/topics/orders",
  assetType: "pubsub.googleapis.com/Topic",
  project: "projects/1041",
  displayName: "projects/shop/topics/orders",
  location: "global",
  labels: { team: "checkout" },
  parentFullResourceName: "//cloudresourcemanager.googleapis.com/projects/shop",
} satisfies JsonObject;

describe("an exported asset", () => {
  test("is a resource with its unchanged payload", () => {
    expect(readOne(DISK)).toEqual({
      provider_resource_id: DISK.name,
      provider_type: "compute.googleapis.com/Disk",
      account: "shop",
      region: "europe-west1",
      name: "data",
      tags: { env: "prod", cost: "42" },
      properties: DISK.resource.data,
      complete: true,
      created_at: "2024-03-01T08:00:00Z",
    });
    expect(readOne(DISK).properties).toBe(DISK.resource.data);
  });

  test("is read from an export, a page of assets.list and in camelCase", () => {
    const { asset_type: assetType, ...rest } = DISK;
    expect(readOne({ ...rest, assetType })).toEqual(readOne(DISK));
    expect(readers(DISK)).toEqual([
      "Google Cloud Asset Inventory assets.list",
      "Google Cloud Asset Inventory export or gcloud asset list",
    ]);
  });

  test("without a content type is an incomplete resource", () => {
    const row = { name: DISK.name, assetType: DISK.asset_type, ancestors: ["projects/1041"] };
    expect(readOne(row)).toMatchObject({
      name: "data",
      account: "shop",
      region: "europe-west1",
      complete: false,
    });
  });

  test.each([
    ["iam_policy", { bindings: [] }],
    ["iamPolicy", { bindings: [] }],
    ["org_policy", [{ constraint: "constraints/compute.disableSerialPortAccess" }]],
    ["access_policy", { name: "accessPolicies/1" }],
    ["service_perimeter", { name: "accessPolicies/1/servicePerimeters/p" }],
    ["osInventory", {}],
  ])("with only its %s isn't a resource", (member, policy) => {
    expect(readAll({ name: DISK.name, asset_type: DISK.asset_type, [member]: policy })).toEqual([]);
  });

  test.each(["iam_policy", "iamPolicy"])("with %s beside the resource includes the policy", (member) => {
    const bindings = [{ role: "roles/compute.viewer", members: ["user:ada@example.com"] }];
    const { complete, properties } = readOne({ ...DISK, [member]: { etag: "Bw", version: 1, bindings } });
    expect(complete).toBe(true);
    expect(properties?.["iamPolicy"]).toEqual({ bindings });
  });

  test("has the audit configs of a project, even if it has none", () => {
    const name = "//cloudresourcemanager.googleapis.com/projects/4711";
    const project = { name, assetType: "cloudresourcemanager.googleapis.com/Project" };
    const auditConfigs = [{ service: "allServices", auditLogConfigs: [{ logType: "DATA_READ" }] }];
    const policyIn = (iamPolicy: JsonObject) =>
      readOne({ ...project, resource: { data: { projectId: "shop" } }, iamPolicy }).properties?.["iamPolicy"];
    expect(policyIn({ auditConfigs })).toEqual({ bindings: [], auditConfigs });
    expect(policyIn({})).toEqual({ bindings: [], auditConfigs: [] });
  });

  test("has the catalog's spelling of its type", () => {
    const row = { ...DISK, asset_type: "COMPUTE.googleapis.com/disk" };
    expect(readOne(row).provider_type).toBe("compute.googleapis.com/Disk");
    expect(readOne({ ...DISK, asset_type: "time.googleapis.com/Machine" }).provider_type).toBe(
      "time.googleapis.com/Machine",
    );
  });
});

describe("a search result", () => {
  test("is a resource with a readable name", () => {
    expect(readOne(SEARCHED_TOPIC)).toEqual({
      provider_resource_id: SEARCHED_TOPIC.name,
      provider_type: "pubsub.googleapis.com/Topic",
      account: "shop",
      name: "orders",
      tags: { team: "checkout" },
      properties: SEARCHED_TOPIC,
      complete: false,
    });
    expect(readers(SEARCHED_TOPIC)).toEqual([
      "Google Cloud Asset Inventory searchAllResources",
      "gcloud asset search-all-resources",
    ]);
  });

  test("with versioned resources is complete", () => {
    const data = { name: "projects/shop/topics/orders", labels: { team: "checkout" } };
    const row = { ...SEARCHED_TOPIC, versionedResources: [{ version: "v1", resource: data }] };
    expect(readOne(row)).toMatchObject({ complete: true, properties: data });
  });

  test("has the same creation time as in an export", () => {
    const row = { ...SEARCHED_TOPIC, createTime: "2024-03-01T08:00:00Z" };
    expect(readOne(row).created_at).toBe(readOne(DISK).created_at);
  });
});

describe("the account of a row", () => {
  test("is the project id in any form of the row", () => {
    const number = "//cloudresourcemanager.googleapis.com/projects/1043";
    expect(accountOfDataset({ datasetReference: { projectId: "shop" } }, number)).toBe("shop");
    expect(accountOfDataset({}, "//cloudresourcemanager.googleapis.com/projects/shop")).toBe("shop");
  });

  test("is the project number without a project id", () => {
    expect(accountOfDataset({}, "//cloudresourcemanager.googleapis.com/projects/1043")).toBe("1043");
  });

  test("of a bucket, whose name has no project, is its parent", () => {
    const row = {
      asset_type: "storage.googleapis.com/Bucket",
      name: "//storage.googleapis.com/assets",
      resource: { parent: "//cloudresourcemanager.googleapis.com/projects/1043", data: { location: "EU" } },
    };
    expect(readOne(row)).toMatchObject({ account: "1043", region: "eu", name: "assets" });
  });

  test("is absent for a resource of an organization", () => {
    const row = {
      asset_type: "iam.googleapis.com/Role",
      name: "//iam.googleapis.com/organizations/111222333/roles/auditor",
      ancestors: ["organizations/111222333"],
      resource: { data: {} },
    };
    expect(readOne(row)).not.toHaveProperty("account");
  });

  test("may be a placeholder", () => {
    const row = { ...DISK, name: DISK.name.replace("shop", "{{.Provider.project}}") };
    expect(readOne(row).account).toBe("{{.Provider.project}}");
  });
});

describe("a resource name that ends with a number", () => {
  test("is replaced by the name in the payload", () => {
    const zone = "//dns.googleapis.com/projects/1/managedZones/9141";
    expect(nameOf("dns.googleapis.com/ManagedZone", zone, { name: "example-com" })).toBe("example-com");
    const account = "//iam.googleapis.com/projects/shop/serviceAccounts/1101";
    const email = "ci@shop.iam.gserviceaccount.com";
    expect(
      nameOf("iam.googleapis.com/ServiceAccount", account, {
        email,
        name: `projects/shop/serviceAccounts/${email}`,
      }),
    ).toBe(email);
    const policy = "//monitoring.googleapis.com/projects/shop/alertPolicies/77";
    const data = { name: "projects/shop/alertPolicies/77", displayName: "Disk full" };
    expect(nameOf("monitoring.googleapis.com/AlertPolicy", policy, data)).toBe("Disk full");
  });
});

test.each([
  ["2017-08-07T10:18:45.802-07:00", "2017-08-07T17:18:45Z"],
  ["1540219536171", "2018-10-22T14:45:36Z"],
  ["yesterday", undefined],
  ["2017-13-45T99:00:00Z", undefined],
  ["99999999999999999999", undefined],
  ["-5", undefined],
])("a creation time of %s is read as %s", (written, created) => {
  const row = { ...DISK, resource: { data: { creationTime: written } } };
  expect<string | undefined>(readOne(row).created_at).toBe(created);
});

test.each([
  ["another cloud's row", { arn: "arn:aws:sqs:eu-west-1:1:q", assetType: "AWS::SQS::Queue", name: "q" }],
  ["an asset without a name", { asset_type: "compute.googleapis.com/Disk" }],
  ["an asset without a type", { name: DISK.name }],
  ["a text", "//compute.googleapis.com/projects/p"],
  ["nothing", null],
  ["a list", [DISK]],
])("%s is refused", (_, row) => {
  expect(readAll(row)).toBeNull();
});

describe("a document that isn't a listing", () => {
  const NAMED: [string, JsonObject][] = [
    ["service account key", { type: "service_account", project_id: "shop", private_key: "none" }],
    ["IAM policy", { bindings: [], etag: "BwW=", version: 1 }],
    ["searchAllIamPolicies", { results: [{ resource: DISK.name, policy: { bindings: [] } }] }],
    ["searchAllIamPolicies", { resource: DISK.name, assetType: "compute.googleapis.com/Disk", policy: {} }],
    ["history or feed", { assets: [{ window: { startTime: "" }, asset: DISK }] }],
    ["history or feed", { window: {}, priorAsset: DISK }],
    ["export operation", { name: "projects/1/operations/ExportAssets/RESOURCE/abc" }],
    ["one Google Cloud API", { kind: "compute#instanceList", items: [] }],
    ["error", { error: { code: 403, status: "PERMISSION_DENIED", message: "" } }],
  ];

  test.each(NAMED)("is named a Google Cloud %s", (name, value) => {
    expect(readAll(value)).toBeNull();
    expect(knownDocuments.filter((known) => known.matches(value)).map((known) => known.name)).toEqual([
      expect.stringContaining(name),
    ]);
  });

  test("of another tool isn't named", () => {
    for (const value of [{}, { Version: "2012-10-17" }, { version: 4, serial: 1, lineage: "" }, DISK]) {
      expect(knownDocuments.some((known) => known.matches(value))).toBe(false);
    }
  });
});
