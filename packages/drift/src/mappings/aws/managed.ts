import { isObject, type Json } from "@leeway/shared/values/json";

import { mirroredMember } from "../../live-path.ts";
import type { MappingTable, Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { reference, row, same } from "../../shapes.ts";
import { ownParameters } from "./parameters.ts";

/** Returns paths of members that Redshift Serverless nests in another one when it is read. */
function within(member: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, `${name} | ${member}.${name}`]));
}

/** Compares Redshift's parameters, which are a list. */
const listedParameters: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const named = live.flatMap((one) => {
    const name = mirroredMember(one, "parameter_name");
    return typeof name === "string" ? [[name, mirroredMember(one, "parameter_value") ?? null]] : [];
  });
  return ownParameters(Object.fromEntries(named), declared);
};

/** Terraform's names for members of a backup rule, with AWS's names as values. */
const BACKUP_RULE = {
  rule_name: "rule_name",
  target_vault_name: "target_backup_vault",
  schedule: "schedule_expression",
  start_window: "start_window_minutes",
  completion_window: "completion_window_minutes",
  enable_continuous_backup: "enable_continuous_backup",
};
const LIFECYCLE = {
  delete_after: "delete_after_days",
  cold_storage_after: "move_to_cold_storage_after_days",
};

const backupRules: Shape = (live, declared) =>
  Array.isArray(live)
    ? mirrored(
        live.map((rule) => {
          const lifecycle = mirroredMember(rule, "lifecycle");
          const block = renamed(rule, BACKUP_RULE);
          return isObject(lifecycle) ? { ...block, lifecycle: renamed(lifecycle, LIFECYCLE) } : block;
        }),
        declared,
      )
    : undefined;

function renamed(live: Json, names: Readonly<Record<string, string>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, member]) => {
      const value = mirroredMember(live, member);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** AWS types for managed data stores, backups and tools; see `AWS`. */
export const AWS_MANAGED: MappingTable = {
  aws_backup_plan: { rule: row("BackupPlan.BackupPlanRule", backupRules) },
  aws_redshiftserverless_workgroup: within(
    "Workgroup",
    "publicly_accessible enhanced_vpc_routing base_capacity max_capacity security_group_ids subnet_ids",
  ),
  aws_redshiftserverless_namespace: {
    ...within("Namespace", "log_exports"),
    kms_key_id: row("KmsKeyId | Namespace.KmsKeyId", reference),
  },
  aws_redshift_parameter_group: { parameter: row("Parameters", listedParameters) },
  aws_elasticache_serverless_cache: {
    ...same("security_group_ids snapshot_retention_limit user_group_id engine major_engine_version"),
    kms_key_id: row("KmsKeyId", reference),
  },
  aws_timestreaminfluxdb_db_instance: same(
    "publicly_accessible db_instance_type allocated_storage deployment_type vpc_security_group_ids",
  ),
  aws_neptune_cluster_instance: {
    instance_class: "DBInstanceClass",
    ...same("auto_minor_version_upgrade publicly_accessible"),
  },
  aws_docdbelastic_cluster: same(
    `backup_retention_period shard_capacity shard_count vpc_security_group_ids preferred_backup_window
    preferred_maintenance_window`,
  ),
  aws_dms_replication_instance: {
    ...same(`publicly_accessible replication_instance_class allocated_storage auto_minor_version_upgrade
    vpc_security_group_ids`),
    multi_az: "MultiAZ",
  },
  aws_mwaa_environment: {
    ...same(`webserver_access_mode environment_class execution_role_arn max_workers min_workers
    airflow_version network_configuration.security_group_ids`),
  },
  aws_sagemaker_notebook_instance: {
    ...same("root_access instance_type role_arn direct_internet_access"),
    volume_size: "VolumeSizeInGB",
  },
  aws_eks_pod_identity_association: same("role_arn target_role_arn"),
  aws_apigatewayv2_domain_name: Object.fromEntries(
    ["certificate_arn", "security_policy", "endpoint_type"].map((name) => [
      `domain_name_configuration.${name}`,
      row(`DomainNameConfigurations[].${name}`, (live, declared) =>
        Array.isArray(live) && live.length === 1 ? mirrored(live[0] ?? null, declared) : undefined,
      ),
    ]),
  ),
  aws_cognito_user_pool_client: {
    ...same(`explicit_auth_flows prevent_user_existence_errors enable_token_revocation
    supported_identity_providers access_token_validity id_token_validity refresh_token_validity`),
    callback_urls: "CallbackURLs",
    logout_urls: "LogoutURLs",
    allowed_oauth_flows: "AllowedOAuthFlows",
    allowed_oauth_scopes: "AllowedOAuthScopes",
    allowed_oauth_flows_user_pool_client: "AllowedOAuthFlowsUserPoolClient",
  },
};
