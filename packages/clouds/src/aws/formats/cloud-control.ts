import { isObject, type Json, type JsonObject, member, text } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { nextIn } from "../../goes-on.ts";
import { arnOf, isRegional } from "../arn-of.ts";
import { reordered } from "../identifiers.ts";
import { listed, tagsOf } from "../listed.ts";
import { parseObject } from "../payload.ts";
import { catalog } from "../types.ts";

/**
 * `aws cloudcontrol list-resources`: the page contains the type, and each row an identifier and JSON as text. Our
 * connector also adds `AccountId` and `Region` before the rows.
 */
export const cloudControlList: ListingFormat = {
  name: "AWS Cloud Control list-resources",
  rows: ["ResourceDescriptions"],
  needs: ["TypeName"],
  goesOn: nextIn("NextToken"),
  pageType,
  read(row, page) {
    const type = pageType(page);
    return type === undefined ? null : described(row, { type, page, complete: false });
  },
};

/** `aws cloudcontrol get-resource`, or one description with its type. */
export const cloudControlResource: ListingFormat = {
  name: "AWS Cloud Control get-resource",
  rows: [],
  pageType,
  read(row) {
    if (!isObject(row)) return null;
    const type = pageType(row);
    if (type === undefined) return null;
    const description = member(row, "ResourceDescription");
    return description === undefined
      ? described(row, { type, page: row, complete: false })
      : described(description, { type, page: row, complete: true });
  },
};

function pageType(page: JsonObject): string | undefined {
  return text(page, "TypeName");
}

interface About {
  type: string;
  page: JsonObject;
  complete: boolean;
}

function described(row: Json, { type, page, complete }: About): ListedResource[] | null {
  if (!isObject(row)) return null;
  const id = text(row, "Identifier");
  const properties = parseObject(row["Properties"]);
  if (id === undefined || properties === undefined) return null;
  const tags = tagsOf(properties["Tags"]);
  const region = isRegional(type) ? text(page, "Region") : undefined;
  const resource = listed({ type, id: placed(id, type, page), region, properties, tags, complete });
  return resource && [resource];
}

/** Returns an ARN for an identifier, if possible, so that equal names in two regions stay distinct. */
function placed(id: string, type: string, page: JsonObject): string {
  const entry = catalog.byType(type);
  const [region, account] = [text(page, "Region"), text(page, "AccountId")];
  if (entry === undefined || region === undefined || account === undefined) return id;
  const native = reordered(entry, id.trim()) ?? id.trim();
  return arnOf(entry, native, { region, account }) ?? id;
}
