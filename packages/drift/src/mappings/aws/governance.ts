import type { MappingTable } from "../../mapping.ts";
import { document, reference, references, row, same } from "../../shapes.ts";

const RECORDING = "RecordingGroup.";
const BLOCKED = "PublicAccessBlockConfiguration.";

/** AWS types that govern a whole account: recording, sharing, permissions and maintenance; see `AWS`. */
export const AWS_GOVERNANCE: MappingTable = {
  aws_config_configuration_recorder: {
    role_arn: "RoleARN",
    ...same("recording_group.all_supported recording_group.include_global_resource_types"),
    "recording_group.resource_types": row(`${RECORDING}ResourceTypes`, references),
    "recording_group.recording_strategy.use_only": `${RECORDING}RecordingStrategy.UseOnly`,
  },
  aws_config_config_rule: {
    ...same("description maximum_execution_frequency source.owner source.source_identifier"),
    input_parameters: row("InputParameters", document),
  },
  aws_organizations_policy: { ...same("name description type"), content: row("Content", document) },
  aws_organizations_organizational_unit: same("name"),
  aws_organizations_account: { name: "AccountName", email: "Email" },
  aws_ram_resource_share: same("name allow_external_principals"),
  aws_securityhub_account: same("auto_enable_controls control_finding_generator"),
  aws_ssoadmin_permission_set: {
    ...same("name description session_duration"),
    relay_state: "RelayStateType",
  },
  aws_cognito_identity_pool: {
    identity_pool_name: "IdentityPoolName",
    allow_unauthenticated_identities: "AllowUnauthenticatedIdentities",
    allow_classic_flow: "AllowClassicFlow",
    developer_provider_name: "DeveloperProviderName",
    openid_connect_provider_arns: row("OpenIdConnectProviderARNs", references),
    saml_provider_arns: row("SamlProviderARNs", references),
  },
  aws_iot_policy: { policy: row("PolicyDocument", document) },
  aws_s3_access_point: {
    bucket: row("Bucket", reference),
    policy: row("Policy", document),
    ...Object.fromEntries(
      [
        ["block_public_acls", "BlockPublicAcls"],
        ["block_public_policy", "BlockPublicPolicy"],
        ["ignore_public_acls", "IgnorePublicAcls"],
        ["restrict_public_buckets", "RestrictPublicBuckets"],
      ].map(([name, live]) => [`public_access_block_configuration.${name}`, `${BLOCKED}${live}`]),
    ),
  },
  // Values of parameters are redacted everywhere.
  aws_ssm_parameter: same("type description tier data_type allowed_pattern"),
  aws_ssm_maintenance_window: same(
    "name description schedule schedule_timezone duration cutoff allow_unassociated_targets",
  ),
  aws_cloudwatch_composite_alarm: {
    ...same("alarm_rule alarm_description actions_enabled"),
    alarm_actions: row("AlarmActions", references),
    ok_actions: row("OKActions", references),
    insufficient_data_actions: row("InsufficientDataActions", references),
  },
  aws_cloudwatch_dashboard: { dashboard_body: row("DashboardBody", document) },
};
