import { isObject, type Json, type JsonObject, members, text } from "@leeway/shared/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { listed, tagsOf } from "../listed.ts";

const name = "AWS Resource Explorer search, list-resources";

/** `aws resource-explorer-2 search` and `list-resources`. */
export const resourceExplorerPage: ListingFormat = { name, rows: ["Resources"], read };

/** One resource of Resource Explorer on a line of its own. */
export const resourceExplorerRow: ListingFormat = { name, rows: [], read };

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

function isTags(property: JsonObject): boolean {
  return property["Name"] === "tags";
}
