import { isObject } from "@leeway/shared/values/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { canonicalId, parseArn } from "./arn.ts";
import { idKey } from "./keys.ts";
import { field, objects, textField } from "./payload.ts";
import { forms, resolveType } from "./types.ts";

/** Canonical Terraform type and native id of an owner. */
type Owner = readonly [type: string, id: string | undefined];

/** Returns keys of the resource that created this one and whose declaration covers it; empty if unknown. */
export function ownerKeys(resource: ListedResource): MatchKey[] {
  const { terraform_type, provider_type, tags, parent_id } = resource;
  const find = OWNERS.get(resolveType(terraform_type ?? provider_type).key);
  const owners = tags === undefined ? [] : taggedOwners(tags);
  if (find) owners.push(...find(resource));
  const keys = owners.flatMap(([type, id]) => (id === undefined ? [] : idKey(type, id)));
  return parent_id === undefined ? keys : [...parentKeys(parent_id), ...keys];
}

/** Returns the keys of the parent that a row in Leeway's own format may name. */
function parentKeys(parent: string): MatchKey[] {
  const id = canonicalId(parent);
  const arn = parseArn(id);
  if (arn === undefined) return [];
  const recognized = forms.recognize(arn);
  const native =
    recognized && recognized.id !== "" ? [idKey(resolveType(recognized.entry.type).key, recognized.id)] : [];
  return [`2:${id}`, ...native];
}

const OWNER_TAGS: readonly (readonly [type: string, tag: string])[] = [
  ["aws_autoscaling_group", "aws:autoscaling:groupName"],
  ["aws_elastic_beanstalk_environment", "elasticbeanstalk:environment-name"],
  ["aws_elastic_beanstalk_environment", "elasticbeanstalk:environment-id"],
  ["aws_ec2_fleet", "aws:ec2:fleet-id"],
  ["aws_spot_fleet_request", "aws:ec2spot:fleet-request-id"],
  ["aws_emr_cluster", "aws:elasticmapreduce:job-flow-id"],
  ["aws_dlm_lifecycle_policy", "aws:dlm:lifecycle-policy-id"],
];

function taggedOwners(tags: Record<string, string>): Owner[] {
  const owners: Owner[] = [];
  for (const [type, tag] of OWNER_TAGS) if (tags[tag] !== undefined) owners.push([type, tags[tag]]);
  const cluster = tags["eks:cluster-name"];
  const nodeGroup = tags["eks:nodegroup-name"];
  if (cluster && nodeGroup) owners.push(["aws_eks_node_group", `${cluster}|${nodeGroup}`]);
  const ecsCluster = tags["aws:ecs:clusterName"];
  const ecsService = tags["aws:ecs:serviceName"];
  if (ecsCluster && ecsService) owners.push(["aws_ecs_service", `${ecsCluster}/${ecsService}`]);
  return owners;
}

const OWNERS = new Map<string, (resource: ListedResource) => Owner[]>([
  ["aws_ebs_volume", volumeOwners],
  ["aws_network_interface", interfaceOwners],
  [
    "aws_elasticache_cluster",
    ({ properties }) => [["aws_elasticache_replication_group", textField(properties, "ReplicationGroupId")]],
  ],
  ["aws_db_instance", (resource) => [["aws_rds_cluster", scaledSource(resource)]]],
  ["aws_db_snapshot", (resource) => [["aws_db_instance", automatedSource(resource, "DBInstanceIdentifier")]]],
  [
    "aws_db_cluster_snapshot",
    (resource) => [["aws_rds_cluster", automatedSource(resource, "DBClusterIdentifier")]],
  ],
  ["AWS::ECS::Task", taskOwners],
]);

/** Returns the instance of a volume that is deleted with it: created together. Other volumes were attached later. */
function volumeOwners({ properties }: ListedResource): Owner[] {
  return objects(properties, "Attachments")
    .filter((attachment) => field(attachment, "DeleteOnTermination") === true)
    .map((attachment) => ["aws_instance", textField(attachment, "InstanceId")]);
}

function interfaceOwners({ properties }: ListedResource): Owner[] {
  const attachment = field(properties, "Attachment");
  const primary = isObject(attachment) && field(attachment, "DeviceIndex") === 0;
  const instance =
    primary && field(attachment, "DeleteOnTermination") === true
      ? textField(attachment, "InstanceId")
      : undefined;
  const description = textField(properties, "Description") ?? "";
  const described = DESCRIBED_OWNERS.map(([type, pattern]): Owner => [type, pattern.exec(description)?.[1]]);
  return [["aws_instance", instance], ...described];
}

/** Descriptions that services give the network interfaces that they create. */
const DESCRIBED_OWNERS: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["aws_lb", /^ELB ((?:app|net|gwy)\/[^/]{1,32}\/[0-9a-f]{8,32})$/],
  ["aws_elb", /^ELB ([A-Za-z0-9-]{1,32})$/],
  ["aws_nat_gateway", /^Interface for NAT Gateway (nat-[0-9a-f]{8,17})$/],
  ["aws_vpc_endpoint", /^VPC Endpoint Interface (vpce-[0-9a-f]{8,17})$/],
  [
    "aws_ec2_transit_gateway_vpc_attachment",
    /^Network Interface for Transit Gateway Attachment (tgw-attach-[0-9a-f]{8,17})$/,
  ],
  ["aws_efs_mount_target", /^EFS mount target for fs-[0-9a-f]{8,40} \((fsmt-[0-9a-f]{8,40})\)$/],
  [
    "aws_lambda_function",
    /^AWS Lambda VPC ENI-([A-Za-z0-9_-]{1,64})-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  ],
  ["aws_eks_cluster", /^Amazon EKS ([A-Za-z0-9][A-Za-z0-9_-]{0,99})$/],
  ["aws_elasticache_cluster", /^ElastiCache ([a-z][a-z0-9-]{0,49})$/],
  [
    "aws_route53_resolver_endpoint",
    /^Route 53 Resolver: (rslvr-(?:in|out)-[0-9a-f]{1,17}):rni-[0-9a-f]{1,17}$/,
  ],
  ["aws_directory_service_directory", /^AWS created network interface for directory (d-[0-9a-f]{10})$/],
];

/** Returns the cluster of a reader that Application Auto Scaling added and named. */
function scaledSource({ provider_resource_id, properties }: ListedResource): string | undefined {
  return /(?:^|:)application-autoscaling-[0-9a-f-]{36}$/.test(provider_resource_id)
    ? namedMember(properties, "DBClusterIdentifier")
    : undefined;
}

/** Returns the database of an automated snapshot, from the payload or from a name that ends with the time. */
function automatedSource(
  { provider_resource_id, properties }: ListedResource,
  member: string,
): string | undefined {
  const named = /(?:^|:)rds:([a-z][a-z0-9-]{0,62})-\d{4}-\d\d-\d\d-\d\d-\d\d$/.exec(
    provider_resource_id,
  )?.[1];
  const automated = named !== undefined || /^automated$/i.test(textField(properties, "SnapshotType") ?? "");
  return automated ? (namedMember(properties, member) ?? named) : undefined;
}

// AWS Config spells the member `dBInstanceIdentifier` or `dbclusterIdentifier`.
function namedMember(properties: ListedResource["properties"], member: string): string | undefined {
  for (const name in properties) {
    const value = properties[name];
    if (name.toLowerCase() === member.toLowerCase() && typeof value === "string") return value;
  }
  return undefined;
}

function taskOwners({ provider_resource_id, properties }: ListedResource): Owner[] {
  const cluster = /:task\/([^/]{1,255})\/[^/]{1,64}$/.exec(provider_resource_id)?.[1];
  const service = /^service:([^:]{1,255})$/.exec(textField(properties, "Group") ?? "")?.[1];
  return [["aws_ecs_service", cluster && service && `${cluster}/${service}`]];
}
