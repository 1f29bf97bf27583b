import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { create, remove, said, update, type Given, type Said, type Seen } from "../change.fixture.ts";

function policy(statement: JsonObject): JsonObject {
  return {
    policy: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] }),
  };
}
const PUBLIC = policy({ Principal: "*", Action: "s3:GetObject", Resource: "*" });
const OWN = policy({ Principal: { AWS: "arn:aws:iam::111111111111:root" }, Action: "s3:*", Resource: "*" });
const data: Said = ["public_data", "medium", "critical"];
const other: Said = ["public_data", "medium", "high"];

test.each<[string, Given, Seen | undefined]>([
  ["a bucket's policy for everybody", create("aws_s3_bucket_policy", PUBLIC), [...data, [["policy"]]]],
  ["a queue's policy for everybody", update("aws_sqs_queue", OWN, PUBLIC), [...data, [["policy"]]]],
  [
    "a topic's policy for everybody",
    update("aws_sns_topic", OWN, policy({ Principal: { AWS: ["*"] }, Action: "sns:Publish", Resource: "*" })),
    [...other, [["policy"]]],
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
])("R10 and %s", (_name, given, expected) => {
  expect(said("R10", given)).toEqual(expected);
});

const FULL = policy({ Action: "*", Resource: "*" });
const ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess";
const escalation: Said = ["privilege_escalation", "medium", "critical"];
function trust(principal: JsonObject | string, condition: JsonObject = {}): JsonObject {
  const { policy: assume_role_policy = "" } = policy({
    Principal: principal,
    Action: "sts:AssumeRole",
    Condition: condition,
  });
  return { arn: "arn:aws:iam::111111111111:role/main", assume_role_policy };
}
const account = (id: string): JsonObject => ({ AWS: `arn:aws:iam::${id}:root` });

test.each<[string, Given, Seen | undefined]>([
  ["a policy that allows all", create("aws_iam_policy", FULL), [...escalation, [["policy"]]]],
  [
    "a policy that allows *:*",
    create("aws_iam_role_policy", policy({ Action: ["*:*"], Resource: ["*"] })),
    [...escalation, [["policy"]]],
  ],
  [
    "a role's inline policy",
    create("aws_iam_role", { inline_policy: [{ name: "a", policy: FULL["policy"] ?? "" }] }),
    [...escalation, [["inline_policy", 0, "policy"]]],
  ],
  [
    "a policy that allowed all before",
    update("aws_iam_policy", FULL, policy({ Action: "*", Resource: "*", Sid: "x" })),
    undefined,
  ],
  [
    "a policy that allows some",
    create("aws_iam_policy", policy({ Action: "s3:*", Resource: "*" })),
    undefined,
  ],
  [
    "AdministratorAccess",
    create("aws_iam_role_policy_attachment", { role: "a", policy_arn: ADMINISTRATOR }),
    [...escalation, [["policy_arn"]]],
  ],
  [
    "AdministratorAccess among a role's policies",
    update("aws_iam_role", { managed_policy_arns: [] }, { managed_policy_arns: [ADMINISTRATOR] }),
    [...escalation, [["managed_policy_arns"]]],
  ],
  [
    "AdministratorAccess for one more",
    update(
      "aws_iam_policy_attachment",
      { policy_arn: ADMINISTRATOR, users: ["a"] },
      { policy_arn: ADMINISTRATOR, users: ["a", "b"] },
    ),
    [...escalation, [["policy_arn"]]],
  ],
  [
    "AdministratorAccess for one less",
    update(
      "aws_iam_policy_attachment",
      { policy_arn: ADMINISTRATOR, users: ["a", "b"] },
      { policy_arn: ADMINISTRATOR, users: ["a"] },
    ),
    undefined,
  ],
  [
    "ReadOnlyAccess",
    create("aws_iam_role_policy_attachment", {
      role: "a",
      policy_arn: "arn:aws:iam::aws:policy/ReadOnlyAccess",
    }),
    undefined,
  ],
  [
    "AdministratorAccess that goes",
    remove("aws_iam_role_policy_attachment", { policy_arn: ADMINISTRATOR }),
    undefined,
  ],
  [
    "roles/owner",
    create("google_project_iam_member", { role: "roles/owner", member: "user:a@b.c" }),
    [...escalation, [["role"]]],
  ],
  [
    "roles/owner for one more",
    update(
      "google_project_iam_binding",
      { role: "roles/owner", members: ["a"] },
      { role: "roles/owner", members: ["b", "a"] },
    ),
    [...escalation, [["role"]]],
  ],
  [
    "roles/viewer",
    create("google_project_iam_member", { role: "roles/viewer", member: "user:a@b.c" }),
    undefined,
  ],
  [
    "roles/owner in a document",
    create("google_project_iam_policy", {
      policy_data: JSON.stringify({ bindings: [{ role: "roles/owner", members: ["a"] }] }),
    }),
    [...escalation, [["policy_data"]]],
  ],
  [
    "Owner",
    create("azurerm_role_assignment", { role_definition_name: "Owner", principal_id: "a" }),
    [...escalation, [["role_definition_name"]]],
  ],
  [
    "Owner by its id",
    create("azurerm_role_assignment", {
      role_definition_id:
        "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
    }),
    [...escalation, [["role_definition_id"]]],
  ],
  ["Reader", create("azurerm_role_assignment", { role_definition_name: "Reader" }), undefined],
  [
    "an own role that may do all",
    create("azurerm_role_definition", { permissions: [{ actions: ["*"] }] }),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "cluster-admin",
    create("kubernetes_cluster_role_binding", { role_ref: [{ name: "cluster-admin" }] }),
    [...escalation, [["role_ref", 0, "name"]]],
  ],
  [
    "a role that everybody may take",
    create("aws_iam_role", trust("*")),
    [...escalation, [["assume_role_policy"]]],
  ],
  [
    "a role that everybody of an organization may take",
    create("aws_iam_role", trust("*", { StringEquals: { "aws:PrincipalOrgID": "o-1" } })),
    undefined,
  ],
  [
    "a role that another account may take from now on",
    update("aws_iam_role", trust(account("111111111111")), trust(account("222222222222"))),
    [...escalation, [["assume_role_policy"]]],
  ],
  [
    "a role that one's own account may take from now on",
    update("aws_iam_role", trust({ Service: "ec2.amazonaws.com" }), trust(account("111111111111"))),
    undefined,
  ],
  [
    "a role that another account could take before",
    update(
      "aws_iam_role",
      trust(account("222222222222")),
      trust({ AWS: ["arn:aws:iam::222222222222:role/a"] }),
    ),
    undefined,
  ],
])("R11 and %s", (_name, given, expected) => {
  expect(said("R11", given)).toEqual(expected);
});

const change: Said = ["iam_change", "medium", "medium"];
test.each<[string, Given, Seen | undefined]>([
  ["a role that is created", create("aws_iam_role"), [...change, []]],
  [
    "a policy that is changed",
    update("aws_iam_policy", { policy: "{}" }, { policy: "{ }" }),
    [...change, [["policy"]]],
  ],
  [
    "a policy that is masked",
    update(
      "aws_iam_policy",
      { policy: "[redacted]" },
      { policy: "[redacted]" },
      { leeway_changed: [["policy"]] },
    ),
    [...change, [["policy"]]],
  ],
  ["a binding that goes", remove("google_project_iam_binding"), [...change, []]],
  ["an assignment", create("azurerm_role_assignment", { role_definition_name: "Reader" }), [...change, []]],
  [
    "a queue's own policy",
    update("aws_sqs_queue", { policy: "{}" }, { policy: "{ }" }),
    [...change, [["policy"]]],
  ],
  ["what R11 speaks of", create("aws_iam_policy", FULL), undefined],
  ["tags of a role", update("aws_iam_role", { tags: {} }, { tags: { a: "b" } }), undefined],
  [
    "what an account is called",
    update("google_service_account", { display_name: "a" }, { display_name: "b" }),
    undefined,
  ],
  [
    "an account that is called otherwise and switched on",
    update(
      "google_service_account",
      { display_name: "a", disabled: true },
      { display_name: "b", disabled: false },
    ),
    [...change, [["disabled"]]],
  ],
  [
    "who may read a key vault",
    update(
      "azurerm_key_vault",
      { access_policy: [{ object_id: "a", secret_permissions: ["Get"] }] },
      { access_policy: [{ object_id: "a", secret_permissions: ["Get", "Set"] }] },
    ),
    [...change, [["access_policy", 0, "secret_permissions"]]],
  ],
  [
    "a key vault",
    update("azurerm_key_vault", { enabled_for_deployment: false }, { enabled_for_deployment: true }),
    undefined,
  ],
  [
    "a queue that gets a policy",
    update("aws_sqs_queue", { policy: "" }, { policy: "{}" }),
    [...change, [["policy"]]],
  ],
  [
    "who may log in to a machine",
    update("google_compute_instance", { metadata: {} }, { metadata: { "ssh-keys": "ada:ssh-ed25519 A" } }),
    [...change, [["metadata", "ssh-keys"]]],
  ],
  [
    "what else a machine's metadata says",
    update("google_compute_instance", { metadata: {} }, { metadata: { env: "prod" } }),
    undefined,
  ],
  [
    "a bucket whose objects have their own lists again",
    update(
      "google_storage_bucket",
      { uniform_bucket_level_access: true },
      { uniform_bucket_level_access: false },
    ),
    [...change, [["uniform_bucket_level_access"]]],
  ],
  [
    "a cluster that knows accounts of its own again",
    update("azurerm_kubernetes_cluster", { local_account_disabled: true }, { local_account_disabled: false }),
    [...change, [["local_account_disabled"]]],
  ],
  [
    "who administers a server",
    update(
      "azurerm_mssql_server",
      { azuread_administrator: [{ object_id: "a" }] },
      { azuread_administrator: [{ object_id: "b" }] },
    ),
    [...change, [["azuread_administrator", 0, "object_id"]]],
  ],
  ["a queue", update("aws_sqs_queue", { delay_seconds: 1 }, { delay_seconds: 2 }), undefined],
])("R12 and %s", (_name, given, expected) => {
  expect(said("R12", given)).toEqual(expected);
});
