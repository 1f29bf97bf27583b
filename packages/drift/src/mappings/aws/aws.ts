import { isObject, members, text, type Json } from "@leeway/shared/values/json";

import type { MappingTable, Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { besideParts, unlessPart } from "../../parts.ts";
import { securityGroupRules } from "../../security-group-rules.ts";
import { document, map, reference, references, row, same, sole, switched, unlessGone } from "../../shapes.ts";
import { AWS_ANALYTICS } from "./analytics.ts";
import { AWS_BUCKET } from "./bucket.ts";
import { AWS_CLOUDFRONT } from "./cloudfront.ts";
import { AWS_DATA, KMS_KEY } from "./data.ts";
import { AWS_DATABASES } from "./databases.ts";
import { AWS_DNS } from "./dns.ts";
import { AWS_GOVERNANCE } from "./governance.ts";
import { AWS_IAM } from "./iam.ts";
import { AWS_MANAGED } from "./managed.ts";
import { AWS_NETWORK } from "./network.ts";
import { AWS_SERVING } from "./serving.ts";
import { AWS_WAF } from "./waf.ts";

// Cloud Control omits an empty list. If the other list is there, the answer is complete.
const INGRESS = unlessGone(
  { ...row("IpPermissions | SecurityGroupIngress", securityGroupRules("ingress")), initial: [] },
  "SecurityGroupEgress",
);
const EGRESS = unlessGone(
  { ...row("IpPermissionsEgress | SecurityGroupEgress", securityGroupRules("egress")), initial: [] },
  "SecurityGroupIngress",
);
const POLICY_DOCUMENT = row("PolicyDocument", document);
const ALARM = "ComparisonOperator";
const TRAIL = "IsMultiRegionTrail";
// Member that only Cloud Control contains, which reads a function completely.
const FUNCTION = "SnapStartResponse";

/** Compares a repository's policy. Lambda adds one when a function uses an image in the repository. */
const repositoryPolicy: Shape = (live, declared) => {
  const statements = members(isObject(live) ? live : undefined, "Statement");
  const isByLambda = statements.every(({ Sid }) => Sid === "LambdaECRImageRetrievalPolicy");
  return statements.length > 0 && isByLambda ? declared : document(live, declared);
};

/** Compares dimensions, which AWS writes as a list and Terraform as a map. */
const dimensions: Shape = (live, declared) => {
  const named = members({ live }, "live").map((one): [string, Json] => [
    text(one, "name") ?? text(one, "Name") ?? "",
    one["value"] ?? one["Value"] ?? null,
  ]);
  return Array.isArray(live) ? map(Object.fromEntries(named), declared) : undefined;
};

/**
 * Paths in AWS Config and CloudFormation's resource types. Usually they differ only in case; otherwise both are given.
 */
export const AWS: MappingTable = {
  ...AWS_ANALYTICS,
  ...AWS_BUCKET,
  ...AWS_CLOUDFRONT,
  ...AWS_DATA,
  ...AWS_DATABASES,
  ...AWS_DNS,
  ...AWS_GOVERNANCE,
  ...AWS_IAM,
  ...AWS_MANAGED,
  ...AWS_NETWORK,
  ...AWS_SERVING,
  ...AWS_WAF,
  aws_instance: {
    ...same("instance_type key_name subnet_id ebs_optimized source_dest_check disable_api_termination"),
    ami: "ImageId",
    availability_zone: "AvailabilityZone | Placement.AvailabilityZone",
    monitoring: row("Monitoring.State | Monitoring", switched),
    iam_instance_profile: unlessGone(
      row("IamInstanceProfile.Arn | IamInstanceProfile", reference),
      "MetadataOptions",
    ),
    vpc_security_group_ids: row("SecurityGroups[].GroupId | SecurityGroupIds", references),
    ...same(
      "metadata_options.http_tokens metadata_options.http_endpoint metadata_options.http_put_response_hop_limit",
    ),
  },
  // Listings don't contain a version's content, and a version never changes.
  aws_launch_template: { default_version: "DefaultVersionNumber", latest_version: "LatestVersionNumber" },
  aws_key_pair: same("key_name key_type"),
  aws_security_group: {
    name: "GroupName",
    description: "GroupDescription | Description",
    vpc_id: "VpcId",
    ingress: INGRESS,
    egress: EGRESS,
  },
  aws_default_security_group: { vpc_id: "VpcId", ingress: INGRESS, egress: EGRESS },
  aws_vpc_endpoint: {
    ...same("service_name vpc_id vpc_endpoint_type private_dns_enabled"),
    policy: unlessPart("aws_vpc_endpoint_policy", POLICY_DOCUMENT),
    route_table_ids: besideParts(["route_table_id"], row("RouteTableIds", references)),
    subnet_ids: besideParts(["subnet_id"], row("SubnetIds", references)),
    security_group_ids: besideParts(
      ["security_group_id"],
      row("Groups[].GroupId | SecurityGroupIds", references),
    ),
  },
  aws_vpc_endpoint_policy: { policy: POLICY_DOCUMENT },
  aws_lambda_function: {
    ...same("runtime handler memory_size timeout role description package_type architectures"),
    // From AWS Config. Newer providers store the running code's hash in one
    // attribute, and the requested hash in the other.
    code_sha256: "CodeSha256",
    source_code_hash: row("CodeSha256", (live, declared, whole) =>
      text(whole.declared, "code_sha256") === undefined && declared ? mirrored(live, declared) : undefined,
    ),
    reserved_concurrent_executions: unlessGone(row("ReservedConcurrentExecutions"), FUNCTION, -1),
    layers: unlessGone(row("Layers[].Arn | Layers"), FUNCTION),
    kms_key_arn: unlessGone(row("KmsKeyArn | kmskeyArn"), FUNCTION),
    "environment.variables": unlessGone(row("Environment.Variables", map), FUNCTION),
    "vpc_config.subnet_ids": unlessGone(row("VpcConfig.SubnetIds"), FUNCTION),
    "vpc_config.security_group_ids": unlessGone(row("VpcConfig.SecurityGroupIds"), FUNCTION),
    "tracing_config.mode": "TracingConfig.Mode",
    "ephemeral_storage.size": "EphemeralStorage.Size",
    "dead_letter_config.target_arn": unlessGone(row("DeadLetterConfig.TargetArn"), FUNCTION),
  },
  aws_ecs_service: {
    ...same(
      "desired_count launch_type scheduling_strategy enable_execute_command health_check_grace_period_seconds",
    ),
    enable_ecs_managed_tags: "EnableECSManagedTags",
    cluster: row("Cluster | ClusterArn", reference),
    task_definition: row("TaskDefinition", reference),
    deployment_maximum_percent: "DeploymentConfiguration.MaximumPercent",
    deployment_minimum_healthy_percent: "DeploymentConfiguration.MinimumHealthyPercent",
    "network_configuration.subnets": "NetworkConfiguration.AwsvpcConfiguration.Subnets",
    "network_configuration.security_groups": "NetworkConfiguration.AwsvpcConfiguration.SecurityGroups",
    "network_configuration.assign_public_ip": row(
      "NetworkConfiguration.AwsvpcConfiguration.AssignPublicIp",
      switched,
    ),
  },
  // A cluster without settings uses the account's defaults.
  aws_ecs_cluster: {
    setting: row("ClusterSettings", (live, declared) =>
      Array.isArray(live) && live.length > 0 ? mirrored(live, declared) : undefined,
    ),
  },
  aws_ecs_task_definition: same(
    "family cpu memory network_mode requires_compatibilities execution_role_arn task_role_arn",
  ),
  aws_eks_cluster: {
    ...same("version role_arn deletion_protection access_config.authentication_mode"),
    // Configuration items recorded before AWS Config tracked EKS logging also lack the endpoint-access fields.
    enabled_cluster_log_types: unlessGone(
      row("Logging.ClusterLogging.EnabledTypes[].Type"),
      "ResourcesVpcConfig.EndpointPublicAccess",
    ),
    ...Object.fromEntries(
      [
        "endpoint_public_access",
        "endpoint_private_access",
        "public_access_cidrs",
        "subnet_ids",
        "security_group_ids",
      ].map((name) => [`vpc_config.${name}`, `ResourcesVpcConfig.${name}`]),
    ),
  },
  aws_eks_node_group: {
    ...same("instance_types disk_size ami_type capacity_type version labels"),
    node_role_arn: "NodeRole",
    subnet_ids: "Subnets",
    ...same(`scaling_config.desired_size scaling_config.min_size scaling_config.max_size launch_template.version
    release_version`),
    taint: "Taints",
  },
  aws_autoscaling_group: {
    ...same(`min_size max_size desired_capacity health_check_type health_check_grace_period
    max_instance_lifetime capacity_rebalance`),
    protect_from_scale_in: "NewInstancesProtectedFromScaleIn",
    launch_configuration: "LaunchConfigurationName",
    "launch_template.id": "LaunchTemplate.LaunchTemplateId",
    "launch_template.version": "LaunchTemplate.Version",
    vpc_zone_identifier: row("VPCZoneIdentifier | vpczoneIdentifier", references),
    target_group_arns: unlessGone(
      besideParts(["lb_target_group_arn", "alb_target_group_arn"], row("TargetGroupARNs", references)),
      "DefaultCooldown",
    ),
  },
  aws_cloudwatch_log_group: {
    ...same("log_group_class deletion_protection_enabled"),
    // Cloud Control includes the second member when it reads a group, but not when it lists it.
    retention_in_days: unlessGone(row("RetentionInDays"), "DataProtectionPolicy"),
    kms_key_id: unlessGone(KMS_KEY.kms_key_id, "DataProtectionPolicy"),
  },
  aws_cloudwatch_metric_alarm: {
    ...same(`threshold period evaluation_periods statistic comparison_operator metric_name namespace actions_enabled
    treat_missing_data datapoints_to_alarm alarm_description`),
    dimensions: row("Dimensions", dimensions),
    alarm_actions: unlessGone(row("AlarmActions"), ALARM),
    insufficient_data_actions: unlessGone(row("InsufficientDataActions"), ALARM),
    ok_actions: unlessGone(row("OKActions | okactions"), ALARM),
  },
  aws_cloudwatch_event_rule: {
    ...same("description schedule_expression role_arn state"),
    is_enabled: row("State", switched),
    event_pattern: row("EventPattern", document),
  },
  aws_ecr_repository: {
    ...same("image_tag_mutability image_scanning_configuration.scan_on_push"),
    policy: {
      ...unlessPart("aws_ecr_repository_policy", row("RepositoryPolicyText", repositoryPolicy)),
      unstated: "",
    },
  },
  aws_ecr_repository_policy: { policy: row("RepositoryPolicyText", document) },
  aws_ecr_lifecycle_policy: { policy: row("LifecyclePolicy.LifecyclePolicyText", document) },
  aws_cloudtrail: {
    ...same("is_multi_region_trail include_global_service_events s3_bucket_name is_organization_trail"),
    ...same("s3_key_prefix cloud_watch_logs_role_arn"),
    cloud_watch_logs_group_arn: unlessGone(row("CloudWatchLogsLogGroupArn"), TRAIL),
    enable_log_file_validation: "LogFileValidationEnabled | EnableLogFileValidation",
    enable_logging: "IsLogging",
    kms_key_id: unlessGone(row("KmsKeyId | KMSKeyId", reference), TRAIL),
    "event_selector.include_management_events": row(
      "EventSelectors[].IncludeManagementEvents",
      sole(mirrored),
    ),
    "event_selector.read_write_type": row("EventSelectors[].ReadWriteType", sole(mirrored)),
  },
  aws_codebuild_project: {
    ...same(`encryption_key environment.image environment.privileged_mode source.location source.type`),
    "source.buildspec": "Source.BuildSpec",
    project_visibility: "Visibility",
    service_role: row("ServiceRole", reference),
  },
  aws_guardduty_detector: same("enable finding_publishing_frequency"),
  aws_sfn_state_machine: {
    role_arn: "RoleArn",
    type: "StateMachineType",
    definition: row("DefinitionString", document),
    "logging_configuration.level": "LoggingConfiguration.Level",
  },
};
