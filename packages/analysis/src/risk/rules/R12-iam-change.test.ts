import { expect, test } from "bun:test";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

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

const FULL = policy({ Action: "*", Resource: "*" });

const change: Rating = ["iam_change", "medium", "medium"];
test.each<[string, Given, RatedFinding | undefined]>([
  ["a new role", create("aws_iam_role"), [...change, []]],
  [
    "a changed policy",
    update("aws_iam_policy", { policy: "{}" }, { policy: "{ }" }),
    [...change, [["policy"]]],
  ],
  [
    "a masked policy",
    update(
      "aws_iam_policy",
      { policy: "[redacted]" },
      { policy: "[redacted]" },
      { leeway_changed: [["policy"]] },
    ),
    [...change, [["policy"]]],
  ],
  ["a deleted binding", remove("google_project_iam_binding"), [...change, []]],
  [
    "a role assignment",
    create("azurerm_role_assignment", { role_definition_name: "Reader" }),
    [...change, []],
  ],
  ["a queue policy", update("aws_sqs_queue", { policy: "{}" }, { policy: "{ }" }), [...change, [["policy"]]]],
  ["a change that R11 covers", create("aws_iam_policy", FULL), undefined],
  ["tags of a role", update("aws_iam_role", { tags: {} }, { tags: { a: "b" } }), undefined],
  [
    "the display name of an account",
    update("google_service_account", { display_name: "a" }, { display_name: "b" }),
    undefined,
  ],
  [
    "an account that is renamed and enabled",
    update(
      "google_service_account",
      { display_name: "a", disabled: true },
      { display_name: "b", disabled: false },
    ),
    [...change, [["disabled"]]],
  ],
  [
    "access policies of a key vault",
    update(
      "azurerm_key_vault",
      { access_policy: [{ object_id: "a", secret_permissions: ["Get"] }] },
      { access_policy: [{ object_id: "a", secret_permissions: ["Get", "Set"] }] },
    ),
    [...change, [["access_policy", 0, "secret_permissions"]]],
  ],
  [
    "another setting of a key vault",
    update("azurerm_key_vault", { enabled_for_deployment: false }, { enabled_for_deployment: true }),
    undefined,
  ],
  [
    "a new queue policy",
    update("aws_sqs_queue", { policy: "" }, { policy: "{}" }),
    [...change, [["policy"]]],
  ],
  [
    "the SSH keys of a VM",
    update("google_compute_instance", { metadata: {} }, { metadata: { "ssh-keys": "ada:ssh-ed25519 A" } }),
    [...change, [["metadata", "ssh-keys"]]],
  ],
  [
    "other metadata of a VM",
    update("google_compute_instance", { metadata: {} }, { metadata: { env: "prod" } }),
    undefined,
  ],
  [
    "a Google bucket with object ACLs again",
    update(
      "google_storage_bucket",
      { uniform_bucket_level_access: true },
      { uniform_bucket_level_access: false },
    ),
    [...change, [["uniform_bucket_level_access"]]],
  ],
  [
    "the administrator of a server",
    update(
      "azurerm_mssql_server",
      { azuread_administrator: [{ object_id: "a" }] },
      { azuread_administrator: [{ object_id: "b" }] },
    ),
    [...change, [["azuread_administrator", 0, "object_id"]]],
  ],
  [
    "an instance with another role",
    update("aws_instance", { iam_instance_profile: "app" }, { iam_instance_profile: "admin" }),
    [...change, [["iam_instance_profile"]]],
  ],
  [
    "a function with another role",
    update("aws_lambda_function", { role: "app" }, { role: "admin" }),
    [...change, [["role"]]],
  ],
  [
    "a Google VM with another service account",
    update(
      "google_compute_instance",
      { service_account: [{ email: "app", scopes: ["logging"] }] },
      { service_account: [{ email: "default", scopes: ["logging"] }] },
    ),
    [...change, [["service_account", 0, "email"]]],
  ],
  [
    "a Cloud Run service with another service account",
    update(
      "google_cloud_run_v2_service",
      { template: [{ service_account: "app" }] },
      { template: [{ service_account: "admin" }] },
    ),
    [...change, [["template", 0, "service_account"]]],
  ],
  [
    "an instance that no longer requires IMDSv2",
    update(
      "aws_instance",
      { metadata_options: [{ http_tokens: "required" }] },
      { metadata_options: [{ http_tokens: "optional" }] },
    ),
    [...change, [["metadata_options", 0, "http_tokens"]]],
  ],
  [
    "an instance that now requires IMDSv2",
    update(
      "aws_instance",
      { metadata_options: [{ http_tokens: "optional" }] },
      { metadata_options: [{ http_tokens: "required" }] },
    ),
    undefined,
  ],
  [
    "an S3 bucket with object ACLs again",
    update(
      "aws_s3_bucket_ownership_controls",
      { rule: [{ object_ownership: "BucketOwnerEnforced" }] },
      { rule: [{ object_ownership: "ObjectWriter" }] },
    ),
    [...change, [["rule", 0, "object_ownership"]]],
  ],
  ["a queue", update("aws_sqs_queue", { delay_seconds: 1 }, { delay_seconds: 2 }), undefined],
  [
    "another push endpoint of a subscription",
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
  ].map(([type = "", attribute = ""]): [string, Given, RatedFinding] => [
    `another role of ${type}`,
    update(type, { [attribute]: "arn:a" }, { [attribute]: "arn:b" }),
    ["iam_change", "medium", "medium", [[attribute]]],
  ]),
])("R12: %s", (_name, given, expected) => {
  expect(findingBy("R12", given)).toEqual(expected);
});

test.each<[string, Given, Path]>([
  [
    "a privileged container",
    update("kubernetes_deployment", pods(container(false)), pods(container(true))),
    ["spec", 0, "template", 0, "spec", 0, "container", 0, "security_context", 0, "privileged"],
  ],
  [
    "pods with the host network",
    update("kubernetes_deployment", pods({ host_network: false }), pods({ host_network: true })),
    ["spec", 0, "template", 0, "spec", 0, "host_network"],
  ],
  [
    "pods of a manifest with the host network",
    update(
      "kubernetes_manifest",
      { manifest: { kind: "Pod", spec: { hostNetwork: false } } },
      { manifest: { kind: "Pod", spec: { hostNetwork: true } } },
    ),
    ["manifest", "spec", "hostNetwork"],
  ],
  turned("aws_cognito_user_pool_client", "callback_urls", [["https://a.example"], []]),
  turned("aws_cloudwatch_log_subscription_filter", "destination_arn", ["arn:a", "arn:b"]),
  turned("aws_cloudwatch_event_target", "arn", ["arn:a", "arn:b"]),
  turned("google_compute_project_metadata_item", "value", ["a", "b"]),
  turnedIn("aws_cognito_user_pool", ["admin_create_user_config", "allow_admin_create_user_only"], false),
])("R12: %s", (_name, given, path) => {
  expect(findingBy("R12", given)?.slice(0, 1)).toEqual(["iam_change"]);
  expect(findingBy("R12", given)?.[3]).toContainEqual(path);
});

function turned(type: string, attribute: string, [before, after]: [Json, Json]): [string, Given, Path] {
  const given = update(type, { [attribute]: before }, { [attribute]: after });
  return [`another ${attribute} of ${type}`, given, [attribute]];
}

/** Builds an update that flips a switch in a block. */
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
  azurerm_lighthouse_definition azurerm_kusto_database_principal_assignment
  azurerm_kubernetes_cluster_trusted_access_role_binding azurerm_postgresql_flexible_server_active_directory_administrator
  github_repository_deploy_key github_branch_protection github_repository_ruleset github_actions_organization_permissions
  gitlab_deploy_key gitlab_project_access_token gitlab_branch_protection vault_auth_backend vault_aws_secret_backend_role
  vault_token cloudflare_api_token cloudflare_member cloudflare_access_policy datadog_role tfe_team_member
  okta_user_admin_roles okta_group_role auth0_client_grant databricks_grants databricks_permissions
  snowflake_grant_privileges_to_account_role snowflake_role_grants mongodbatlas_database_user postgresql_grant mysql_grant
  confluent_role_binding scaleway_iam_policy yandex_resourcemanager_folder_iam_member ibm_iam_user_policy`;

test.each(GRANTS.split(/\s+/))("R12: %s, which grants access", (type) => {
  expect(findingBy("R12", create(type, { to: "somebody" }))).toEqual([...change, []]);
  expect(findingBy("R12", update(type, { to: "somebody" }, { to: "another" }))).toEqual([
    ...change,
    [["to"]],
  ]);
});
