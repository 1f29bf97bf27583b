import { isObject, type Json, member, text } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { nextIn } from "../../goes-on.ts";
import { listed, tagsOf } from "../listed.ts";

const tagging = "AWS Resource Groups Tagging get-resources";
const groups = "AWS Resource Groups list-group-resources";

/** `aws resourcegroupstaggingapi get-resources`. */
export const taggingPage: ListingFormat = {
  name: tagging,
  rows: ["ResourceTagMappingList"],
  taggedOnly: true,
  goesOn: nextIn("PaginationToken"),
  read: readMapping,
};

/** One tag mapping per line. */
export const taggingRow: ListingFormat = { name: tagging, rows: [], taggedOnly: true, read: readMapping };

/** `aws resource-groups list-group-resources` and `search-resources`. */
export const groupIdentifiers: ListingFormat = {
  name: groups,
  rows: ["ResourceIdentifiers"],
  goesOn: nextIn("NextToken"),
  read: readIdentifier,
};

/** Newer member of the same answer, which repeats the identifiers with their status. */
export const groupResources: ListingFormat = {
  name: groups,
  rows: ["Resources"],
  goesOn: nextIn("NextToken"),
  read: (row) => (isObject(row) ? readIdentifier(member(row, "Identifier") ?? null) : null),
};

function readMapping(row: Json): ListedResource[] | null {
  if (!isObject(row)) return null;
  const arn = text(row, "ResourceARN");
  if (arn === undefined) return null;
  const resource = listed({ arn, tags: tagsOf(row["Tags"]) });
  return resource && [resource];
}

function readIdentifier(row: Json): ListedResource[] | null {
  if (!isObject(row)) return null;
  const arn = text(row, "ResourceArn");
  if (arn === undefined) return null;
  const resource = listed({ arn, type: text(row, "ResourceType") });
  return resource && [resource];
}
