import { isObject, type Json, type JsonObject, member, members, text } from "@leeway/shared/json";

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

/** Content of an asset other than the resource itself: the export of one content type has a file of its own. */
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

/** Members that only a search result has. */
const SEARCHED = ["parentFullResourceName", "displayName", "project", "location", "folders", "organization"];

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

const CREATION_TIMES = ["creationTimestamp", "createTime", "timeCreated", "creationTime"];

/** No time stamp of a database goes that far, and RFC 3339 doesn't. */
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
  /** The payload, or of a search that has none the row itself. */
  data: JsonObject;
  complete: boolean;
  location: string | undefined;
  /** What the envelope says of the project, the id before the number. */
  projects: readonly (string | undefined)[];
  createdAt: string | undefined;
  /** Who may do what with it, where the row says so beside the resource. */
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

/** A search tells a part of each resource, and all of it when it was asked for the versioned resources too. */
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

/** What every row of the inventory begins with; undefined when it isn't one. */
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

/** Without its version and its etag, which say nothing of who may do what; what has logs of its own has those, too. */
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

/** The project's id where the row says it anywhere, else its number. */
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

/** The last segment of the full name, unless that is a number and the payload knows a name. */
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
 * BigQuery counts milliseconds; everything else writes RFC 3339, though not always in UTC. Searches know only the
 * second, and the same resource must have the same time in a search and in an export.
 */
function creationTime(data: JsonObject, given: string | undefined): string | undefined {
  const key = CREATION_TIMES.find((name) => data[name] !== undefined);
  const own = key === undefined ? text(member(data, "metadata"), "creationTimestamp") : text(data, key);
  const written = given ?? own ?? "";
  const time = isNumber(written) ? Number(written) : RFC_3339.test(written) ? Date.parse(written) : 0;
  return time > 0 && time < YEAR_10000 ? `${new Date(time).toISOString().slice(0, 19)}Z` : undefined;
}
