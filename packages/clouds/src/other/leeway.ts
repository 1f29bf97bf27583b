import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

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

/** Leeway's own rows, as NDJSON or an array, for accounts of any provider. */
export const leewayFormat: ListingFormat = {
  name: "Leeway rows",
  rows: [],
  read: (row) => (isRow(row) ? [listed(row)] : null),
};

interface Row extends JsonObject {
  provider_resource_id: string;
  provider_type: string;
}

/** Reports whether all members are known and have the right type, so that a typo is rejected instead of ignored. */
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
    complete: false, // only an enricher knows whether these are all properties
  };
}

function isName(value: Json): value is string {
  return typeof value === "string" && value !== "";
}

function isString(value: Json): value is string {
  return typeof value === "string";
}
