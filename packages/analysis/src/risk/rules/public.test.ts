import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { create, policy, remove, said, update, type Given, type Said, type Seen } from "../change.fixture.ts";

const data: Said = ["public_data", "medium", "critical"];
const other: Said = ["public_data", "medium", "high"];

/** A block within blocks. */
function block(path: string, value: JsonObject | string | boolean | string[]): JsonObject {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.length === 0 ? value : [block(rest.join("."), value)] };
}

/** An update of one attribute, which may stand in blocks. */
function turned<T extends JsonObject | string | boolean | string[]>(
  type: string,
  path: string,
  from: T,
  to: T,
): Given {
  return update(type, block(path, from), block(path, to));
}

/** An update of what a machine at Google has its address by. */
function address(before: JsonObject[], after: JsonObject[]): Given {
  const [was, is] = [before, after].map((access_config) => ({ network_interface: [{ access_config }] }));
  return update("google_compute_instance", was ?? {}, is ?? {});
}

const network = (cidr_block: string) => ({ cidr_block });

const PUBLIC = policy({ Principal: "*", Action: "s3:GetObject", Resource: "*" });
const OWN = policy({ Principal: { AWS: "arn:aws:iam::111111111111:root" }, Action: "s3:*", Resource: "*" });

test.each<[string, Given, Seen | undefined]>([
  ["a bucket's policy for everybody", create("aws_s3_bucket_policy", PUBLIC), [...data, [["policy"]]]],
  ["a queue's policy for everybody", update("aws_sqs_queue", OWN, PUBLIC), [...data, [["policy"]]]],
  [
    "a topic's policy for everybody",
    update("aws_sns_topic", OWN, policy({ Principal: { AWS: ["*"] }, Action: "sns:Publish", Resource: "*" })),
    [...other, [["policy"]]],
  ],
  [
    "a bucket's policy for everybody but one",
    create("aws_s3_bucket_policy", policy({ NotPrincipal: { AWS: "1" }, Action: "s3:*", Resource: "*" })),
    [...data, [["policy"]]],
  ],
  [
    "an endpoint's policy, which only its network reaches",
    create("aws_vpc_endpoint", policy({ Principal: "*", Action: "*", Resource: "*" })),
    undefined,
  ],
  [
    "a policy that was public before",
    update(
      "aws_s3_bucket_policy",
      PUBLIC,
      policy({ Sid: "x", Principal: { AWS: "*" }, Action: ["s3:GetObject"], Resource: "*" }),
    ),
    undefined,
  ],
  [
    "a policy that denies everybody",
    create("aws_s3_bucket_policy", policy({ Effect: "Deny", Principal: "*", Action: "*", Resource: "*" })),
    undefined,
  ],
  [
    "a policy for everybody of one organization",
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
    "a policy for everybody from anywhere",
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
    "a bucket's policy for everybody, as Pulumi has it",
    create("aws-native:s3:BucketPolicy", {
      policyDocument: { Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:*", Resource: "*" }] },
    }),
    [...data, [["policyDocument"]]],
  ],
  [
    "a policy for everybody from anywhere, in parts",
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
    "a policy for everybody of one organization, or of none",
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
  ["a policy that is no JSON", create("aws_s3_bucket_policy", { policy: "{Principal: *" }), undefined],
  [
    "a block of public access that is weakened",
    update("aws_s3_bucket_public_access_block", { block_public_acls: true }, { block_public_acls: false }),
    [...data, [["block_public_acls"]]],
  ],
  ["a block of public access that goes", remove("aws_s3_bucket_public_access_block"), [...data, []]],
  ["a public ACL", create("aws_s3_bucket_acl", { acl: "public-read" }), [...data, [["acl"]]]],
  ["a private ACL", update("aws_s3_bucket_acl", { acl: "public-read" }, { acl: "private" }), undefined],
  [
    "a database that anybody reaches",
    update("aws_db_instance", { publicly_accessible: false }, { publicly_accessible: true }),
    [...data, [["publicly_accessible"]]],
  ],
  [
    "a machine that anybody reaches",
    create("aws_dms_replication_instance", { publicly_accessible: true }),
    [...other, [["publicly_accessible"]]],
  ],
  [
    "an image that is shared with all",
    create("aws_ami_launch_permission", { group: "all" }),
    [...data, [["group"]]],
  ],
  [
    "a snapshot that is shared with all",
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
    "a Google bucket for some",
    create("google_storage_bucket_iam_binding", { members: ["user:a@b.c"] }),
    undefined,
  ],
  [
    "all users that were there",
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
    "an Azure account whose items may be public",
    update(
      "azurerm_storage_account",
      { allow_nested_items_to_be_public: false },
      { allow_nested_items_to_be_public: true },
    ),
    [...data, [["allow_nested_items_to_be_public"]]],
  ],
  [
    "an Azure container for reading",
    create("azurerm_storage_container", { container_access_type: "blob" }),
    [...data, [["container_access_type"]]],
  ],
  [
    "a repository that was private",
    update("github_repository", { visibility: "private" }, { visibility: "public" }),
    [...data, [["visibility"]]],
  ],
  [
    "a repository that is public from the start",
    create("github_repository", { visibility: "public" }),
    undefined,
  ],
  [
    "a load balancer within a network that gets an address on the internet",
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
])("R10 and %s", (_name, given, expected) => {
  expect(said("R10", given)).toEqual(expected);
});

function statement(resource: string, condition: JsonObject = {}): JsonObject {
  return policy({ Principal: "*", Action: "s3:GetObject", Resource: resource, Condition: condition });
}
const sources = (...networks: string[]) => ({ IpAddress: { "aws:SourceIp": networks } });

test.each<[string, Given, isSaid: boolean]>([
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
    "a bucket of any account",
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
    "an account whose rules go",
    remove("azurerm_storage_account_network_rules", { default_action: "Deny" }),
    true,
  ],
  [
    "an account whose rules let all in",
    remove("azurerm_storage_account_network_rules", { default_action: "Allow" }),
    false,
  ],
  [
    "a service whose rules go",
    update("azurerm_cognitive_account", { network_acls: [{ default_action: "Deny" }] }, { network_acls: [] }),
    true,
  ],
  [
    "a service whose rules let all in",
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
    "a cluster for both halves of the internet",
    turned("aws_eks_cluster", "vpc_config.public_access_cidrs", ["10.0.0.0/8"], ["0.0.0.0/1", "128.0.0.0/1"]),
    true,
  ],
  [
    "a database for half of the internet",
    turned(
      "google_sql_database_instance",
      "settings.ip_configuration.authorized_networks.value",
      "10.0.0.0/8",
      "128.0.0.0/1",
    ),
    true,
  ],
  [
    "a group that nobody signed in to, by its manifest",
    create("kubernetes_manifest", {
      manifest: {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        subjects: [{ name: "system:unauthenticated" }],
      },
    }),
    true,
  ],
])("R10 of what closes and opens: %s", (_name, given, isSaid) => {
  expect(said("R10", given) !== undefined).toBe(isSaid);
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

test("thousands of public statements are compared in a moment", () => {
  expect(said("R10", update("aws_s3_bucket_policy", many("s3:a"), many("s3:b")))).toBeDefined();
});

const GROUP = "http://acs.amazonaws.com/groups/global/AllUsers";
const reader = (who: JsonObject): JsonObject => ({ access: [{ role: "READER", ...who }] });

test.each<[string, Given, Said]>([
  ["a bucket's own grant", update("aws_s3_bucket", { grant: [] }, { grant: [{ uri: GROUP }] }), data],
  [
    "a dataset for all users",
    update("google_bigquery_dataset", { access: [] }, reader({ iam_member: "allUsers" })),
    data,
  ],
  [
    "a dataset for whoever has signed in",
    update(
      "google_bigquery_dataset",
      reader({ special_group: "projectReaders" }),
      reader({ special_group: "allAuthenticatedUsers" }),
    ),
    data,
  ],
  [
    "a bucket's list of roles",
    create("google_storage_bucket_acl", { role_entity: ["READER:allUsers"] }),
    data,
  ],
  [
    "roles of new objects",
    create("google_storage_default_object_acl", { role_entity: ["READER:allUsers"] }),
    data,
  ],
  [
    "all users that may write from now on",
    update(
      "google_storage_bucket_acl",
      { role_entity: ["READER:allUsers"] },
      { role_entity: ["WRITER:allUsers"] },
    ),
    data,
  ],
  [
    "a cluster's networks at AWS",
    turned("aws_eks_cluster", "vpc_config.public_access_cidrs", ["10.0.0.0/8"], ["0.0.0.0/0"]),
    other,
  ],
  [
    "a cluster's networks that make up half of the internet together",
    turned(
      "aws_eks_cluster",
      "vpc_config.public_access_cidrs",
      ["10.0.0.0/8"],
      ["0.0.0.0/4", "64.0.0.0/3", "128.0.0.0/4", "192.0.0.0/3"],
    ),
    other,
  ],
  [
    "a database's networks that make up half of the internet together, each in a block",
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
    "a cluster that the internet reaches from now on, from everywhere",
    update(
      "aws_eks_cluster",
      { vpc_config: [{ endpoint_public_access: false, public_access_cidrs: ["192.0.2.0/24"] }] },
      { vpc_config: [{ endpoint_public_access: true, public_access_cidrs: [] }] },
    ),
    other,
  ],
  [
    "a cluster's networks at Google",
    turned(
      "google_container_cluster",
      "master_authorized_networks_config.cidr_blocks.cidr_block",
      "10.0.0.0/8",
      "0.0.0.0/0",
    ),
    data,
  ],
  [
    "a cluster's networks at Azure that are no longer limited",
    turned(
      "azurerm_kubernetes_cluster",
      "api_server_access_profile.authorized_ip_ranges",
      ["1.2.3.4/32"],
      [],
    ),
    other,
  ],
  [
    "an account's networks at Azure",
    turned("azurerm_cosmosdb_account", "ip_range_filter", ["1.2.3.4"], ["0.0.0.0/0"]),
    data,
  ],
  [
    "an account's network at Azure",
    turned("azurerm_storage_account", "public_network_access_enabled", false, true),
    data,
  ],
  [
    "a registry's rules at Azure",
    turned("azurerm_container_registry", "network_rule_set.default_action", "Deny", "Allow"),
    data,
  ],
  ["a disk at Azure", turned("azurerm_managed_disk", "network_access_policy", "DenyAll", "AllowAll"), data],
  [
    "a database at Google",
    turned("google_sql_database_instance", "settings.ip_configuration.ipv4_enabled", false, true),
    data,
  ],
  [
    "a service at Google",
    turned("google_cloud_run_v2_service", "ingress", "INGRESS_TRAFFIC_INTERNAL_ONLY", "INGRESS_TRAFFIC_ALL"),
    other,
  ],
  [
    "brokers",
    turned(
      "aws_msk_cluster",
      "broker_node_group_info.connectivity_info.public_access.type",
      "DISABLED",
      "SERVICE_PROVIDED_EIPS",
    ),
    data,
  ],
  ["a copy of a snapshot", create("aws_db_snapshot_copy", { shared_accounts: ["all"] }), data],
  ["snapshots that are no longer kept back", remove("aws_ebs_snapshot_block_public_access"), data],
  ["images that are no longer kept back", remove("aws_ec2_image_block_public_access"), data],
  [
    "images that may be shared with all again",
    turned("aws_ec2_image_block_public_access", "state", "block-new-sharing", "unblocked"),
    data,
  ],
  ["a function's address", create("aws_lambda_function_url", { authorization_type: "NONE" }), other],
  ["a layer", create("aws_lambda_layer_version_permission", { principal: "*" }), other],
  ["an event bus", create("aws_cloudwatch_event_permission", { principal: "*" }), other],
  ["an endpoint's principals", turned("aws_vpc_endpoint_service", "allowed_principals", [], ["*"]), other],
  [
    "a document",
    update("aws_ssm_document", { permissions: {} }, { permissions: { account_ids: "All" } }),
    other,
  ],
  [
    "a role of a cluster",
    create("kubernetes_cluster_role_binding", { subject: [{ name: "system:anonymous" }] }),
    other,
  ],
  [
    "a cluster at Google whose networks are no longer limited",
    update(
      "google_container_cluster",
      { master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8")] }] },
      { master_authorized_networks_config: [] },
    ),
    data,
  ],
  [
    "a service of the first version at Google",
    turned(
      "google_cloud_run_service",
      "metadata.annotations",
      { "run.googleapis.com/ingress": "internal" },
      { "run.googleapis.com/ingress": "all" },
    ),
    other,
  ],
  [
    "a function at Google",
    turned(
      "google_cloudfunctions2_function",
      "service_config.ingress_settings",
      "ALLOW_INTERNAL_ONLY",
      "ALLOW_ALL",
    ),
    other,
  ],
  ["a machine at Google that gets an address", address([], [{ nat_ip: "203.0.113.7" }]), other],
  [
    "a machine at Google that will have an address",
    {
      ...address([], [{ network_tier: null }]),
      change: { after_unknown: { network_interface: [{ access_config: [{ nat_ip: true }] }] } },
    },
    other,
  ],
  [
    "a network interface at Azure that gets an address",
    update(
      "azurerm_network_interface",
      { ip_configuration: [{ name: "a", public_ip_address_id: "" }] },
      { ip_configuration: [{ name: "a", public_ip_address_id: "/subscriptions/1" }] },
    ),
    other,
  ],
  [
    "a subnet whose machines get addresses",
    turned("aws_subnet", "map_public_ip_on_launch", false, true),
    other,
  ],
  [
    "a method that no longer asks who calls",
    turned("aws_api_gateway_method", "authorization", "AWS_IAM", "NONE"),
    other,
  ],
  [
    "an app at Azure that is reached from outside",
    turned("azurerm_container_app", "ingress.external_enabled", false, true),
    other,
  ],
  ["a repository that was private", turned("github_repository", "private", true, false), data],
])("R10 is said of %s", (_name, given, expected) => {
  expect(said("R10", given)?.slice(0, 3)).toEqual(expected);
});

test.each<[string, Given]>([
  [
    "a dataset that was open for all",
    update(
      "google_bigquery_dataset",
      reader({ iam_member: "allUsers" }),
      reader({ special_group: "allAuthenticatedUsers" }),
    ),
  ],
  ["a dataset for some", create("google_bigquery_dataset", reader({ special_group: "projectOwners" }))],
  [
    "a function for everybody of an organization",
    create("aws_lambda_permission", { principal: "*", principal_org_id: "o-1" }),
  ],
  [
    "an event bus for an organization",
    create("aws_cloudwatch_event_permission", { principal: "*", condition: [{ key: "aws:PrincipalOrgID" }] }),
  ],
  [
    "a cluster that was open",
    turned("aws_eks_cluster", "vpc_config.public_access_cidrs", ["0.0.0.0/0"], ["0.0.0.0/0", "10.0.0.0/8"]),
  ],
  [
    "a cluster that the internet doesn't reach, whatever networks it names",
    update(
      "aws_eks_cluster",
      { vpc_config: [{ endpoint_public_access: false, public_access_cidrs: ["192.0.2.0/24"] }] },
      { vpc_config: [{ endpoint_public_access: false, public_access_cidrs: [] }] },
    ),
  ],
  [
    "a cluster at Azure that is private",
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
    "a cluster at Google whose endpoint is private",
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
    "an account at Azure that the internet doesn't reach",
    update(
      "azurerm_storage_account",
      { public_network_access_enabled: false, network_rules: [{ default_action: "Deny" }] },
      { public_network_access_enabled: false, network_rules: [{ default_action: "Allow" }] },
    ),
  ],
  [
    "a cluster that never was limited",
    update("azurerm_kubernetes_cluster", { tags: {} }, { api_server_authorized_ip_ranges: [] }),
  ],
  [
    "a cluster at Google that fewer networks reach",
    update(
      "google_container_cluster",
      {
        master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8"), network("1.2.3.4/32")] }],
      },
      { master_authorized_networks_config: [{ cidr_blocks: [network("10.0.0.0/8")] }] },
    ),
  ],
  ["a cluster at Google without limits, new", create("google_container_cluster", { name: "a" })],
  [
    "a machine that is created with an address",
    create("google_compute_instance", {
      network_interface: [{ access_config: [{ nat_ip: "203.0.113.7" }] }],
    }),
  ],
  ["a machine whose address changes", address([{ nat_ip: "203.0.113.7" }], [{ nat_ip: "203.0.113.8" }])],
  ["a method without a caller's name, new", create("aws_api_gateway_method", { authorization: "NONE" })],
  [
    "a database at Google, new, as it is by default",
    create("google_sql_database_instance", block("settings.ip_configuration.ipv4_enabled", true)),
  ],
])("R10 isn't said of %s", (_name, given) => {
  expect(said("R10", given)).toBeUndefined();
});

test("R10 shows where in a resource everybody is let in", () => {
  const given = create("google_bigquery_dataset", {
    access: [
      { role: "OWNER", user_by_email: "a@b.c" },
      { role: "READER", iam_member: "allUsers" },
    ],
  });
  expect(said("R10", given)?.[3]).toEqual([["access", 1, "iam_member"]]);
});
