import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { unchanged, type Plans, type Resource } from "./noise.fixture.ts";

/** A provider's issue thread, an example of the noise it reports, and the expected class. */
export interface KnownPattern {
  thread: string;
  noiseClass: NoiseClass;
  plan: Plans;
}

function pattern(
  thread: string,
  noiseClass: NoiseClass,
  [type, before, after]: [string, JsonObject, JsonObject],
): KnownPattern {
  return { thread, noiseClass, plan: { changes: [{ type, before, after }] } };
}

const json = (value: Json): string => JSON.stringify(value);
const statement = (principals: Json, actions: Json): JsonObject => ({
  Effect: "Allow",
  Principal: { AWS: principals },
  Action: actions,
  Resource: "*",
});
const document = (...statements: Json[]): string => json({ Version: "2012-10-17", Statement: statements });
const [ONE, TWO] = ["arn:aws:iam::111111111111:role/one", "arn:aws:iam::222222222222:role/two"];
const [READ, WRITE] = ["s3:GetObject", "s3:PutObject"];
const AZURE_ID =
  "/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/main/providers/Microsoft.Network/x/y";
const lowered = AZURE_ID.replace("resourceGroups", "resourcegroups");

const containers = (...definitions: JsonObject[]): JsonObject => ({
  container_definitions: json(definitions),
});
const APP = { name: "app", image: "app:1" };
const variable = (name: string): JsonObject => ({ name, value: name.toLowerCase() });

const cluster = (pools: Json[]): JsonObject => ({ name: "main", node_pool: pools });

function poolPlan(): Plans {
  const pool = { name: "extra", node_count: 1 };
  const change: Resource = { type: "google_container_cluster", before: cluster([pool]), after: cluster([]) };
  return { changes: [change, unchanged("google_container_node_pool", { ...pool, cluster: "main" })] };
}

/** Our own examples for publicly reported noise, by thread. */
export const KNOWN_PATTERNS: readonly KnownPattern[] = [
  pattern("terraform-provider-aws/issues/21968", "json_policy_normalization", [
    "aws_iam_policy",
    { policy: document(statement(ONE, [READ, WRITE])) },
    { policy: document(statement(ONE, [WRITE, READ])) },
  ]),
  pattern("terraform-provider-aws/issues/11801", "json_policy_normalization", [
    "aws_kms_key",
    { policy: document(statement(ONE, READ), statement(TWO, WRITE)) },
    { policy: document(statement(TWO, WRITE), statement(ONE, READ)) },
  ]),
  pattern("terraform-provider-aws/issues/22274", "json_policy_normalization", [
    "aws_iam_role",
    { assume_role_policy: document(statement([ONE, TWO], READ)) },
    { assume_role_policy: document(statement([TWO, ONE], READ)) },
  ]),
  pattern("terraform-provider-aws/issues/32567", "json_policy_normalization", [
    "aws_iam_policy",
    { policy: json({ Version: "2012-10-17", Statement: [] }) },
    { policy: json({ Statement: [], Version: "2012-10-17" }) },
  ]),
  pattern("terraform-provider-aws/issues/20107", "json_policy_normalization", [
    "aws_s3_bucket",
    { policy: document(statement([ONE, TWO], [READ, WRITE])) },
    { policy: document(statement([TWO, ONE], [WRITE, READ])) },
  ]),
  pattern("terraform-provider-aws/pull/13813", "json_policy_normalization", [
    "aws_sqs_queue_policy",
    { policy: document(statement(ONE, [READ])) },
    { policy: document(statement([ONE], READ)) },
  ]),
  pattern("terraform/pull/6956", "json_policy_normalization", [
    "aws_iam_policy",
    { policy: document({ ...statement(ONE, [READ]), Sid: "" }) },
    { policy: document(statement(ONE, READ)) },
  ]),
  pattern("terraform-provider-aws/pull/36029", "json_policy_normalization", [
    "aws_ecs_task_definition",
    containers(APP, { name: "side" }),
    containers({ name: "side" }, APP),
  ]),
  pattern("terraform-provider-aws/pull/46132", "json_policy_normalization", [
    "aws_ecs_task_definition",
    containers(APP),
    containers({ ...APP, mountPoints: [], volumesFrom: [], systemControls: [] }),
  ]),
  pattern("terraform-provider-aws/issues/3035", "json_policy_normalization", [
    "aws_ecs_task_definition",
    containers({ ...APP, environment: [variable("A"), variable("B")] }),
    containers({ ...APP, environment: [variable("B"), variable("A")] }),
  ]),
  pattern("terraform/issues/17737", "json_policy_normalization", [
    "aws_ecs_task_definition",
    containers({ ...APP, portMappings: [{ containerPort: 80 }] }),
    containers({ ...APP, portMappings: [{ containerPort: 80, hostPort: 0, protocol: "tcp" }] }),
  ]),
  pattern("terraform/issues/23780", "json_policy_normalization", [
    "aws_ecs_task_definition",
    containers({ ...APP, mountPoints: [{ sourceVolume: "v", containerPath: "/v" }] }),
    containers({ ...APP, mountPoints: [{ containerPath: "/v", sourceVolume: "v", readOnly: false }] }),
  ]),
  pattern("terraform-provider-aws/issues/10387", "json_policy_normalization", [
    "aws_ecs_task_definition",
    containers({ ...APP, cpu: 0, essential: true }),
    containers(APP),
  ]),
  pattern("terraform-provider-aws/issues/18311", "tags_all_default_tags", [
    "aws_vpc",
    { tags: {}, tags_all: { team: "a" } },
    { tags: { team: "a" }, tags_all: { team: "a" } },
  ]),
  {
    thread: "terraform-provider-aws/pull/19006",
    noiseClass: "tags_all_default_tags",
    plan: {
      changes: [{ type: "aws_subnet", before: { tags_all: {} }, after: {}, unknown: { tags_all: true } }],
    },
  },
  pattern("terraform-provider-aws/pull/20207", "equivalent_value", [
    "aws_db_instance",
    { engine_version: "5.7.33" },
    { engine_version: "5.7" },
  ]),
  pattern("terraform-provider-aws/issues/7018", "equivalent_value", [
    "aws_db_instance",
    { engine_version: "10.6" },
    { engine_version: "10" },
  ]),
  pattern("terraform-provider-aws/pull/17059", "equivalent_value", [
    "aws_rds_cluster_instance",
    { engine_version: "5.7.mysql_aurora.2.07.2" },
    { engine_version: "5.7.mysql_aurora" },
  ]),
  pattern("terraform-provider-google/issues/11268", "default_materialized", [
    "google_compute_router",
    { bgp: [{ asn: 64_512, keepalive_interval: 20 }] },
    { bgp: [{ asn: 64_512, keepalive_interval: null }] },
  ]),
  { thread: "terraform-provider-google/issues/408", noiseClass: "inline_vs_standalone", plan: poolPlan() },
  { thread: "terraform-provider-google/issues/2115", noiseClass: "inline_vs_standalone", plan: poolPlan() },
  { thread: "terraform-provider-google/issues/3107", noiseClass: "inline_vs_standalone", plan: poolPlan() },
  pattern("terraform-provider-google/issues/6889", "autoscaler_owned", [
    "google_container_node_pool",
    { initial_node_count: 4, autoscaling: [{ max_node_count: 9 }] },
    { initial_node_count: 1, autoscaling: [{ max_node_count: 9 }] },
  ]),
  pattern("terraform-provider-google/issues/7979", "json_policy_normalization", [
    "google_bigquery_table",
    { schema: json([{ name: "a", type: "STRING", mode: "NULLABLE" }]) },
    { schema: json([{ name: "a", type: "STRING" }]) },
  ]),
  pattern("terraform-provider-google/issues/19323", "external_tags", [
    "google_storage_bucket",
    { labels: { "goog-terraform-provisioned": "true" } },
    { labels: {} },
  ]),
  pattern("terraform-provider-azurerm/issues/21085", "case_change", [
    "azurerm_subnet_route_table_association",
    { route_table_id: lowered },
    { route_table_id: AZURE_ID },
  ]),
  pattern("terraform-provider-azurerm/issues/29841", "case_change", [
    "azurerm_network_security_rule",
    { access: "allow" },
    { access: "Allow" },
  ]),
  pattern("terraform-provider-azurerm/issues/32031", "case_change", [
    "azurerm_role_assignment",
    { scope: lowered },
    { scope: AZURE_ID },
  ]),
  pattern("terraform-provider-azurerm/pull/22070", "case_change", [
    "azurerm_network_interface_security_group_association",
    { network_security_group_id: lowered },
    { network_security_group_id: AZURE_ID },
  ]),
];

/** Threads whose noise looks like a deliberate change in a single plan, and why. */
export const NOT_DETECTED: Readonly<Record<string, string>> = {
  "terraform-provider-aws/issues/22314": "a principal does change, and with it the document",
  "terraform-provider-aws/issues/14052": "a variable does change, and with it the document",
  "terraform-provider-aws/issues/19204": "the provider refuses to plan",
  "pulumi/pulumi-aws/issues/2666": "tags that are to be removed are in no table of owners",
  "terraform-provider-aws/issues/1111": "fewer zones may be meant, and replace the cluster",
  "terraform-provider-aws/issues/25480": "fewer zones may be meant, and replace the cluster",
  "terraform-aws-modules/terraform-aws-rds-aurora/issues/446":
    "fewer zones may be meant, and replace the cluster",
  "terraform/issues/15715": "fewer zones may be meant, and replace the cluster",
  "terraform-aws-modules/terraform-aws-rds-aurora/pull/10":
    "fewer zones may be meant, and replace the cluster",
  "GoogleCloudPlatform/cloud-foundation-fabric/issues/1176":
    "an empty block may mean something that none doesn't",
  "terraform-provider-google/issues/23189": "what is in the perimeter but not declared may be unwanted",
  "terraform-provider-google/issues/3208": "no attribute is named",
  "terraform-provider-google/issues/4250": "no attribute is named",
  "terraform-provider-google/issues/5587": "controllers act upon annotations",
  "terraform-provider-azurerm/issues/10388": "a category that is left out may be wanted off",
  "terraform-provider-azurerm/issues/2466": "a block that is left out may be wanted so",
  "terraform-provider-azurerm/issues/6676": "a value that isn't read back shows as one that is set",
  "terraform-provider-azurerm/issues/5095": "a value that isn't read back shows as one that is set",
  "terraform-provider-azurerm/issues/16257": "a value that isn't read back shows as one that is set",
  "terraform-provider-azurerm/issues/8902": "no attribute is named",
};
