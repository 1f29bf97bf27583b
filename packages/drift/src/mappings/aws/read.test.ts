import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import { AWS_GOVERNANCE } from "./governance.ts";
import { AWS_NETWORK } from "./network.ts";

/** A type in the state, the same as read by Cloud Control, and one attribute changed by hand. */
type Case = [type: string, declared: JsonObject, live: JsonObject, path: string, changed: JsonObject];

const policy = (Effect: string) => ({ Version: "2012-10-17", Statement: [{ Effect, Action: "s3:*" }] });

const CASES: Case[] = [
  [
    "aws_config_configuration_recorder",
    {
      role_arn: "arn:aws:iam::123456789012:role/config",
      recording_group: [{ all_supported: true, include_global_resource_types: true, resource_types: [] }],
    },
    {
      RoleARN: "arn:aws:iam::123456789012:role/config",
      RecordingGroup: { AllSupported: true, IncludeGlobalResourceTypes: true, ResourceTypes: [] },
    },
    "recording_group.0.all_supported",
    { RecordingGroup: { AllSupported: false, IncludeGlobalResourceTypes: true } },
  ],
  [
    "aws_config_config_rule",
    {
      description: "no public buckets",
      input_parameters: '{"maxAccessKeyAge":"90"}',
      source: [{ owner: "AWS", source_identifier: "ACCESS_KEYS_ROTATED" }],
    },
    {
      Description: "no public buckets",
      InputParameters: { maxAccessKeyAge: "90" },
      Source: { Owner: "AWS", SourceIdentifier: "ACCESS_KEYS_ROTATED" },
    },
    "input_parameters",
    { InputParameters: { maxAccessKeyAge: "900" } },
  ],
  [
    "aws_organizations_policy",
    { name: "guard", type: "SERVICE_CONTROL_POLICY", content: JSON.stringify(policy("Deny")) },
    { Name: "guard", Type: "SERVICE_CONTROL_POLICY", Content: policy("Deny") },
    "content",
    { Content: policy("Allow") },
  ],
  [
    "aws_ram_resource_share",
    { name: "subnets", allow_external_principals: false },
    { Name: "subnets", AllowExternalPrincipals: false },
    "allow_external_principals",
    { AllowExternalPrincipals: true },
  ],
  [
    "aws_cognito_identity_pool",
    { identity_pool_name: "shop", allow_unauthenticated_identities: false, saml_provider_arns: [] },
    { IdentityPoolName: "shop", AllowUnauthenticatedIdentities: false, SamlProviderARNs: [] },
    "allow_unauthenticated_identities",
    { AllowUnauthenticatedIdentities: true },
  ],
  [
    "aws_s3_access_point",
    {
      bucket: "shop-logs",
      public_access_block_configuration: [{ block_public_acls: true, restrict_public_buckets: true }],
    },
    {
      Bucket: "shop-logs",
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
    },
    "public_access_block_configuration.0.restrict_public_buckets",
    { PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: false } },
  ],
  [
    "aws_ssm_parameter",
    { type: "SecureString", tier: "Standard", description: "" },
    { Type: "SecureString", Tier: "Standard" },
    "type",
    { Type: "String" },
  ],
  [
    "aws_ssoadmin_permission_set",
    { name: "Admins", session_duration: "PT1H", relay_state: "" },
    { Name: "Admins", SessionDuration: "PT1H" },
    "session_duration",
    { SessionDuration: "PT12H" },
  ],
  [
    "aws_cloudwatch_composite_alarm",
    { alarm_rule: "ALARM(a)", actions_enabled: true, ok_actions: [], alarm_actions: ["arn:a", "arn:b"] },
    { AlarmRule: "ALARM(a)", ActionsEnabled: true, OKActions: [], AlarmActions: ["arn:b", "arn:a"] },
    "actions_enabled",
    { ActionsEnabled: false },
  ],
  [
    "aws_cloudwatch_dashboard",
    { dashboard_body: '{"widgets":[]}' },
    { DashboardBody: '{ "widgets": [] }' },
    "dashboard_body",
    { DashboardBody: '{"widgets":[{}]}' },
  ],
  [
    "aws_default_subnet",
    { vpc_id: "vpc-1", map_public_ip_on_launch: false },
    { VpcId: "vpc-1", MapPublicIpOnLaunch: false },
    "map_public_ip_on_launch",
    { MapPublicIpOnLaunch: true },
  ],
  [
    "aws_internet_gateway",
    { vpc_id: "vpc-1" },
    { attachments: [{ state: "available", vpcId: "vpc-1" }] },
    "vpc_id",
    { attachments: [{ state: "available", vpcId: "vpc-2" }] },
  ],
  [
    "aws_vpc_endpoint_service",
    { acceptance_required: true, network_load_balancer_arns: ["arn:b", "arn:a"] },
    { AcceptanceRequired: true, NetworkLoadBalancerArns: ["arn:a", "arn:b"] },
    "acceptance_required",
    { AcceptanceRequired: false },
  ],
  [
    "aws_vpn_connection",
    { type: "ipsec.1", static_routes_only: false },
    { Type: "ipsec.1", StaticRoutesOnly: false },
    "static_routes_only",
    { StaticRoutesOnly: true },
  ],
  [
    "aws_customer_gateway",
    { bgp_asn: "65000", ip_address: "192.0.2.1" },
    { BgpAsn: 65000, IpAddress: "192.0.2.1" },
    "ip_address",
    { IpAddress: "192.0.2.9" },
  ],
  [
    "aws_ec2_transit_gateway_vpc_attachment",
    { subnet_ids: ["subnet-1"], dns_support: "enable", appliance_mode_support: "disable" },
    { SubnetIds: ["subnet-1"], Options: { DnsSupport: "enable", ApplianceModeSupport: "disable" } },
    "appliance_mode_support",
    { Options: { ApplianceModeSupport: "enable" } },
  ],
  [
    "aws_networkfirewall_firewall",
    { delete_protection: true, subnet_change_protection: false },
    { DeleteProtection: true, SubnetChangeProtection: false },
    "delete_protection",
    { DeleteProtection: false },
  ],
  [
    "aws_networkfirewall_firewall_policy",
    { firewall_policy: [{ stateless_default_actions: ["aws:forward_to_sfe"] }] },
    { FirewallPolicy: { StatelessDefaultActions: ["aws:forward_to_sfe"] } },
    "firewall_policy.0.stateless_default_actions.0",
    { FirewallPolicy: { StatelessDefaultActions: ["aws:pass"] } },
  ],
  [
    "aws_route53_health_check",
    { fqdn: "example.com", port: 443, type: "HTTPS", failure_threshold: 3, invert_healthcheck: false },
    {
      HealthCheckConfig: {
        FullyQualifiedDomainName: "example.com",
        Port: 443,
        Type: "HTTPS",
        FailureThreshold: 3,
        Inverted: false,
      },
    },
    "failure_threshold",
    { HealthCheckConfig: { FailureThreshold: 10 } },
  ],
  [
    "aws_athena_workgroup",
    {
      state: "ENABLED",
      configuration: [
        {
          enforce_workgroup_configuration: true,
          result_configuration: [{ output_location: "s3://results/" }],
        },
      ],
    },
    {
      State: "ENABLED",
      WorkGroupConfiguration: {
        EnforceWorkGroupConfiguration: true,
        ResultConfiguration: { OutputLocation: "s3://results/" },
      },
    },
    "configuration.0.result_configuration.0.output_location",
    {
      WorkGroupConfiguration: {
        EnforceWorkGroupConfiguration: true,
        ResultConfiguration: { OutputLocation: "s3://elsewhere/" },
      },
    },
  ],
  [
    "aws_kinesis_firehose_delivery_stream",
    { extended_s3_configuration: [{ bucket_arn: "arn:aws:s3:::logs", buffering_size: 5 }] },
    {
      ExtendedS3DestinationConfiguration: {
        BucketARN: "arn:aws:s3:::logs",
        BufferingHints: { SizeInMBs: 5 },
      },
    },
    "extended_s3_configuration.0.bucket_arn",
    { ExtendedS3DestinationConfiguration: { BucketARN: "arn:aws:s3:::elsewhere" } },
  ],
  [
    "aws_timestreamwrite_table",
    { retention_properties: [{ magnetic_store_retention_period_in_days: 365 }] },
    { RetentionProperties: { MagneticStoreRetentionPeriodInDays: "365" } },
    "retention_properties.0.magnetic_store_retention_period_in_days",
    { RetentionProperties: { MagneticStoreRetentionPeriodInDays: "1" } },
  ],
  [
    "aws_transfer_server",
    { endpoint_type: "VPC", protocols: ["SFTP"], security_policy_name: "TransferSecurityPolicy-2024-01" },
    { EndpointType: "VPC", Protocols: ["SFTP"], SecurityPolicyName: "TransferSecurityPolicy-2024-01" },
    "endpoint_type",
    { EndpointType: "PUBLIC" },
  ],
  [
    "aws_api_gateway_usage_plan",
    { name: "gold", quota_settings: [{ limit: 1000, offset: 0, period: "DAY" }], throttle_settings: [] },
    { UsagePlanName: "gold", Quota: { Limit: 1000, Offset: 0, Period: "DAY" } },
    "quota_settings.0.limit",
    { Quota: { Limit: 1_000_000, Period: "DAY" } },
  ],
  [
    "aws_apprunner_service",
    { network_configuration: [{ ingress_configuration: [{ is_publicly_accessible: false }] }] },
    { NetworkConfiguration: { IngressConfiguration: { IsPubliclyAccessible: false } } },
    "network_configuration.0.ingress_configuration.0.is_publicly_accessible",
    { NetworkConfiguration: { IngressConfiguration: { IsPubliclyAccessible: true } } },
  ],
  [
    "aws_batch_compute_environment",
    { state: "ENABLED", compute_resources: [{ max_vcpus: 16, min_vcpus: 0 }] },
    { State: "enabled", ComputeResources: { MaxvCpus: 16, MinvCpus: 0 } },
    "compute_resources.0.max_vcpus",
    { ComputeResources: { MaxvCpus: 256 } },
  ],
  [
    "aws_cloudfront_function",
    { runtime: "cloudfront-js-2.0", comment: "", code: "function handler(e) { return e.request }" },
    {
      FunctionConfig: { Runtime: "cloudfront-js-2.0", Comment: "" },
      FunctionCode: "function handler(e) { return e.request }",
    },
    "code",
    { FunctionCode: "function handler(e) { return null }" },
  ],
];

function changes(type: string, declared: JsonObject, properties: JsonObject): string[] {
  const compared = compareResource({ type, address: "x", declared, live: { properties } });
  expect(compared.checked).toBe(true);
  return compared.changes.map(({ path }) => path.join("."));
}

describe("Cloud Control properties", () => {
  test.each(CASES)("of %s are compared", (...one) => {
    const [type, declared, live, path, changed] = one;
    expect(changes(type, declared, live)).toEqual([]);
    expect(changes(type, declared, { ...live, ...changed })).toEqual([path]);
  });

  test.each([AWS_GOVERNANCE, AWS_NETWORK].flatMap((table) => Object.keys(table)))(
    "of %s report no change for missing values",
    (type) => {
      const live = { properties: { Arn: "x" } };
      const declared = { id: "x", description: "x", name: "x" };
      expect(compareResource({ type, address: "x", declared, live }).changes).toEqual([]);
    },
  );
});
