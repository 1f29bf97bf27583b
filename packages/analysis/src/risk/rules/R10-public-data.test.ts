import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  create,
  policy,
  remove,
  findingBy,
  update,
  type Given,
  type Rating,
  type RatedFinding,
} from "../change.fixture.ts";

const data: Rating = ["public_data", "medium", "critical"];
const other: Rating = ["public_data", "medium", "high"];
const guard: Rating = ["public_access_unblocked", "medium", "high"];

/** Builds nested blocks. */
function block(path: string, value: JsonObject | string | boolean | string[]): JsonObject {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.length === 0 ? value : [block(rest.join("."), value)] };
}

/** Builds an update of one attribute, which may be in blocks. */
function turned<T extends JsonObject | string | boolean | string[]>(
  type: string,
  path: string,
  from: T,
  to: T,
): Given {
  return update(type, block(path, from), block(path, to));
}

/** Builds an update of a Google VM's external address. */
function address(before: JsonObject[], after: JsonObject[]): Given {
  const [was, is] = [before, after].map((access_config) => ({ network_interface: [{ access_config }] }));
  return update("google_compute_instance", was ?? {}, is ?? {});
}

const network = (cidr_block: string) => ({ cidr_block });

const PUBLIC = policy({ Principal: "*", Action: "s3:GetObject", Resource: "*" });
const OWN = policy({ Principal: { AWS: "arn:aws:iam::111111111111:root" }, Action: "s3:*", Resource: "*" });

test.each<[string, Given, RatedFinding | undefined]>([
  ["a bucket policy for everyone", create("aws_s3_bucket_policy", PUBLIC), [...data, [["policy"]]]],
  ["a queue policy for everyone", update("aws_sqs_queue", OWN, PUBLIC), [...data, [["policy"]]]],
  [
    "a topic policy for everyone",
    update("aws_sns_topic", OWN, policy({ Principal: { AWS: ["*"] }, Action: "sns:Publish", Resource: "*" })),
    [...other, [["policy"]]],
  ],
  [
    "a bucket policy for everyone except one account",
    create("aws_s3_bucket_policy", policy({ NotPrincipal: { AWS: "1" }, Action: "s3:*", Resource: "*" })),
    [...data, [["policy"]]],
  ],
  [
    "an endpoint policy, which only its network can reach",
    create("aws_vpc_endpoint", policy({ Principal: "*", Action: "*", Resource: "*" })),
    undefined,
  ],
  [
    "a policy that was already public",
    update(
      "aws_s3_bucket_policy",
      PUBLIC,
      policy({ Sid: "x", Principal: { AWS: "*" }, Action: ["s3:GetObject"], Resource: "*" }),
    ),
    undefined,
  ],
  [
    "a policy that denies everyone",
    create("aws_s3_bucket_policy", policy({ Effect: "Deny", Principal: "*", Action: "*", Resource: "*" })),
    undefined,
  ],
  [
    "a policy for everyone in an organization",
    create(
      "aws_s3_bucket_policy",
      policy({
        Principal: "*",
        Action: "*",
        Resource: "*",
        Condition: { StringEquals: { "aws:PrincipalOrgID": "o-1" } },
      }),
    ),
    undefined,
  ],
  [
    "a policy for everyone from anywhere",
    create(
      "aws_s3_bucket_policy",
      policy({
        Principal: "*",
        Action: "*",
        Resource: "*",
        Condition: { IpAddress: { "aws:SourceIp": "0.0.0.0/0" } },
      }),
    ),
    [...data, [["policy"]]],
  ],
  [
    "a bucket policy for everyone, in Pulumi's format",
    create("aws-native:s3:BucketPolicy", {
      policyDocument: { Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:*", Resource: "*" }] },
    }),
    [...data, [["policyDocument"]]],
  ],
  [
    "a policy for everyone from anywhere, in parts",
    create(
      "aws_s3_bucket_policy",
      policy({
        Principal: "*",
        Action: "*",
        Resource: "*",
        Condition: { IpAddress: { "aws:SourceIp": ["0.0.0.0/3", "128.0.0.0/3"] } },
      }),
    ),
    [...data, [["policy"]]],
  ],
  [
    "a policy for everyone in an organization or in none",
    create(
      "aws_s3_bucket_policy",
      policy({
        Principal: "*",
        Action: "*",
        Resource: "*",
        Condition: { "ForAllValues:StringEquals": { "aws:PrincipalOrgID": "o-1" } },
      }),
    ),
    [...data, [["policy"]]],
  ],
  ["a policy for one account", create("aws_s3_bucket_policy", OWN), undefined],
  ["a policy that isn't JSON", create("aws_s3_bucket_policy", { policy: "{Principal: *" }), undefined],
  [
    "a weakened public access block",
    update("aws_s3_bucket_public_access_block", { block_public_acls: true }, { block_public_acls: false }),
    [...guard, [["block_public_acls"]]],
  ],
  ["a deleted public access block", remove("aws_s3_bucket_public_access_block"), [...guard, []]],
  ["a public ACL", create("aws_s3_bucket_acl", { acl: "public-read" }), [...data, [["acl"]]]],
  ["a private ACL", update("aws_s3_bucket_acl", { acl: "public-read" }, { acl: "private" }), undefined],
  [
    "a publicly accessible database",
    update("aws_db_instance", { publicly_accessible: false }, { publicly_accessible: true }),
    [...data, [["publicly_accessible"]]],
  ],
  [
    "a publicly accessible replication instance",
    create("aws_dms_replication_instance", { publicly_accessible: true }),
    [...other, [["publicly_accessible"]]],
  ],
  [
    "an image shared with everyone",
    create("aws_ami_launch_permission", { group: "all" }),
    [...other, [["group"]]],
  ],
  [
    "a snapshot shared with everyone",
    update("aws_db_snapshot", { shared_accounts: [] }, { shared_accounts: ["all"] }),
    [...data, [["shared_accounts"]]],
  ],
  [
    "a Google bucket for all users",
    create("google_storage_bucket_iam_member", { role: "r", member: "allUsers" }),
    [...data, [["member"]]],
  ],
  [
    "a Google service for all users",
    create("google_cloud_run_service_iam_member", { role: "r", member: "allUsers" }),
    [...other, [["member"]]],
  ],
  [
    "a Google bucket for one user",
    create("google_storage_bucket_iam_binding", { members: ["user:a@b.c"] }),
    undefined,
  ],
  [
    "allUsers that was there before",
    update(
      "google_storage_bucket_iam_binding",
      { members: ["allUsers"] },
      { members: ["user:a@b.c", "allUsers"] },
    ),
    undefined,
  ],
  [
    "a Google policy document",
    create("google_storage_bucket_iam_policy", {
      policy_data: JSON.stringify({ bindings: [{ role: "r", members: ["allAuthenticatedUsers"] }] }),
    }),
    [...data, [["policy_data"]]],
  ],
  [
    "an Azure account that allows public items",
    update(
      "azurerm_storage_account",
      { allow_nested_items_to_be_public: false },
      { allow_nested_items_to_be_public: true },
    ),
    [...guard, [["allow_nested_items_to_be_public"]]],
  ],
  [
    "a public Azure container",
    create("azurerm_storage_container", { container_access_type: "blob" }),
    [...data, [["container_access_type"]]],
  ],
  [
    "a private repository that becomes public",
    update("github_repository", { visibility: "private" }, { visibility: "public" }),
    [...data, [["visibility"]]],
  ],
  ["a new public repository", create("github_repository", { visibility: "public" }), undefined],
  [
    "an internal load balancer that gets a public address",
    update(
      "azurerm_lb",
      { frontend_ip_configuration: [{ name: "in", public_ip_address_id: "" }] },
      {
        frontend_ip_configuration: [
          { name: "in", public_ip_address_id: "" },
          { name: "out", public_ip_address_id: "/subscriptions/s/ip" },
        ],
      },
    ),
    ["public_data", "medium", "high", [["frontend_ip_configuration", 1, "public_ip_address_id"]]],
  ],
])("R10: %s", (_name, given, expected) => {
  expect(findingBy("R10", given)).toEqual(expected);
});

function statement(resource: string, condition: JsonObject = {}): JsonObject {
  return policy({ Principal: "*", Action: "s3:GetObject", Resource: resource, Condition: condition });
}
const sources = (...networks: string[]) => ({ IpAddress: { "aws:SourceIp": networks } });

test.each<[string, Given, isReported: boolean]>([
  ["more of a bucket", update("aws_s3_bucket_policy", statement("b/public/*"), statement("b/*")), true],
  ["less of a bucket", update("aws_s3_bucket_policy", statement("b/*"), statement("b/public/*")), false],
  [
    "a role of any account",
    create(
      "aws_s3_bucket_policy",
      statement("b", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/*" } }),
    ),
    true,
  ],
  [
    "buckets of any account",
    create("aws_s3_bucket_policy", statement("b", { ArnLike: { "aws:SourceArn": "arn:aws:s3:::*" } })),
    true,
  ],
  [
    "any organization",
    create("aws_s3_bucket_policy", statement("b", { StringLike: { "aws:PrincipalOrgID": "o-*" } })),
    true,
  ],
  [
    "one account's roles",
    create(
      "aws_s3_bucket_policy",
      statement("b", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::111111111111:role/*" } }),
    ),
    false,
  ],
  [
    "one bucket",
    create("aws_s3_bucket_policy", statement("b", { ArnLike: { "aws:SourceArn": "arn:aws:s3:::a" } })),
    false,
  ],
  [
    "both halves of the internet",
    create("aws_s3_bucket_policy", statement("b", sources("0.0.0.0/1", "128.0.0.0/1"))),
    true,
  ],
  ["one network", create("aws_s3_bucket_policy", statement("b", sources("192.0.2.0/24"))), false],
  [
    "an account that loses its network rules",
    remove("azurerm_storage_account_network_rules", { default_action: "Deny" }),
    true,
  ],
  [
    "an account that loses permissive network rules",
    remove("azurerm_storage_account_network_rules", { default_action: "Allow" }),
    false,
  ],
  [
    "a service that loses its network rules",
    update("azurerm_cognitive_account", { network_acls: [{ default_action: "Deny" }] }, { network_acls: [] }),
    true,
  ],
  [
    "a service that loses permissive network rules",
    update(
      "azurerm_cognitive_account",
      { network_acls: [{ default_action: "Allow" }] },
      { network_acls: [] },
    ),
    false,
  ],
  ...[[], null].map((after): [string, Given, boolean] => [
    `a cluster whose networks become ${JSON.stringify(after)}`,
    update(
      "aws_eks_cluster",
      { vpc_config: [{ public_access_cidrs: ["192.0.2.0/24"] }] },
      { vpc_config: [{ public_access_cidrs: after }] },
    ),
    true,
  ]),
  ...["unspecified", "inherited", null].map((after): [string, Given, boolean] => [
    `a bucket whose prevention of public access becomes ${after}`,
    update(
      "google_storage_bucket",
      { public_access_prevention: "enforced" },
      { public_access_prevention: after },
    ),
    true,
  ]),
  [
    "a cluster open to both halves of the internet",
    turned("aws_eks_cluster", "vpc_config.public_access_cidrs", ["10.0.0.0/8"], ["0.0.0.0/1", "128.0.0.0/1"]),
    true,
  ],
  [
    "a database open to half of the internet",
    turned(
      "google_sql_database_instance",
      "settings.ip_configuration.authorized_networks.value",
      "10.0.0.0/8",
      "128.0.0.0/1",
    ),
    true,
  ],
  [
    "the unauthenticated group in a manifest",
    create("kubernetes_manifest", {
      manifest: {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        subjects: [{ name: "system:unauthenticated" }],
      },
    }),
    true,
  ],
])("R10 for removed and added access: %s", (_name, given, isReported) => {
  expect(findingBy("R10", given) !== undefined).toBe(isReported);
});

function many(action: string): JsonObject {
  return {
    policy: JSON.stringify({
      Statement: Array.from({ length: 5_000 }, (_, index) => ({
        Effect: "Allow",
        Principal: "*",
        Action: `${action}${index}`,
        Resource: "*",
      })),
    }),
  };
}

test("thousands of public statements are compared quickly", () => {
  expect(findingBy("R10", update("aws_s3_bucket_policy", many("s3:a"), many("s3:b")))).toBeDefined();
});

const GROUP = "http://acs.amazonaws.com/groups/global/AllUsers";
const reader = (who: JsonObject): JsonObject => ({ access: [{ role: "READER", ...who }] });

test.each<[string, Given, Rating]>([
  ["a grant in a bucket", update("aws_s3_bucket", { grant: [] }, { grant: [{ uri: GROUP }] }), data],
  [
    "a dataset for all users",
    update("google_bigquery_dataset", { access: [] }, reader({ iam_member: "allUsers" })),
    data,
  ],
  [
    "a dataset for every authenticated user",
    update(
      "google_bigquery_dataset",
      reader({ special_group: "projectReaders" }),
      reader({ special_group: "allAuthenticatedUsers" }),
    ),
    data,
  ],
  ["the ACL of a bucket", create("google_storage_bucket_acl", { role_entity: ["READER:allUsers"] }), data],
  [
    "the ACL of new objects",
    create("google_storage_default_object_acl", { role_entity: ["READER:allUsers"] }),
    data,
  ],
  [
    "allUsers that can now write",
    update(
      "google_storage_bucket_acl",
      { role_entity: ["READER:allUsers"] },
      { role_entity: ["WRITER:allUsers"] },
    ),
    data,
  ],
  [
    "the networks of an EKS cluster",
    turned("aws_eks_cluster", "vpc_config.public_access_cidrs", ["10.0.0.0/8"], ["0.0.0.0/0"]),
    other,
  ],
  [
    "networks of a cluster that add up to half of the internet",
    turned(
      "aws_eks_cluster",
      "vpc_config.public_access_cidrs",
      ["10.0.0.0/8"],
      ["0.0.0.0/4", "64.0.0.0/3", "128.0.0.0/4", "192.0.0.0/3"],
    ),
    other,
  ],
  [
    "networks of a database in separate blocks that add up to half of the internet",
    update(
      "google_sql_database_instance",
      { settings: [{ ip_configuration: [{ authorized_networks: [] }] }] },
      {
        settings: [
          {
            ip_configuration: [
              {
                authorized_networks: ["0", "64", "128", "192"].map((first) => ({
                  value: `${first}.0.0.0/3`,
                })),
              },
            ],
          },
        ],
      },
    ),
    data,
  ],
  [
    "a cluster that becomes reachable from everywhere",
    update(
      "aws_eks_cluster",
      { vpc_config: [{ endpoint_public_access: false, public_access_cidrs: ["192.0.2.0/24"] }] },
      { vpc_config: [{ endpoint_public_access: true, public_access_cidrs: [] }] },
    ),
    other,
  ],
  [
    "the networks of a GKE cluster",
    turned(
      "google_container_cluster",
      "master_authorized_networks_config.cidr_blocks.cidr_block",
      "10.0.0.0/8",
      "0.0.0.0/0",
    ),
    other,
  ],
  [
    "an AKS cluster without network limits",
    turned(
      "azurerm_kubernetes_cluster",
      "api_server_access_profile.authorized_ip_ranges",
      ["1.2.3.4/32"],
      [],
    ),
    data,
  ],
  [
    "the networks of an Azure account",
    turned("azurerm_cosmosdb_account", "ip_range_filter", ["1.2.3.4"], ["0.0.0.0/0"]),
    guard,
  ],
  [
    "public network access of an Azure account",
    turned("azurerm_storage_account", "public_network_access_enabled", false, true),
    guard,
  ],
  [
    "the network rules of an Azure registry",
    turned("azurerm_container_registry", "network_rule_set.default_action", "Deny", "Allow"),
    guard,
  ],
  ["an Azure disk", turned("azurerm_managed_disk", "network_access_policy", "DenyAll", "AllowAll"), guard],
  [
    "a Google database",
    turned("google_sql_database_instance", "settings.ip_configuration.ipv4_enabled", false, true),
    guard,
  ],
  [
    "public brokers",
    turned(
      "aws_msk_cluster",
      "broker_node_group_info.connectivity_info.public_access.type",
      "DISABLED",
      "SERVICE_PROVIDED_EIPS",
    ),
    data,
  ],
  ["a snapshot copy", create("aws_db_snapshot_copy", { shared_accounts: ["all"] }), data],
  ["snapshots without a public access block", remove("aws_ebs_snapshot_block_public_access"), guard],
  ["images without a public access block", remove("aws_ec2_image_block_public_access"), guard],
  [
    "images that may be shared again",
    turned("aws_ec2_image_block_public_access", "state", "block-new-sharing", "unblocked"),
    guard,
  ],
  ["a function URL", create("aws_lambda_function_url", { authorization_type: "NONE" }), other],
  ["a layer", create("aws_lambda_layer_version_permission", { principal: "*" }), other],
  ["an event bus", create("aws_cloudwatch_event_permission", { principal: "*" }), other],
  [
    "principals of an endpoint service",
    turned("aws_vpc_endpoint_service", "allowed_principals", [], ["*"]),
    other,
  ],
  [
    "a document",
    update("aws_ssm_document", { permissions: {} }, { permissions: { account_ids: "All" } }),
    other,
  ],
  [
    "a cluster role binding",
    create("kubernetes_cluster_role_binding", { subject: [{ name: "system:anonymous" }] }),
    other,
  ],
  [
    "a GKE cluster without network limits",
    update(
      "google_container_cluster",
      { master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8")] }] },
      { master_authorized_networks_config: [] },
    ),
    other,
  ],
  ["a Google VM that gets an address", address([], [{ nat_ip: "203.0.113.7" }]), other],
  [
    "a Google VM that will get an address",
    {
      ...address([], [{ network_tier: null }]),
      change: { after_unknown: { network_interface: [{ access_config: [{ nat_ip: true }] }] } },
    },
    other,
  ],
  [
    "an Azure network interface that gets an address",
    update(
      "azurerm_network_interface",
      { ip_configuration: [{ name: "a", public_ip_address_id: "" }] },
      { ip_configuration: [{ name: "a", public_ip_address_id: "/subscriptions/1" }] },
    ),
    other,
  ],
  [
    "a subnet that assigns public addresses",
    turned("aws_subnet", "map_public_ip_on_launch", false, true),
    other,
  ],
  [
    "an API method without authorization",
    turned("aws_api_gateway_method", "authorization", "AWS_IAM", "NONE"),
    other,
  ],
  [
    "an Azure app with external ingress",
    turned("azurerm_container_app", "ingress.external_enabled", false, true),
    other,
  ],
  ["a private repository that becomes public", turned("github_repository", "private", true, false), data],
])("R10 applies to %s", (_name, given, expected) => {
  expect(findingBy("R10", given)?.slice(0, 3)).toEqual(expected);
});

test.each<[string, Given]>([
  [
    "a dataset that was already open",
    update(
      "google_bigquery_dataset",
      reader({ iam_member: "allUsers" }),
      reader({ special_group: "allAuthenticatedUsers" }),
    ),
  ],
  ["a dataset for some", create("google_bigquery_dataset", reader({ special_group: "projectOwners" }))],
  [
    "a function for everyone in an organization",
    create("aws_lambda_permission", { principal: "*", principal_org_id: "o-1" }),
  ],
  [
    "an event bus for an organization",
    create("aws_cloudwatch_event_permission", { principal: "*", condition: [{ key: "aws:PrincipalOrgID" }] }),
  ],
  [
    "a cluster that was already open",
    turned("aws_eks_cluster", "vpc_config.public_access_cidrs", ["0.0.0.0/0"], ["0.0.0.0/0", "10.0.0.0/8"]),
  ],
  [
    "a cluster without a public endpoint, with any networks",
    update(
      "aws_eks_cluster",
      { vpc_config: [{ endpoint_public_access: false, public_access_cidrs: ["192.0.2.0/24"] }] },
      { vpc_config: [{ endpoint_public_access: false, public_access_cidrs: [] }] },
    ),
  ],
  [
    "a private AKS cluster",
    update(
      "azurerm_kubernetes_cluster",
      {
        private_cluster_enabled: true,
        api_server_access_profile: [{ authorized_ip_ranges: ["1.2.3.4/32"] }],
      },
      { private_cluster_enabled: true, api_server_access_profile: [{ authorized_ip_ranges: [] }] },
    ),
  ],
  [
    "a GKE cluster with a private endpoint",
    update(
      "google_container_cluster",
      {
        private_cluster_config: [{ enable_private_endpoint: true }],
        master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8")] }],
      },
      {
        private_cluster_config: [{ enable_private_endpoint: true }],
        master_authorized_networks_config: [],
      },
    ),
  ],
  [
    "an Azure account without public network access",
    update(
      "azurerm_storage_account",
      { public_network_access_enabled: false, network_rules: [{ default_action: "Deny" }] },
      { public_network_access_enabled: false, network_rules: [{ default_action: "Allow" }] },
    ),
  ],
  [
    "a cluster that was never limited",
    update("azurerm_kubernetes_cluster", { tags: {} }, { api_server_authorized_ip_ranges: [] }),
  ],
  [
    "a GKE cluster with fewer networks",
    update(
      "google_container_cluster",
      {
        master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8"), network("1.2.3.4/32")] }],
      },
      { master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8")] }] },
    ),
  ],
  ["a new GKE cluster without limits", create("google_container_cluster", { name: "a" })],
  [
    "a new Google VM with an address",
    create("google_compute_instance", {
      network_interface: [{ access_config: [{ nat_ip: "203.0.113.7" }] }],
    }),
  ],
  ["a Google VM whose address changes", address([{ nat_ip: "203.0.113.7" }], [{ nat_ip: "203.0.113.8" }])],
  ["a new API method without authorization", create("aws_api_gateway_method", { authorization: "NONE" })],
  [
    "a new Google database with the default",
    create("google_sql_database_instance", block("settings.ip_configuration.ipv4_enabled", true)),
  ],
])("R10 doesn't apply to %s", (_name, given) => {
  expect(findingBy("R10", given)).toBeUndefined();
});

test("R10 points to the public entry of a resource", () => {
  const given = create("google_bigquery_dataset", {
    access: [
      { role: "OWNER", user_by_email: "a@b.c" },
      { role: "READER", iam_member: "allUsers" },
    ],
  });
  expect(findingBy("R10", given)?.[3]).toEqual([["access", 1, "iam_member"]]);
});
