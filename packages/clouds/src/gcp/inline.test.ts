import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity } from "./keys.ts";

function declared(type: string, attributes: JsonObject): DeclaredResource {
  return {
    address: `${type}.main`,
    type,
    attributes,
    provider_name: "registry.terraform.io/hashicorp/google",
  };
}

function standalone(type: string, attributes: JsonObject): MatchKey[] {
  return declaredIdentity({ address: "x", type, attributes }).keys;
}

function grantIds(type: string, attributes: JsonObject): unknown[] {
  return inlineChildren(declared(type, attributes)).map((child) => [child.type, child.attributes["id"]]);
}

describe("inline in a cluster", () => {
  const CLUSTER = declared("google_container_cluster", {
    id: "projects/shop/locations/us-east1/clusters/main",
    name: "main",
    node_pool: [{ name: "default-pool", node_count: 3 }, { name: "gpu" }],
  });

  test("its node pools have the keys of standalone ones", () => {
    const [first, second] = inlineChildren(CLUSTER);
    expect(first).toMatchObject({
      address: "google_container_cluster.main.node_pool[0]",
      type: "google_container_node_pool",
      provider_name: "registry.terraform.io/hashicorp/google",
      account: "shop",
      region: "us-east1",
      attributes: {
        name: "default-pool",
        node_count: 3,
        cluster: "main",
        location: "us-east1",
        project: "shop",
      },
    });
    const id = "projects/shop/locations/us-east1/clusters/main/nodePools/gpu";
    expect(second?.attributes["id"]).toBe(id);
    expect(second?.keys).toEqual(expect.arrayContaining(standalone("google_container_node_pool", { id })));
  });

  test("its node pools are the same in Pulumi", () => {
    const { id, node_pool } = CLUSTER.attributes;
    const pulumi = declared("gcp:container/cluster:Cluster", { id: id ?? "", nodePools: node_pool ?? [] });
    expect(inlineChildren(pulumi).map(({ keys }) => keys)).toEqual(
      inlineChildren(CLUSTER).map(({ keys }) => keys),
    );
  });
});

test("an instance declares its boot disk inline", () => {
  const source = "https://www.googleapis.com/compute/v1/projects/shop/zones/us-east1-b/disks/web";
  const instance = declared("google_compute_instance", {
    id: "projects/shop/zones/us-east1-b/instances/web",
    boot_disk: [{ source, auto_delete: true, initialize_params: [{ size: 20, type: "pd-ssd" }] }],
  });
  const [disk] = inlineChildren(instance);
  expect(disk).toMatchObject({
    address: "google_compute_instance.main.boot_disk[0]",
    type: "google_compute_disk",
    attributes: { name: "web", zone: "us-east1-b", project: "shop", size: 20, type: "pd-ssd" },
  });
  expect(disk?.keys).toContain("2://compute.googleapis.com/projects/shop/zones/us-east1-b/disks/web");
});

describe("inline in a binding or a policy", () => {
  const MEMBERS = ["user:jane@example.com", "group:ops@example.com"];

  test("each member of a project's binding is a grant", () => {
    const [jane, ops] = inlineChildren(
      declared("google_project_iam_binding", {
        id: "shop/roles/viewer",
        project: "shop",
        role: "roles/viewer",
        members: MEMBERS,
      }),
    );
    expect(jane?.address).toBe("google_project_iam_binding.main.members[0]");
    expect(jane?.keys).toEqual(
      standalone("google_project_iam_member", { id: "shop/roles/viewer/user:jane@example.com" }),
    );
    expect(ops?.attributes).toEqual({
      id: "shop/roles/viewer/group:ops@example.com",
      role: "roles/viewer",
      member: "group:ops@example.com",
    });
  });

  test("each member of a bucket's conditional binding is a grant", () => {
    const condition = {
      title: "until 2030",
      description: "",
      expression: "request.time < timestamp('2030-01-01T00:00:00Z')",
    };
    const binding = { role: "roles/storage.admin", members: MEMBERS.slice(0, 1), condition: [condition] };
    const suffix = `${condition.title}//${condition.expression}`;
    const id = `b/assets/roles/storage.admin/${suffix}`;
    const grant = `b/assets/roles/storage.admin/user:jane@example.com/${suffix}`;
    expect(grantIds("google_storage_bucket_iam_binding", { ...binding, id })).toEqual([
      ["google_storage_bucket_iam_member", grant],
    ]);
  });

  test("each member of a topic's policy is a grant", () => {
    const policy_data = JSON.stringify({
      bindings: [
        { role: "roles/pubsub.publisher", members: MEMBERS },
        { role: "projects/shop/roles/auditor", members: MEMBERS.slice(1) },
      ],
    });
    const id = "projects/shop/topics/orders";
    const type = "google_pubsub_topic_iam_member";
    const expected = [
      [type, `${id}/roles/pubsub.publisher/user:jane@example.com`],
      [type, `${id}/roles/pubsub.publisher/group:ops@example.com`],
      [type, `${id}/projects/shop/roles/auditor/group:ops@example.com`],
    ];
    expect(grantIds("google_pubsub_topic_iam_policy", { id, policy_data })).toEqual(expected);
    expect(grantIds("gcp:pubsub/topicIAMPolicy:TopicIAMPolicy", { id, policyData: policy_data })).toEqual(
      expected,
    );
  });
});

test.each([
  [
    "a single grant",
    "google_project_iam_member",
    { id: "shop/roles/viewer/user:j", role: "roles/viewer", member: "user:j" },
  ],
  ["a policy that isn't JSON", "google_project_iam_policy", { id: "shop", policy_data: "{" }],
  ["an empty policy", "google_project_iam_policy", { id: "shop", policy_data: "null" }],
  [
    "a binding with another id",
    "google_project_iam_binding",
    { id: "x", role: "roles/viewer", members: ["user:j"] },
  ],
  [
    "a record set",
    "google_dns_record_set",
    { id: "projects/p/managedZones/z/rrsets/a./A", name: "a.", type: "A" },
  ],
  [
    "a subnetwork with secondary ranges",
    "google_compute_subnetwork",
    { id: "s", secondary_ip_range: [{ range_name: "pods" }] },
  ],
  ["another cloud's resource", "aws_instance", { id: "i-1" }],
])("%s has no inline children", (_, type, attributes) => {
  expect(inlineChildren(declared(type, attributes as JsonObject))).toEqual([]);
});
