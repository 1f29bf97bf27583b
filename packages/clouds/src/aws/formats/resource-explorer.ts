import { isObject, type Json, type JsonObject, member, members, text } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { nextIn } from "../../goes-on.ts";
import { listed, tagsOf } from "../listed.ts";

const name = "AWS Resource Explorer search, list-resources";

/** `aws resource-explorer-2 search` and `list-resources`. */
export const resourceExplorerPage: ListingFormat = {
  name,
  rows: ["Resources"],
  someTypes: true, // not every type is indexed
  goesOn: (page) => nextIn("NextToken")(page) ?? (isLimited(page) ? "Count" : undefined),
  read,
};

/** One resource of Resource Explorer per line. */
export const resourceExplorerRow: ListingFormat = { name, rows: [], someTypes: true, read };

function read(row: Json): ListedResource[] | null {
  if (!isObject(row)) return null;
  const arn = text(row, "Arn");
  const serviceType = text(row, "ResourceType");
  if (arn === undefined || serviceType === undefined) return null;
  const resource = listed({
    arn,
    serviceType,
    account: text(row, "OwningAccountId"),
    region: text(row, "Region"),
    tags: tagsOf(members(row, "Properties").find(isTags)?.["Data"]),
  });
  return resource && [resource];
}

/** Reports whether a search was cut off: it returns at most 1,000 rows. */
function isLimited(page: JsonObject): boolean {
  return member(page, "Count")?.["Complete"] === false;
}

function isTags(property: JsonObject): boolean {
  return property["Name"] === "tags";
}
