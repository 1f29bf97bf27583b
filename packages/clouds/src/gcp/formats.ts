import { isObject, type Json, type JsonObject, member, members, text } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../cloud.ts";
import { nextIn } from "../goes-on.ts";
import { catalog } from "./catalog.ts";
import { shortName } from "./payload.ts";
import {
  decoded,
  isNumber,
  lastSegment,
  locationOf,
  parseName,
  projectOf,
  regionOf,
} from "./resource-name.ts";

/** Members with other content than the resource itself. An export contains one content type per file. */
const POLICIES = [
  "iam_policy",
  "iamPolicy",
  "org_policy",
  "orgPolicy",
  "v2_org_policies",
  "access_policy",
  "accessPolicy",
  "access_level",
  "accessLevel",
  "service_perimeter",
  "servicePerimeter",
  "os_inventory",
  "osInventory",
  "related_asset",
  "relatedAsset",
  "related_assets",
  "relatedAssets",
];

/** Members that only search results have. */
const SEARCHED = ["parentFullResourceName", "displayName", "project", "location", "folders", "organization"];

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

const CREATION_TIMES = ["creationTimestamp", "createTime", "timeCreated", "creationTime"];

/** Upper limit for timestamps: RFC 3339 has four-digit years. */
const YEAR_10000 = Date.UTC(10_000, 0);

export const formats: readonly ListingFormat[] = [
  {
    name: "Google Cloud Asset Inventory assets.list",
    rows: ["assets"],
    goesOn: nextIn("nextPageToken"),
    read: readAsset,
  },
  {
    name: "Google Cloud Asset Inventory searchAllResources",
    rows: ["results"],
    goesOn: nextIn("nextPageToken"),
    read: readSearchResult,
  },
  { name: "Google Cloud Asset Inventory export or gcloud asset list", rows: [], read: readAsset },
  { name: "gcloud asset search-all-resources", rows: [], read: readSearchResult },
];

/** A row whose envelope has been read. */
interface Asset {
  row: JsonObject;
  name: string;
  path: string;
  type: string;
  /** The payload; for a search result without one, the row itself. */
  data: JsonObject;
  complete: boolean;
  location: string | undefined;
  /** Projects in the envelope, ids before numbers. */
  projects: readonly (string | undefined)[];
  createdAt: string | undefined;
  /** IAM policy, if the row contains one beside the resource. */
  policy: JsonObject | undefined;
}

function readAsset(row: Json): ListedResource[] | null {
  const head = headOf(row);
  if (head === undefined || isSearchResult(head.row)) return null;
  const resource = member(head.row, "resource");
  if (resource === undefined && POLICIES.some((policy) => head.row[policy] !== undefined)) return [];
  const data = member(resource, "data");
  const ancestors = head.row["ancestors"];
  const ancestor: unknown = Array.isArray(ancestors) ? ancestors[0] : undefined;
  return listed({
    ...head,
    data: data ?? {},
    complete: data !== undefined,
    location: text(resource, "location"),
    projects: [text(resource, "parent"), typeof ancestor === "string" ? ancestor : undefined],
    createdAt: undefined,
    policy: member(head.row, "iamPolicy") ?? member(head.row, "iam_policy"),
  });
}

/** Reads a search result, which contains a part of the resource, or all of it if versioned resources were requested. */
function readSearchResult(row: Json): ListedResource[] | null {
  const head = headOf(row);
  if (head === undefined || !isSearchResult(head.row)) return null;
  const data = member(members(head.row, "versionedResources").at(-1), "resource");
  return listed({
    ...head,
    data: data ?? head.row,
    complete: data !== undefined,
    location: text(head.row, "location"),
    projects: [text(head.row, "parentFullResourceName"), text(head.row, "project")],
    createdAt: text(head.row, "createTime"),
    policy: member(head.row, "iamPolicy"),
  });
}

/** Reads the members that every row of Cloud Asset Inventory has; undefined if it isn't such a row. */
function headOf(row: Json): Pick<Asset, "row" | "name" | "path" | "type"> | undefined {
  if (!isObject(row)) return undefined;
  const type = text(row, "assetType") ?? text(row, "asset_type");
  const name = text(row, "name");
  const path = name?.startsWith("//") ? parseName(name)?.path : undefined;
  return type === undefined || name === undefined || path === undefined
    ? undefined
    : { row, name, path, type };
}

function isSearchResult(row: JsonObject): boolean {
  return row["resource"] === undefined && SEARCHED.some((key) => row[key] !== undefined);
}

function listed(asset: Asset): ListedResource[] {
  const resource: ListedResource = {
    provider_resource_id: asset.name,
    provider_type: catalog.byType(asset.type)?.type ?? asset.type,
    name: naturalName(asset),
    complete: asset.complete,
  };
  const tags = labelsOf(asset.data) ?? labelsOf(asset.row);
  const createdAt = creationTime(asset.data, asset.createdAt);
  if (tags !== undefined) resource.tags = tags;
  if (createdAt !== undefined) resource.created_at = createdAt;
  const properties = asset.policy
    ? { ...asset.data, iamPolicy: grantedBy(asset.policy, asset.type) }
    : asset.data;
  if (Object.keys(properties).length > 0) resource.properties = properties;
  return [Object.assign(resource, placeOf(asset))];
}

/**
 * Returns a policy without version and etag, which grant nothing. Resource Manager's policies also have audit configs.
 */
function grantedBy({ bindings = [], auditConfigs = [] }: JsonObject, type: string): JsonObject {
  return type.startsWith("cloudresourcemanager.") ? { bindings, auditConfigs } : { bindings };
}

function placeOf(asset: Asset): Pick<ListedResource, "account" | "region"> {
  const { path, data, location } = asset;
  const account = accountOf(asset);
  const written = text(data, "location") ?? text(data, "region") ?? text(data, "zone");
  const region = regionOf(locationOf(path) ?? location ?? written);
  return { ...(account && { account }), ...(region && { region }) };
}

/** Returns the project's id if the row contains it, otherwise its number. */
function accountOf({ path, data, projects }: Asset): string | undefined {
  const own = projectOf(path);
  if (own !== undefined && !isNumber(own)) return own;
  const named = [
    text(data, "projectId"),
    text(member(data, "datasetReference"), "projectId"),
    text(member(data, "tableReference"), "projectId"),
    ...projects.map((name = "") => projectOf(parseName(name)?.path ?? name)),
    text(data, "projectNumber"),
  ].filter((project) => project !== undefined);
  return named.find((project) => !isNumber(project)) ?? own ?? named[0];
}

/** Returns the last segment of the full name. If that is a number, returns the payload's name if there is one. */
function naturalName({ name, data }: Asset): string {
  const id = decoded(lastSegment(name));
  return isNumber(id) ? (shortName(data) ?? lastSegment(text(data, "displayName") ?? id)) : id;
}

function labelsOf(data: JsonObject): Record<string, string> | undefined {
  const labels =
    member(data, "labels") ??
    member(data, "resourceLabels") ??
    member(member(data, "settings"), "userLabels") ??
    member(member(data, "properties"), "labels");
  if (labels === undefined) return undefined;
  const entries = Object.entries(labels).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * Returns the creation time in seconds. BigQuery writes milliseconds, other services RFC 3339, not always in UTC.
 * Searches contain only seconds, and a resource must have the same time in a search and in an export.
 */
function creationTime(data: JsonObject, given: string | undefined): string | undefined {
  const key = CREATION_TIMES.find((name) => data[name] !== undefined);
  const own = key === undefined ? text(member(data, "metadata"), "creationTimestamp") : text(data, key);
  const written = given ?? own ?? "";
  const time = isNumber(written) ? Number(written) : RFC_3339.test(written) ? Date.parse(written) : 0;
  return time > 0 && time < YEAR_10000 ? `${new Date(time).toISOString().slice(0, 19)}Z` : undefined;
}
