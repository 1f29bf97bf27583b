import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../cloud.ts";
import { nextIn } from "../goes-on.ts";
import { azureCatalog } from "./azure-catalog.ts";
import { detailsOf } from "./details.ts";
import { regionOf } from "./region.ts";
import { isEvent, isReport } from "./reports.ts";
import { parseResourceId, type ResourceId } from "./resource-id.ts";

/**
 * Formats of Azure's own tools: Resource Graph in both of its forms, Resource Manager's lists, and single resources.
 */
export const azureFormats: readonly ListingFormat[] = [
  { name: "Azure Resource Graph", rows: ["data"], goesOn: moreInGraph, read: readRow },
  {
    name: "Azure Resource Graph table",
    rows: ["data", "rows"],
    needs: ["data"],
    goesOn: moreInGraph,
    read: readTableRow,
  },
  {
    name: "Azure Resource Manager list",
    rows: ["value"],
    goesOn: nextIn("nextLink"),
    read: (row) => (isObject(row) && isObject(row["properties"]) ? null : readRow(row)),
  },
  // Lists of one type include properties. Lists of a subscription include them only on request.
  {
    name: "Azure Resource Manager list",
    rows: ["value"],
    pageType: () => undefined,
    allIfMixed: true,
    goesOn: nextIn("nextLink"),
    read: readRow,
  },
  { name: "Azure Resource Manager resources", rows: [], read: readRow },
];

/** Children that Azure lists in full inside their parent and that Terraform also declares separately. */
const EMBEDDED: ReadonlyMap<string, readonly string[]> = new Map([
  ["Microsoft.Network/virtualNetworks", ["subnets", "virtualNetworkPeerings"]],
  ["Microsoft.Network/networkSecurityGroups", ["securityRules"]],
  ["Microsoft.Network/routeTables", ["routes"]],
  [
    "Microsoft.Network/loadBalancers",
    ["backendAddressPools", "inboundNatRules", "loadBalancingRules", "outboundRules", "probes"],
  ],
]);

/**
 * Returns the member that indicates further rows. A query without ids gets no token, only a flag that rows are missing.
 */
function moreInGraph(page: JsonObject): string | undefined {
  const { resultTruncated } = page;
  const isCut = resultTruncated === "true" || resultTruncated === true;
  return nextIn("$skipToken", "skipToken", "skip_token")(page) ?? (isCut ? "resultTruncated" : undefined);
}

function readRow(row: Json): ListedResource[] | null {
  if (!isObject(row)) return null;
  const id = parseResourceId(text(row, "id") ?? "");
  if (id === undefined || isEvent(id)) return null;
  if (isReport(id)) return [];
  const resource = listed(row, id);
  return [resource, ...embedded(row, id, resource)];
}

function readTableRow(row: Json, page: JsonObject): ListedResource[] | null {
  const columns = member(page, "data")?.["columns"];
  if (!Array.isArray(row) || !Array.isArray(columns)) return null;
  const named = columns.map((column, at) => [
    (isObject(column) && text(column, "name")) || `column ${at}`,
    row[at] ?? null,
  ]);
  return readRow(Object.fromEntries(named));
}

function listed(row: JsonObject, id: ResourceId): ListedResource {
  const region = regionOf(row);
  const tags = tagsOf(row);
  const createdAt = creationTime(row);
  return {
    provider_resource_id: id.written,
    provider_type: azureCatalog.byType(id.type)?.type ?? id.type,
    ...(id.subscription !== undefined && { account: id.subscription }),
    ...(region !== undefined && { region }),
    name: nameOf(row, id),
    ...(tags !== undefined && { tags }),
    properties: row,
    complete: isObject(row["properties"]),
    ...(createdAt !== undefined && { created_at: createdAt }),
  };
}

function embedded(row: JsonObject, parent: ResourceId, resource: ListedResource): ListedResource[] {
  const details = detailsOf(row);
  return (EMBEDDED.get(resource.provider_type) ?? []).flatMap((key) =>
    members(details, key).flatMap((child) => {
      const id = parseResourceId(text(child, "id") ?? "");
      if (id === undefined || !id.canonical.startsWith(`${parent.canonical}/`)) return [];
      return [{ ...(resource.region !== undefined && { region: resource.region }), ...listed(child, id) }];
    }),
  );
}

/** Returns the name. Some services put the parent's name in front: `server/rule`. */
function nameOf(row: JsonObject, id: ResourceId): string {
  const name = text(row, "name");
  return name === undefined || name.includes("/") ? id.name : name;
}

function tagsOf(row: JsonObject): Record<string, string> | undefined {
  const tags = member(row, "tags");
  if (tags === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(tags).filter((tag): tag is [string, string] => typeof tag[1] === "string"),
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Returns the creation time. Its member differs between services, and some write year 1 if they don't know it. Members
 * that Resource Graph also shows take precedence.
 */
function creationTime(row: JsonObject): string | undefined {
  const details = detailsOf(row);
  const time =
    text(details, "timeCreated") ??
    text(details, "creationTime") ??
    text(details, "creationDate") ??
    text(details, "createdOn") ??
    text(member(row, "systemData"), "createdAt") ??
    text(row, "createdTime");
  if (time === undefined || !TIME.test(time)) return undefined;
  const milliseconds = Date.parse(time);
  return milliseconds > 0 ? new Date(milliseconds).toISOString() : undefined;
}
