import { isObject, type Json, type JsonObject, member, text } from "@leeway/shared/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { nextIn } from "../../goes-on.ts";
import { listed, tagsOf } from "../listed.ts";
import { parseObject } from "../payload.ts";

/** `aws cloudcontrol list-resources`: the type stands on the page, each row has an identifier and JSON as text. */
export const cloudControlList: ListingFormat = {
  name: "AWS Cloud Control list-resources",
  rows: ["ResourceDescriptions"],
  needs: ["TypeName"],
  goesOn: nextIn("NextToken"),
  pageType,
  read(row, page) {
    const type = pageType(page);
    return type === undefined ? null : described(type, row, false);
  },
};

/** `aws cloudcontrol get-resource`, or one description with its type beside it. */
export const cloudControlResource: ListingFormat = {
  name: "AWS Cloud Control get-resource",
  rows: [],
  pageType,
  read(row) {
    if (!isObject(row)) return null;
    const type = pageType(row);
    if (type === undefined) return null;
    const description = member(row, "ResourceDescription");
    return description === undefined ? described(type, row, false) : described(type, description, true);
  },
};

function pageType(page: JsonObject): string | undefined {
  return text(page, "TypeName");
}

function described(type: string, row: Json, complete: boolean): ListedResource[] | null {
  if (!isObject(row)) return null;
  const id = text(row, "Identifier");
  const properties = parseObject(row["Properties"]);
  if (id === undefined || properties === undefined) return null;
  const resource = listed({ type, id, properties, tags: tagsOf(properties["Tags"]), complete });
  return resource && [resource];
}
