import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { driftOf } from "../../drift-of.ts";

type Case = [type: string, declared: JsonObject, live: JsonObject, changes: [path: string, after: unknown][]];

const allow = (Principal: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal, Action: "ecr:BatchGetImage" }],
});
const keep = (countNumber: number) => ({ rules: [{ rulePriority: 1, selection: { countNumber } }] });

const ON_DEMAND = { shard_count: null, stream_mode_details: [{ stream_mode: "ON_DEMAND" }] };
const PROVISIONED = { shard_count: 2, stream_mode_details: [{ stream_mode: "PROVISIONED" }] };
const FLOWS = "arn:aws:logs:eu-west-1:111111111111:log-group:flows";

/** Resources in the state and in the cloud, with their differences. */
const CASES: Case[] = [
  ["aws_kinesis_stream", ON_DEMAND, { ShardCount: 4, StreamModeDetails: { StreamMode: "ON_DEMAND" } }, []],
  ["aws_kinesis_stream", ON_DEMAND, { ShardCount: 4 }, []],
  [
    "aws_kinesis_stream",
    PROVISIONED,
    { ShardCount: 4, StreamModeDetails: { StreamMode: "ON_DEMAND" } },
    [["stream_mode_details.0.stream_mode", "ON_DEMAND"]],
  ],
  [
    "aws_kinesis_stream",
    ON_DEMAND,
    { ShardCount: 4, StreamModeDetails: { StreamMode: "PROVISIONED" } },
    [
      ["shard_count", 4],
      ["stream_mode_details.0.stream_mode", "PROVISIONED"],
    ],
  ],
  ["aws_kinesis_stream", PROVISIONED, { ShardCount: 4 }, [["shard_count", 4]]],
  ["aws_internet_gateway", { vpc_id: "vpc-1" }, { attachments: [] }, [["vpc_id", ""]]],
  ["aws_internet_gateway", { vpc_id: "vpc-1" }, { InternetGatewayId: "igw-1" }, []],
  ["aws_internet_gateway", { vpc_id: "" }, { attachments: [] }, []],
  // A separate resource may declare the attachment.
  ["aws_internet_gateway", { vpc_id: "" }, { attachments: [{ state: "available", vpcId: "vpc-1" }] }, []],
  ["aws_flow_log", { log_destination: FLOWS }, { LogDestination: `${FLOWS}:*` }, []],
  ["aws_flow_log", { log_destination: `${FLOWS}:*` }, { LogDestination: FLOWS }, []],
  [
    "aws_flow_log",
    { log_destination: FLOWS },
    { LogDestination: `${FLOWS}-2:*` },
    [["log_destination", `${FLOWS}-2:*`]],
  ],
  [
    "aws_db_instance",
    { max_allocated_storage: 100 },
    { DBParameterGroupName: "app", AllocatedStorage: "20" },
    [["max_allocated_storage", 0]],
  ],
  ["aws_db_instance", { max_allocated_storage: 0 }, { DBParameterGroupName: "app" }, []],
  ["aws_db_instance", { max_allocated_storage: 100 }, { AllocatedStorage: "20" }, []],
  [
    "aws_db_instance",
    { max_allocated_storage: 100 },
    { DBParameterGroupName: "app", MaxAllocatedStorage: 100 },
    [],
  ],
  [
    "aws_ecr_lifecycle_policy",
    { policy: JSON.stringify(keep(30)) },
    { LifecyclePolicy: { LifecyclePolicyText: JSON.stringify(keep(1)) } },
    [["policy", JSON.stringify(keep(1))]],
  ],
  [
    "aws_ecs_cluster",
    { setting: [{ name: "containerInsights", value: "enabled" }] },
    { ClusterSettings: [{ Name: "containerInsights", Value: "disabled" }] },
    [["setting.0.value", "disabled"]],
  ],
  [
    "aws_ecs_cluster",
    { setting: [{ name: "containerInsights", value: "disabled" }] },
    { ClusterSettings: [] },
    [],
  ],
  [
    "aws_db_parameter_group",
    {
      parameter: [
        { name: "rds.force_ssl", value: "1", apply_method: "immediate" },
        { name: "log_statement", value: "ddl", apply_method: "immediate" },
        { name: "max_connections", value: "100", apply_method: "pending-reboot" },
      ],
    },
    { Parameters: { log_statement: "ddl", "rds.force_ssl": 0, work_mem: "64" } },
    [
      ["parameter.0.value", "0"],
      ["parameter.3", { name: "work_mem", value: "64" }],
    ],
  ],
  [
    "aws_rds_cluster_parameter_group",
    { parameter: [{ name: "require_secure_transport", value: "ON", apply_method: "immediate" }] },
    { Parameters: { require_secure_transport: "ON" } },
    [],
  ],
  [
    "aws_elasticache_parameter_group",
    {
      parameter: [
        { name: "maxmemory-policy", value: "noeviction" },
        { name: "timeout", value: "0" },
      ],
    },
    { Properties: { "maxmemory-policy": "allkeys-lru", timeout: "0", "cluster-enabled": "no" } },
    [["parameter.0.value", "allkeys-lru"]],
  ],
  ["aws_rds_cluster_parameter_group", { parameter: [] }, { DBClusterParameterGroupName: "main" }, []],
  ["aws_eks_addon", { addon_version: "v1.1" }, { AddonVersion: "v1.2" }, [["addon_version", "v1.2"]]],
  [
    "aws_db_subnet_group",
    { description: "Managed by Terraform", subnet_ids: ["subnet-a", "subnet-b"] },
    { DBSubnetGroupDescription: "Managed by Terraform", SubnetIds: ["subnet-b", "subnet-a"] },
    [],
  ],
  [
    "aws_elasticache_subnet_group",
    { subnet_ids: ["subnet-a"] },
    { SubnetIds: ["subnet-b"] },
    [["subnet_ids.0", "subnet-b"]],
  ],
  [
    "aws_glue_job",
    {
      role_arn: "arn:aws:iam::111111111111:role/jobs/x",
      command: [{ script_location: "s3://a" }],
      timeout: 60,
    },
    { Role: "x", Command: { ScriptLocation: "s3://b" }, Timeout: 60 },
    [["command.0.script_location", "s3://b"]],
  ],
  [
    "aws_efs_backup_policy",
    { backup_policy: [{ status: "ENABLED" }] },
    { BackupPolicy: { Status: "DISABLED" } },
    [["backup_policy.0.status", "DISABLED"]],
  ],
  [
    "aws_apigatewayv2_stage",
    { auto_deploy: true, stage_variables: {} },
    { AutoDeploy: false, StageVariables: { myVariable: "1" } },
    [
      ["auto_deploy", false],
      ["stage_variables.myVariable", "1"],
    ],
  ],
  [
    "aws_api_gateway_stage",
    { variables: null, xray_tracing_enabled: true, access_log_settings: [{ destination_arn: "arn:logs" }] },
    { Variables: {}, TracingEnabled: false, AccessLogSetting: { DestinationArn: "arn:logs" } },
    [["xray_tracing_enabled", false]],
  ],
  [
    "aws_scheduler_schedule",
    { state: "ENABLED", target: [{ arn: "a", role_arn: "r" }] },
    { State: "DISABLED", Target: { Arn: "b", RoleArn: "r" } },
    [
      ["state", "DISABLED"],
      ["target.0.arn", "b"],
    ],
  ],
];

function driftIn(type: string, declared: JsonObject, properties: JsonObject) {
  return driftOf({ type, address: `${type}.main`, declared, live: { properties } }, { profile: "standard" });
}

describe("a difference is reported", () => {
  test.each(CASES)("%s %j", (type, declared, live, changes) => {
    const { drift } = driftIn(type, declared, live);
    const found = (drift?.attribute_changes ?? []).map(({ path, after }) => [path.join("."), after]);
    expect(found).toEqual(changes);
  });
});

/** Returns the drift of a parameter group whose only parameter was removed. */
function unset(type: string, family: string, ...[name, value]: [string, string]) {
  const declared = { family, parameter: [{ name, value, apply_method: "immediate" }] };
  const { drift } = driftIn(type, declared, { Family: family, Parameters: {} });
  return (
    drift && [
      drift.attribute_changes.map(({ path, after }) => [path.join("."), after]),
      drift.risk_flags.map(({ rule }) => rule),
    ]
  );
}

describe("a parameter reset to its default", () => {
  test.each([
    ["aws_db_parameter_group", "postgres14", "rds.force_ssl", "1", "0", "R13"],
    ["aws_rds_cluster_parameter_group", "aurora-mysql8.0", "require_secure_transport", "ON", "OFF", "R13"],
    ["aws_db_parameter_group", "postgres16", "log_connections", "1", "0", "R14"],
  ])("is reported for %s of %s, where %s defaults to off", (type, family, ...[name, value, off, rule]) => {
    expect(unset(type, family, name, value)).toEqual([[["parameter.0.value", off]], [rule]]);
  });

  test.each([
    ["postgres16", "rds.force_ssl", "1"],
    ["mysql8.4", "require_secure_transport", "1"],
    ["postgres14", "max_connections", "100"],
    ["postgres14", "rds.force_ssl", "0"],
  ])("may be unchanged: %s with %s set to %s", (family, name, value) => {
    expect(unset("aws_db_parameter_group", family, name, value)).toBeUndefined();
  });
});

test.each([
  ["aws_ecr_repository_policy", "RepositoryPolicyText"],
  ["aws_efs_file_system_policy", "FileSystemPolicy"],
  ["aws_backup_vault_policy", "AccessPolicy"],
])("a policy that allows everyone is reported as R10: %s", (type, member) => {
  const declared = { policy: JSON.stringify(allow("arn:aws:iam::111111111111:root")) };
  expect(
    driftIn(type, declared, { [member]: allow("arn:aws:iam::111111111111:root") }).drift,
  ).toBeUndefined();
  const { drift } = driftIn(type, declared, { [member]: allow("*") });
  expect(drift?.risk_flags.map(({ rule }) => rule)).toContain("R10");
});
