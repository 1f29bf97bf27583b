import { expect, test } from "bun:test";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/json";

import { create, policy, remove, said, update, type Given, type Said, type Seen } from "../change.fixture.ts";

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
const EVERYTHING = { api_groups: ["*"], resources: ["*"], verbs: ["*"] };
const manifest = (kind: string, more: JsonObject): JsonObject => ({
  manifest: { apiVersion: "rbac.authorization.k8s.io/v1", kind, ...more },
});
const account = (id: string): JsonObject => ({ AWS: `arn:aws:iam::${id}:root` });

test.each<[string, Given, Seen | undefined]>([
  ["a policy that allows all", create("aws_iam_policy", FULL), [...escalation, [["policy"]]]],
  [
    "a policy that allows *:*",
    create("aws_iam_role_policy", policy({ Action: ["*:*"], Resource: ["*"] })),
    [...escalation, [["policy"]]],
  ],
  ...["arn:*", "arn:aws:*", "arn:aws:*:*:*:*", "**"].map((resource): [string, Given, Seen] => [
    `a policy that allows all of ${resource}`,
    create("aws_iam_policy", policy({ Action: "*", Resource: resource })),
    [...escalation, [["policy"]]],
  ]),
  [
    "a policy that allows all of one service",
    create("aws_iam_policy", policy({ Action: "*", Resource: "arn:aws:s3:::*" })),
    undefined,
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
    "a policy that allows all but an action",
    create("aws_iam_policy", policy({ NotAction: "s3:DeleteBucket", Resource: "*" })),
    [...escalation, [["policy"]]],
  ],
  [
    "a policy that allows all but of a resource",
    create("aws_iam_policy", policy({ Action: "*", NotResource: "arn:aws:s3:::a" })),
    [...escalation, [["policy"]]],
  ],
  [
    "a policy that allows all but to give rights",
    create("aws_iam_policy", policy({ NotAction: ["iam:*", "organizations:*"], Resource: "*" })),
    undefined,
  ],
  [
    "a policy that allows all, as Pulumi has it",
    create("aws-native:iam:ManagedPolicy", {
      policyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] },
    }),
    [...escalation, [["policyDocument"]]],
  ],
  [
    "a policy among a role's that allows all, as Pulumi has it",
    create("aws-native:iam:Role", {
      policies: [
        {
          policyName: "all",
          policyDocument: { statement: { effect: "Allow", action: ["*"], resource: ["*"] } },
        },
      ],
    }),
    [...escalation, [["policies", 0, "policyDocument"]]],
  ],
  [
    "a role's trust in everybody, as Pulumi has it",
    create("aws-native:iam:Role", {
      assumeRolePolicyDocument: {
        Statement: [{ Effect: "Allow", Principal: { AWS: "*" }, Action: "sts:AssumeRole" }],
      },
    }),
    [...escalation, [["assumeRolePolicyDocument"]]],
  ],
  [
    "a policy of Pulumi's that allows some",
    create("aws-native:iam:ManagedPolicy", {
      policyDocument: { Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] },
    }),
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
    "an own role that may do all by its second block",
    create("azurerm_role_definition", { permissions: [{ actions: ["a/read"] }, { actions: ["*"] }] }),
    [...escalation, [["permissions", 1, "actions"]]],
  ],
  [
    "an own role that may do all but give rights",
    create("azurerm_role_definition", {
      permissions: [{ actions: ["*"], not_actions: ["Microsoft.Authorization/*/Write"] }],
    }),
    undefined,
  ],
  [
    "an own role that may do all but give rights, as Pulumi has it",
    create("azure-native:authorization:RoleDefinition", {
      permissions: [{ actions: ["*"], notActions: ["Microsoft.Authorization/*"] }],
    }),
    undefined,
  ],
  [
    "an own role that may do all but delete",
    create("azurerm_role_definition", { permissions: [{ actions: ["*"], not_actions: ["*/delete"] }] }),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "an own role that may give no roles, but rewrite its own",
    create("azurerm_role_definition", {
      permissions: [{ actions: ["*"], not_actions: ["Microsoft.Authorization/roleAssignments/*"] }],
    }),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "an own role from which nothing is taken away any more",
    update(
      "azurerm_role_definition",
      { permissions: [{ actions: ["*"], not_actions: ["Microsoft.Authorization/*"] }] },
      { permissions: [{ actions: ["*"], not_actions: [] }] },
    ),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "an own role that may do all, as Resource Manager has it",
    create("azapi_resource", {
      type: "Microsoft.Authorization/roleDefinitions@2022-04-01",
      body: { properties: { permissions: [{ actions: ["*"], notActions: [] }] } },
    }),
    [...escalation, [["body", "properties", "permissions", 0, "actions"]]],
  ],
  ...["azurerm_pim_active_role_assignment", "azurerm_pim_eligible_role_assignment"].map(
    (type): [string, Given, Seen] => [
      `Owner by ${type}`,
      create(type, { role_definition_id: "/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635" }),
      [...escalation, [["role_definition_id"]]],
    ],
  ),
  [
    "an own role of a cluster that may do all",
    create("kubernetes_cluster_role", { rule: [{ verbs: ["get"] }, EVERYTHING] }),
    [...escalation, [["rule", 1, "verbs"]]],
  ],
  [
    "an own role of a cluster that may read all",
    create("kubernetes_cluster_role", { rule: [{ ...EVERYTHING, verbs: ["get"] }] }),
    undefined,
  ],
  [
    "an own role of a cluster that may do all, by its manifest",
    create("kubernetes_manifest", manifest("ClusterRole", { rules: [{ apiGroups: ["*"], ...EVERYTHING }] })),
    [...escalation, [["manifest", "rules", 0, "verbs"]]],
  ],
  [
    "cluster-admin by a manifest",
    create("kubernetes_manifest", manifest("ClusterRoleBinding", { roleRef: { name: "cluster-admin" } })),
    [...escalation, [["manifest", "roleRef", "name"]]],
  ],
  [
    "an administrator of RabbitMQ",
    update("rabbitmq_user", { name: "a", tags: ["monitoring"] }, { name: "a", tags: ["administrator"] }),
    [...escalation, [["tags"]]],
  ],
  ...(
    [
      [
        "aws_iam_role_policy_attachment",
        { policy_arn: "arn:aws:iam::aws:policy/IAMFullAccess" },
        "policy_arn",
      ],
      [
        "azurerm_role_assignment",
        { role_definition_name: "User Access Administrator" },
        "role_definition_name",
      ],
      ["google_project_iam_member", { role: "roles/resourcemanager.projectIamAdmin" }, "role"],
      ["google_folder_iam_binding", { role: "roles/iam.securityAdmin" }, "role"],
    ] as const
  ).map(([type, after, attribute]): [string, Given, Seen] => [
    `whoever may make anybody an administrator: ${type}`,
    create(type, after),
    [...escalation, [[attribute]]],
  ]),
  [
    "whoever may do all in IAM",
    create("aws_iam_policy", policy({ Action: "iam:*", Resource: "*" })),
    [...escalation, [["policy"]]],
  ],
  [
    "whoever may read all in IAM",
    create("aws_iam_policy", policy({ Action: "iam:Get*", Resource: "*" })),
    undefined,
  ],
  [
    "a role that everybody may take whose own role has any name",
    create("aws_iam_role", trust("*", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/*" } })),
    [...escalation, [["assume_role_policy"]]],
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
    "a role that everybody may take, as Cloud Control has it",
    create("awscc_iam_role", { assume_role_policy_document: trust("*")["assume_role_policy"] ?? "" }),
    [...escalation, [["assume_role_policy_document"]]],
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
  [
    "a database at Azure that lets in by passwords again",
    update(
      "azurerm_postgresql_flexible_server",
      { authentication: [{ password_auth_enabled: false }] },
      { authentication: [{ password_auth_enabled: true }] },
    ),
    [...change, [["authentication", 0, "password_auth_enabled"]]],
  ],
  [
    "a machine that acts as another role",
    update("aws_instance", { iam_instance_profile: "app" }, { iam_instance_profile: "admin" }),
    [...change, [["iam_instance_profile"]]],
  ],
  [
    "a function that acts as another role",
    update("aws_lambda_function", { role: "app" }, { role: "admin" }),
    [...change, [["role"]]],
  ],
  [
    "a machine at Google that acts as another account",
    update(
      "google_compute_instance",
      { service_account: [{ email: "app", scopes: ["logging"] }] },
      { service_account: [{ email: "default", scopes: ["logging"] }] },
    ),
    [...change, [["service_account", 0, "email"]]],
  ],
  [
    "a service of Cloud Run that acts as another account",
    update(
      "google_cloud_run_v2_service",
      { template: [{ service_account: "app" }] },
      { template: [{ service_account: "admin" }] },
    ),
    [...change, [["template", 0, "service_account"]]],
  ],
  [
    "a machine whose rights whoever has it fetch an address gets",
    update(
      "aws_instance",
      { metadata_options: [{ http_tokens: "required" }] },
      { metadata_options: [{ http_tokens: "optional" }] },
    ),
    [...change, [["metadata_options", 0, "http_tokens"]]],
  ],
  [
    "a machine whose rights nobody gets so any more",
    update(
      "aws_instance",
      { metadata_options: [{ http_tokens: "optional" }] },
      { metadata_options: [{ http_tokens: "required" }] },
    ),
    undefined,
  ],
  [
    "a bucket at AWS whose objects have lists of their own again",
    update(
      "aws_s3_bucket_ownership_controls",
      { rule: [{ object_ownership: "BucketOwnerEnforced" }] },
      { rule: [{ object_ownership: "ObjectWriter" }] },
    ),
    [...change, [["rule", 0, "object_ownership"]]],
  ],
  ["a queue", update("aws_sqs_queue", { delay_seconds: 1 }, { delay_seconds: 2 }), undefined],
  [
    "another address that all messages are sent to",
    update(
      "google_pubsub_subscription",
      { push_config: [{ push_endpoint: "https://example.com/a" }] },
      { push_config: [{ push_endpoint: "https://example.org/b" }] },
    ),
    ["iam_change", "medium", "medium", [["push_config", 0, "push_endpoint"]]],
  ],
  ...[
    ["aws_sfn_state_machine", "role_arn"],
    ["aws_glue_job", "role_arn"],
    ["aws_eks_addon", "service_account_role_arn"],
  ].map(([type = "", attribute = ""]): [string, Given, Seen] => [
    `another role of ${type}`,
    update(type, { [attribute]: "arn:a" }, { [attribute]: "arn:b" }),
    ["iam_change", "medium", "medium", [[attribute]]],
  ]),
])("R12 and %s", (_name, given, expected) => {
  expect(said("R12", given)).toEqual(expected);
});

const NAMESPACE = "pod-security.kubernetes.io/enforce";
test.each<[string, Given, Path]>([
  [
    "a container that gets all rights of its machine",
    update("kubernetes_deployment", pods(container(false)), pods(container(true))),
    ["spec", 0, "template", 0, "spec", 0, "container", 0, "security_context", 0, "privileged"],
  ],
  [
    "pods that get their machine's network",
    update("kubernetes_deployment", pods({ host_network: false }), pods({ host_network: true })),
    ["spec", 0, "template", 0, "spec", 0, "host_network"],
  ],
  [
    "pods of a manifest that get their machine's network",
    update(
      "kubernetes_manifest",
      { manifest: { kind: "Pod", spec: { hostNetwork: false } } },
      { manifest: { kind: "Pod", spec: { hostNetwork: true } } },
    ),
    ["manifest", "spec", "hostNetwork"],
  ],
  [
    "what a namespace lets pods do",
    update(
      "kubernetes_namespace",
      { metadata: [{ labels: { [NAMESPACE]: "restricted" } }] },
      { metadata: [{ labels: { [NAMESPACE]: "privileged" } }] },
    ),
    ["metadata", 0, "labels", NAMESPACE],
  ],
  turned("aws_cognito_identity_pool", "allow_unauthenticated_identities", [false, true]),
  turned("aws_cognito_user_pool_client", "callback_urls", [["https://a.example"], []]),
  turned("aws_cloudwatch_log_subscription_filter", "destination_arn", ["arn:a", "arn:b"]),
  turned("aws_cloudwatch_event_target", "arn", ["arn:a", "arn:b"]),
  turned("google_compute_project_metadata_item", "value", ["a", "b"]),
  turnedIn("aws_msk_cluster", ["client_authentication", "unauthenticated"], true),
  turnedIn("aws_opensearch_domain", ["advanced_security_options", "enabled"], false),
  turnedIn("azurerm_linux_web_app", ["auth_settings_v2", "require_authentication"], false),
  turnedIn("aws_cognito_user_pool", ["admin_create_user_config", "allow_admin_create_user_only"], false),
])("R12 and %s", (_name, given, path) => {
  expect(said("R12", given)?.slice(0, 1)).toEqual(["iam_change"]);
  expect(said("R12", given)?.[3]).toContainEqual(path);
});

function turned(type: string, attribute: string, [before, after]: [Json, Json]): [string, Given, Path] {
  const given = update(type, { [attribute]: before }, { [attribute]: after });
  return [`another ${attribute} of ${type}`, given, [attribute]];
}

/** What is a switch in a block is turned. */
function turnedIn(type: string, [block, name]: [string, string], is: boolean): [string, Given, Path] {
  const given = update(type, { [block]: [{ [name]: !is }] }, { [block]: [{ [name]: is }] });
  return [`${name} of ${type}`, given, [block, 0, name]];
}

function container(privileged: boolean): JsonObject {
  return { container: [{ security_context: [{ privileged }] }] };
}

function pods(spec: JsonObject): JsonObject {
  return { spec: [{ template: [{ spec: [spec] }] }] };
}

const GRANTS = `aws_ram_principal_association aws_ram_resource_share aws_snapshot_create_volume_permission
  aws_ami_launch_permission aws_organizations_delegated_administrator aws_organizations_resource_policy
  aws_lakeformation_data_lake_settings aws_eks_pod_identity_association aws_rolesanywhere_profile
  aws_s3control_access_grant aws_cognito_identity_pool_roles_attachment aws_vpc_endpoint_service_allowed_principal
  aws_redshift_datashare_authorization aws_cloudwatch_event_bus_policy aws_cloudwatch_event_permission
  aws_cloudwatch_log_destination_policy aws_transfer_user aws_msk_cluster_policy aws_codebuild_resource_policy
  aws_ses_identity_policy aws_vpclattice_auth_policy aws_servicecatalog_portfolio_share aws_schemas_registry_policy
  aws_ecrpublic_repository_policy aws_acmpca_policy aws_codeartifact_domain_permissions_policy
  google_storage_hmac_key google_cloud_identity_group_membership google_os_login_ssh_public_key google_sql_user
  google_org_policy_custom_constraint
  azurerm_lighthouse_assignment azurerm_lighthouse_definition azurerm_kusto_database_principal_assignment
  azurerm_kubernetes_cluster_trusted_access_role_binding azurerm_postgresql_flexible_server_active_directory_administrator
  github_repository_deploy_key github_branch_protection github_repository_ruleset github_actions_organization_permissions
  gitlab_deploy_key gitlab_project_access_token gitlab_branch_protection vault_auth_backend vault_aws_secret_backend_role
  vault_token cloudflare_api_token cloudflare_member cloudflare_access_policy datadog_role tfe_team_member
  okta_user_admin_roles okta_group_role auth0_client_grant databricks_grants databricks_permissions
  snowflake_grant_privileges_to_account_role snowflake_role_grants mongodbatlas_database_user postgresql_grant mysql_grant
  confluent_role_binding scaleway_iam_policy yandex_resourcemanager_folder_iam_member ibm_iam_user_policy`;

test.each(GRANTS.split(/\s+/))("R12 and %s, which says who may do what", (type) => {
  expect(said("R12", create(type, { to: "somebody" }))).toEqual([...change, []]);
  expect(said("R12", update(type, { to: "somebody" }, { to: "another" }))).toEqual([...change, [["to"]]]);
});
