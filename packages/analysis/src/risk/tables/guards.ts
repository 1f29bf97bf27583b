import { names, sign, type Closure, type Sign } from "./table.ts";

/** Signs across clouds that an update removes a guard, or a new resource lacks one, while another guard remains. */

const SERVERS = names(`
  azurerm_mssql_server azurerm_postgresql_flexible_server azurerm_mysql_flexible_server azurerm_cosmosdb_account
  azurerm_redis_cache azurerm_managed_redis
`);
const BUCKET_BLOCKS = names(
  "block_public_acls block_public_policy ignore_public_acls restrict_public_buckets",
);

/** Signs that public access is no longer blocked, although a grant, key or rule must still allow it. */
export const PUBLIC_GUARDS: readonly Sign[] = [
  sign(names("aws_s3_bucket_public_access_block aws_s3_account_public_access_block"), BUCKET_BLOCKS, "off"),
  sign(
    names("aws_s3_access_point aws_s3_bucket"),
    BUCKET_BLOCKS.map((name) => `public_access_block_configuration.${name}`),
    "off",
  ),
  sign(["aws_emr_block_public_access_configuration"], ["block_public_security_group_rules"], "off"),
  sign(["aws_vpc_block_public_access_options"], ["internet_gateway_block_mode"], ["off"]),
  sign(
    names("aws_ebs_snapshot_block_public_access aws_ec2_image_block_public_access"),
    ["state"],
    ["unblocked"],
  ),
  sign(
    ["azurerm_*"],
    names(`
      allow_nested_items_to_be_public allow_blob_public_access public_data_endpoint_enabled
      body.properties.allowBlobPublicAccess site_config.remote_debugging_enabled
    `),
    "on",
  ),
  sign(
    ["azurerm_*"],
    names(`
      network_rules.default_action network_acls.default_action network_rule_set.default_action
      network_rulesets.default_action
    `),
    { leaves: ["deny"] },
  ),
  sign(["azurerm_storage_account_network_rules"], ["default_action"], { from: ["deny"], to: ["allow"] }),
  sign(["azurerm_*"], ["public_network_access_enabled"], { from: ["false"], to: ["true"] }),
  sign(["azurerm_*"], names("public_network_access body.properties.publicNetworkAccess"), {
    from: ["disabled"],
    to: ["enabled"],
  }),
  sign(["azurerm_*"], ["body.properties.networkAcls.defaultAction"], { from: ["deny"], to: ["allow"] }),
  sign(["azurerm_cosmosdb_account"], ["is_virtual_network_filter_enabled"], "off"),
  sign(["azurerm_cosmosdb_account"], ["ip_range_filter"], "everybody"),
  sign(["azurerm_cosmosdb_account"], ["ip_range_filter"], "emptied"),
  // All of Azure.
  sign(["azurerm_cosmosdb_account"], ["ip_range_filter"], ["0.0.0.0"]),
  sign(names("azurerm_managed_disk azurerm_snapshot"), ["network_access_policy"], {
    from: names("denyall allowprivate"),
    to: ["allowall"],
  }),
  sign(["google_storage_bucket"], ["public_access_prevention"], { leaves: ["enforced"] }),
  sign(["google_sql_database_instance"], ["settings.ip_configuration.ipv4_enabled"], {
    from: ["false"],
    to: ["true"],
  }),
  sign(["google_alloydb_instance"], ["network_config.enable_public_ip"], "on"),
];

/** The same for a new resource, set explicitly in code or by default. */
export const CREATED_OPEN: readonly Sign[] = [
  sign(["aws_s3_bucket_public_access_block"], BUCKET_BLOCKS, ["false"]),
  sign([...SERVERS, "azurerm_key_vault"], ["public_network_access_enabled"], ["true"]),
  sign(["azurerm_kubernetes_cluster"], ["private_cluster_enabled"], ["false"]),
];

export const GUARD_CLOSURES: readonly Closure[] = [
  {
    types: ["azurerm_key_vault"],
    attributes: ["public_network_access_enabled"],
    by: "network_acls.default_action",
    is: "deny",
  },
  {
    types: ["azurerm_cosmosdb_account"],
    attributes: ["public_network_access_enabled"],
    by: "is_virtual_network_filter_enabled",
    is: true,
  },
  {
    types: ["azurerm_cosmosdb_account"],
    attributes: ["public_network_access_enabled"],
    by: "ip_range_filter",
    is: "narrow",
  },
  {
    types: ["azurerm_kubernetes_cluster"],
    attributes: ["private_cluster_enabled"],
    by: "api_server_access_profile.authorized_ip_ranges",
    is: "narrow",
  },
  {
    types: ["aws_eks_cluster"],
    attributes: ["vpc_config.endpoint_public_access"],
    by: "vpc_config.public_access_cidrs",
    is: "narrow",
  },
];

/** Signs of a new resource that accepts unencrypted traffic. */
export const CREATED_PLAIN: readonly Sign[] = [
  sign(
    ["azurerm_storage_account"],
    names("enable_https_traffic_only https_traffic_only_enabled body.properties.supportsHttpsTrafficOnly"),
    ["false"],
  ),
  sign(["azurerm_*_server"], ["ssl_enforcement_enabled"], ["false"]),
];

/** Signs of a new resource that stores data unencrypted, or accepts HTTP where HTTPS is the norm. */
export const CREATED_UNENCRYPTED: readonly Sign[] = [
  sign(names("aws_ebs_volume aws_efs_file_system"), ["encrypted"], ["false"]),
  sign(
    names("aws_db_instance aws_rds_cluster aws_docdb_cluster aws_neptune_cluster aws_redshift_cluster"),
    names("storage_encrypted encrypted"),
    ["false"],
  ),
  sign(["aws_instance"], names("root_block_device.encrypted ebs_block_device.encrypted"), ["false"]),
  sign(names("azurerm_linux_web_app azurerm_windows_web_app"), ["https_only"], ["false"]),
];

/** Signs that data stays encrypted, but a customer key is no longer used or rotated. */
export const KEY_MANAGEMENT: readonly Sign[] = [
  sign(["aws_*"], ["enable_key_rotation"], "off"),
  sign(["google_kms_crypto_key"], ["rotation_period"], "emptied"),
  sign(
    names("aws_s3_bucket aws_s3_bucket_server_side_encryption_configuration"),
    names(`
      rule.apply_server_side_encryption_by_default.sse_algorithm
      server_side_encryption_configuration.rule.apply_server_side_encryption_by_default.sse_algorithm
    `),
    { from: names("aws:kms aws:kms:dsse"), to: ["AES256"] },
  ),
];

/** Types whose deletion removes a guard on permissions, code or requests. */
export const GUARD_TYPES: readonly string[] = names(`
  aws_organizations_policy_attachment aws_wafv2_web_acl_association aws_wafregional_web_acl_association
  github_branch_protection github_branch_protection_v3 github_repository_ruleset github_organization_ruleset
  gitlab_branch_protection gitlab_tag_protection
`);

/** Attributes whose removal removes such a guard. */
export const GUARD_SIGNS: readonly Sign[] = [
  sign(names("aws_iam_role aws_iam_user"), ["permissions_boundary"], "emptied"),
  // Neptune has no passwords.
  sign(["aws_neptune_cluster"], ["iam_database_authentication_enabled"], "off"),
  sign(["kubernetes_namespace*"], ["*metadata.labels.pod-security.kubernetes.io/enforce"], {
    from: names("restricted baseline"),
    to: ["privileged"],
  }),
  // Without it, someone reads a plan before it is applied.
  sign(names("tfe_workspace tfe_workspace_settings"), ["auto_apply"], "on"),
  sign(["spacelift_stack"], ["autodeploy"], "on"),
];

/** Traffic destinations of types that cover more than that. */
export const ORIGINS: readonly Sign[] = [
  sign(["aws_cloudfront_distribution"], names("origin.domain_name origin.origin_path"), "changed"),
  sign(
    names("azurerm_cdn_endpoint azurerm_cdn_frontdoor_origin"),
    names("origin.host_name host_name"),
    "changed",
  ),
  sign(
    names("aws_api_gateway_integration aws_apigatewayv2_integration"),
    names("uri integration_uri"),
    "changed",
  ),
  // The way of machines without a public address to Google's APIs.
  sign(["google_compute_subnetwork"], ["private_ip_google_access"], "off"),
];

/** Signs that a resource stops serving but stays. */
export const STOPS: readonly Sign[] = [
  sign(
    names(`
      aws_cloudfront_distribution azurerm_cdn_frontdoor_endpoint azurerm_linux_web_app azurerm_windows_web_app
      azurerm_linux_function_app azurerm_windows_function_app
    `),
    ["enabled"],
    "off",
  ),
  sign(["google_sql_database_instance"], ["settings.activation_policy"], { from: ["ALWAYS"], to: ["NEVER"] }),
];

/** Signs of a short restart, or of an upgrade with release notes to read. */
export const RESTARTS: readonly Sign[] = [
  sign(["aws_instance"], ["instance_type"], "changed"),
  sign(["google_compute_instance"], ["machine_type"], "changed"),
  sign(names("azurerm_linux_virtual_machine azurerm_windows_virtual_machine"), ["size"], "changed"),
  sign(
    names(
      "aws_db_instance aws_rds_cluster aws_docdb_cluster aws_neptune_cluster aws_elasticache_replication_group",
    ),
    ["engine_version"],
    "version",
  ),
  sign(["helm_release"], ["version"], "major"),
];

/** Signs that backup retention is halved, or that a resource without data can be deleted by mistake. */
export const REDUCTIONS: readonly Sign[] = [
  sign(
    ["aws_*"],
    names(`
      backup_retention_period snapshot_retention_limit automated_snapshot_retention_period
      automatic_backup_retention_days
    `),
    "halved",
  ),
  sign(["azurerm_*"], ["backup_retention_days"], "halved"),
  sign(["google_spanner_database"], ["version_retention_period"], "halved"),
  sign(["aws_backup_plan"], ["rule.lifecycle.delete_after"], "sooner"),
  sign(["kubernetes_storage_class*"], names("reclaim_policy manifest.reclaimPolicy"), {
    from: ["Retain"],
    to: ["Delete"],
  }),
  // A tag in use may point to other code.
  sign(["aws_ecr_repository"], ["image_tag_mutability"], { from: ["IMMUTABLE"], to: ["MUTABLE"] }),
  sign(["google_artifact_registry_repository"], ["docker_config.immutable_tags"], "off"),
  sign(["*"], names("deletion_protection enable_deletion_protection deletion_protection_enabled"), "off"),
];
