import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import type { ListedResource, ListingFormat } from "../cloud.ts";

const MEMBERS: ReadonlyMap<string, (value: Json) => boolean> = new Map<string, (value: Json) => boolean>([
  ["provider_resource_id", isName],
  ["provider_type", isName],
  ["region", isString],
  ["name", isString],
  ["terraform_type", isString],
  ["parent_id", isString],
  ["properties", isObject],
  ["tags", (value) => isObject(value) && Object.values(value).every(isString)],
]);

/** Leeway's own rows, NDJSON or an array of them, for accounts of any provider. */
export const leewayFormat: ListingFormat = {
  name: "Leeway rows",
  rows: [],
  read: (row) => (isRow(row) ? [listed(row)] : null),
};

interface Row extends JsonObject {
  provider_resource_id: string;
  provider_type: string;
}

/** Whether every member is one of the format's and of its type, so that a slip is refused and not left out. */
function isRow(row: Json): row is Row {
  return (
    isObject(row) &&
    Object.hasOwn(row, "provider_resource_id") &&
    Object.hasOwn(row, "provider_type") &&
    Object.keys(row).every((key) => MEMBERS.get(key)?.(row[key] ?? null) === true)
  );
}

function listed(row: Row): ListedResource {
  const hasEmpty = Object.values(row).includes("");
  return {
    ...(hasEmpty ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")) : row),
    provider_resource_id: row.provider_resource_id,
    provider_type: row.provider_type,
    complete: false, // whether these are all properties, only an enricher could tell
  };
}

function isName(value: Json): value is string {
  return typeof value === "string" && value !== "";
}

function isString(value: Json): value is string {
  return typeof value === "string";
}
