import { isObject, type JsonObject, members, text } from "@leeway/shared/values/json";

import type { KnownDocument } from "../cloud.ts";

/** Documents that are pushed by mistake instead of a listing, most specific first. */
export const knownDocuments: readonly KnownDocument[] = [
  {
    name: "AWS Config query results without resourceType and resourceId (select these and arn)",
    matches: (value) => has(value, "Results") && has(value, "QueryInfo"),
  },
  {
    name: "a CloudFormation template",
    matches: (value) =>
      has(value, "AWSTemplateFormatVersion") ||
      has(value, "TemplateBody") ||
      (isObject(value["Resources"]) && Object.values(value["Resources"]).some(isTemplateResource)),
  },
  {
    name: "CloudFormation stack resources (these are declared: push them to an IaC source)",
    matches: any("StackResources", "StackResourceSummaries", "StackResourceDetail"),
  },
  {
    name: "CloudFormation drift results",
    matches: any("StackResourceDrifts", "StackResourceDrift", "StackDriftDetectionId"),
  },
  {
    name: "a CloudFormation resource scan without ARNs (list the resources with Resource Explorer)",
    matches: (value) =>
      has(value, "RelatedResources") ||
      isObject(value["ResourceIdentifier"]) ||
      members(value, "Resources").some((resource) => isObject(resource["ResourceIdentifier"])),
  },
  {
    name: "another CloudFormation response (events, change sets, exports or refactors)",
    matches: any("StackEvents", "Changes", "Exports", "StackRefactorActions"),
  },
  {
    name: "a list of CloudFormation stacks without their resources",
    matches: any("Stacks", "StackSummaries", "Summaries", "StackId"),
  },
  {
    name: "AWS Config compliance results",
    matches: any(
      "ComplianceByResources",
      "ComplianceByConfigRules",
      "ComplianceSummary",
      "ComplianceSummariesByResourceType",
      "EvaluationResults",
    ),
  },
  {
    name: "settings of AWS Config without recorded resources",
    matches: any(
      "ConfigRules",
      "ConfigRulesEvaluationStatus",
      "ConfigurationRecorders",
      "ConfigurationRecordersStatus",
      "DeliveryChannels",
      "DeliveryChannelsStatus",
    ),
  },
  {
    name: "settings of Resource Explorer (run `search` or `list-resources`)",
    matches: (value) =>
      any("View", "Views", "Indexes", "ResourceTypes")(value) ||
      (text(value, "Arn")?.includes(":resource-explorer-2:") === true && !has(value, "ResourceType")),
  },
  {
    name: "tag keys or values without resources (run `get-resources`)",
    matches: (value) => any("TagKeys", "TagValues")(value) || (has(value, "Arn") && isObject(value["Tags"])),
  },
  {
    name: "resource groups or their queries without resources (run `list-group-resources`)",
    matches: (value) =>
      any("GroupIdentifiers", "Groups", "GroupQuery")(value) ||
      (text(value, "Type")?.startsWith("TAG_FILTERS") === true && has(value, "Query")),
  },
  {
    name: "the progress of a Cloud Control request",
    matches: any("ProgressEvent", "ResourceRequestStatusSummaries"),
  },
  {
    name: "a describe or list response of one AWS service (list all services with Resource Explorer or AWS Config)",
    matches: any(
      "Reservations",
      "Vpcs",
      "Subnets",
      "SecurityGroups",
      "Volumes",
      "Snapshots",
      "Buckets",
      "DBInstances",
      "DBClusters",
      "Functions",
      "Roles",
      "Users",
      "Policies",
      "LoadBalancers",
      "TargetGroups",
      "AutoScalingGroups",
      "QueueUrls",
      "Topics",
      "TableNames",
      "HostedZones",
      "clusterArns",
      "logGroups",
    ),
  },
];

function has(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name);
}

function any(...names: readonly string[]): (value: JsonObject) => boolean {
  return (value) => names.some((name) => has(value, name));
}

function isTemplateResource(resource: unknown): boolean {
  return isObject(resource) && /^(?:AWS|Custom|Alexa)::/.test(text(resource, "Type") ?? "");
}
