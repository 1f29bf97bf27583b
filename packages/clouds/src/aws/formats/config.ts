import { isObject, type Json, type JsonObject, text } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { nextIn } from "../../goes-on.ts";
import { listed, type Row, tagsOf } from "../listed.ts";
import { field, parseObject } from "../payload.ts";

/** `aws configservice get-resource-config-history`, and the files of a configuration snapshot. */
export const configurationItems: ListingFormat = {
  name: "AWS Config configuration items",
  rows: ["configurationItems"],
  someTypes: true, // only types that Config supports and its recorder is set to record
  read: (row) => readItem(row),
};

/** `aws configservice batch-get-resource-config`. */
export const baseConfigurationItems: ListingFormat = {
  name: "AWS Config batch-get-resource-config",
  rows: ["baseConfigurationItems"],
  pageType: () => undefined,
  read: (row) => readItem(row),
};

/** One configuration item per line. */
export const configurationItem: ListingFormat = {
  name: "AWS Config configuration item",
  rows: [],
  someTypes: true,
  read: (row) => (isObject(row) && isItem(row) ? readItem(row) : null),
};

/** `aws configservice select-resource-config`: each result is JSON as text, with the selected fields. */
export const selectedResources: ListingFormat = {
  name: "AWS Config select-resource-config",
  rows: ["Results"],
  someTypes: true,
  goesOn: nextIn("NextToken"),
  read(row) {
    const selected = typeof row === "string" ? parseObject(row) : undefined;
    return selected === undefined ? null : readItem(selected, false);
  },
};

/** `aws configservice list-discovered-resources`. */
export const discoveredResources: ListingFormat = {
  name: "AWS Config list-discovered-resources",
  rows: ["resourceIdentifiers"],
  goesOn: nextIn("nextToken"),
  pageType: () => undefined,
  read: (row) => readItem(row, false),
};

/**
 * Types that Config and CloudFormation name differently. Some of Config's names mean another type in CloudFormation.
 */
const CONFIG_TYPES = new Map([
  ["AWS::ACM::Certificate", "AWS::CertificateManager::Certificate"],
  ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"],
  ["AWS::OpenSearch::Domain", "AWS::OpenSearchService::Domain"],
  ["AWS::ShieldRegional::Protection", "AWS::Shield::Protection"],
]);

/** Reports of Config and Systems Manager about resources, which `SELECT *` also returns. */
const REPORTS: ReadonlySet<string> = new Set([
  "AWS::Config::ConformancePackCompliance",
  "AWS::Config::ResourceCompliance",
  "AWS::SSM::AssociationCompliance",
  "AWS::SSM::FileData",
  "AWS::SSM::ManagedInstanceInventory",
  "AWS::SSM::PatchCompliance",
]);

function isItem(row: JsonObject): boolean {
  const isNamed =
    text(row, "resourceType")?.startsWith("AWS::") === true && ITEM_NAMES.some((name) => name in row);
  return isNamed && ITEM_MEMBERS.some((name) => name in row);
}

const ITEM_NAMES = ["resourceId", "arn", "ARN"];
const ITEM_MEMBERS = ["configurationItemStatus", "configurationStateId", "configuration"];

function readItem(row: Json, complete = true): ListedResource[] | null {
  if (!isObject(row)) return null;
  if (isNone(row)) return [];
  const type = text(row, "resourceType");
  const properties = payload(row);
  const resource = listed({
    type: type && (CONFIG_TYPES.get(type) ?? type),
    ...whereabouts(row),
    // An id without its type identifies nothing.
    id: type && text(row, "resourceId"),
    name: text(row, "resourceName"),
    tags: tagsOf(row["tags"]) ?? tagsOf(field(properties, "Tags")),
    properties,
    complete: complete && properties !== undefined,
    created: row["resourceCreationTime"],
  });
  return resource && [resource];
}

/** Returns ARN, account and region. Snapshot files and the API name these members differently. */
function whereabouts(row: JsonObject): Pick<Row, "arn" | "account" | "region"> {
  return {
    arn: text(row, "arn") ?? text(row, "ARN"),
    account: text(row, "accountId") ?? text(row, "awsAccountId"),
    region: text(row, "awsRegion"),
  };
}

/** Reports whether a row describes no existing resource: a report, or a deleted resource. */
function isNone(row: JsonObject): boolean {
  if (REPORTS.has(text(row, "resourceType") ?? "")) return true;
  const status = text(row, "configurationItemStatus");
  return status?.startsWith("ResourceDeleted") === true || (row["resourceDeletionTime"] ?? null) !== null;
}

/** Returns the configuration, with Config's supplementary configuration if there is any. */
function payload(row: JsonObject): JsonObject | undefined {
  const configuration = parseObject(row["configuration"]);
  const supplement = Object.entries(parseObject(row["supplementaryConfiguration"]) ?? {});
  if (supplement.length === 0) return configuration;
  // Some of Config's answers contain each member as JSON text.
  const members = supplement.map(([name, value]) => [name, parseObject(value) ?? value]);
  return { ...configuration, supplementaryConfiguration: Object.fromEntries(members) };
}
