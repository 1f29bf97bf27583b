import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { gcp } from "./gcp.ts";

/** Reports whether a declared grant matches a live resource in the project shop, number 4711. */
function isOn(type: string, attributes: JsonObject, [provider_type, name, properties]: Live): boolean {
  const row: ListedResource = { provider_type, provider_resource_id: name, complete: true, account: "shop" };
  const live = new Set(gcp.liveKeys({ ...row, ...(properties && { properties }) }, "shop"));
  return gcp.wholeKeys({ address: "x", type, attributes }).some((key) => live.has(key));
}

type Live = readonly [type: string, name: string, properties?: JsonObject];
const ROLE = "roles/viewer";
const ADA = "user:ada@example.com";

const PROJECT: Live = [
  "cloudresourcemanager.googleapis.com/Project",
  "//cloudresourcemanager.googleapis.com/projects/4711",
  { projectId: "shop", projectNumber: "4711" },
];
const BUCKET: Live = ["storage.googleapis.com/Bucket", "//storage.googleapis.com/assets"];
const TOPIC: Live = ["pubsub.googleapis.com/Topic", "//pubsub.googleapis.com/projects/shop/topics/orders"];
const SECRET: Live = [
  "secretmanager.googleapis.com/Secret",
  "//secretmanager.googleapis.com/projects/4711/secrets/token",
];
const CI: Live = [
  "iam.googleapis.com/ServiceAccount",
  "//iam.googleapis.com/projects/shop/serviceAccounts/1101",
  { email: "ci@shop.iam.gserviceaccount.com", name: "projects/shop/serviceAccounts/1101" },
];
const KEY = "projects/shop/locations/europe/keyRings/ring/cryptoKeys/key";
const RUN: Live = [
  "run.googleapis.com/Service",
  "//run.googleapis.com/projects/shop/locations/europe-west1/services/web",
];

describe("the resource of a grant is found by the id of", () => {
  test.each<[string, string, Live]>([
    ["google_project_iam_member", "shop", PROJECT],
    ["google_storage_bucket_iam_member", "b/assets", BUCKET],
    ["google_pubsub_topic_iam_member", "projects/shop/topics/orders", TOPIC],
    ["google_secret_manager_secret_iam_member", "projects/shop/secrets/token", SECRET],
    [
      "google_service_account_iam_member",
      "projects/shop/serviceAccounts/ci@shop.iam.gserviceaccount.com",
      CI,
    ],
    [
      "google_kms_crypto_key_iam_member",
      KEY,
      ["cloudkms.googleapis.com/CryptoKey", `//cloudkms.googleapis.com/${KEY}`],
    ],
    ["google_cloud_run_v2_service_iam_member", "projects/shop/locations/europe-west1/services/web", RUN],
    ["google_cloud_run_service_iam_member", "v1/projects/shop/locations/europe-west1/services/web", RUN],
  ])("a %s, its binding and its policy: %s", (type, resource, live) => {
    const binding = type.replace(/member$/, "binding");
    const policy = type.replace(/member$/, "policy");
    expect(isOn(type, { id: `${resource}/${ROLE}/${ADA}`, role: ROLE, member: ADA }, live)).toBe(true);
    expect(isOn(binding, { id: `${resource}/${ROLE}`, role: ROLE, members: [ADA] }, live)).toBe(true);
    expect(isOn(policy, { id: resource, policy_data: "{}" }, live)).toBe(true);
    expect(isOn(policy, { id: `${resource}2`, policy_data: "{}" }, live)).toBe(false);
  });

  test("a Pulumi grant", () => {
    const attributes = { id: `b/assets/${ROLE}/${ADA}`, bucket: "b/assets", role: ROLE, member: ADA };
    expect(isOn("gcp:storage/bucketIAMMember:BucketIAMMember", attributes, BUCKET)).toBe(true);
  });

  test("a Spanner database, whose id contains only names", () => {
    const database = "projects/shop/instances/main/databases/orders";
    const live: Live = ["spanner.googleapis.com/Database", `//spanner.googleapis.com/${database}`];
    const attributes = { project: "shop", instance: "main", database: "orders", role: ROLE, member: ADA };
    const id = `shop/main/orders/${ROLE}/${ADA}`;
    expect(isOn("google_spanner_database_iam_member", { ...attributes, id }, live)).toBe(true);
  });
});

test.each<[string, string, JsonObject]>([
  ["an id with another role", "google_project_iam_member", { id: "shop/x", role: ROLE, member: ADA }],
  ["a missing id", "google_project_iam_member", { role: ROLE, member: ADA }],
  [
    "a dataset, which declares its access itself",
    "google_bigquery_dataset_iam_member",
    { id: `projects/shop/datasets/d/${ROLE}/${ADA}`, role: ROLE, member: ADA },
  ],
  ["a custom role", "google_project_iam_custom_role", { id: "projects/shop/roles/auditor" }],
])("%s matches no resource", (_, type, attributes) => {
  expect(gcp.wholeKeys({ address: "x", type, attributes })).toEqual([]);
});
