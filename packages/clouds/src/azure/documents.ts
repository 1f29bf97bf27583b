import { isObject, members, text, type JsonObject } from "@leeway/shared/values/json";

import type { KnownDocument } from "../cloud.ts";

/** Output of Azure's tools that isn't a listing of resources. */
export const azureDocuments: readonly KnownDocument[] = [
  {
    name: "an Azure Resource Graph aggregation (a query whose rows have no id)",
    matches: (value) =>
      Object.hasOwn(value, "data") &&
      (Object.hasOwn(value, "total_records") || Object.hasOwn(value, "totalRecords")),
  },
  {
    name: "an Azure Resource Manager template",
    matches: (value) => /\bdeploymentTemplate\.json/i.test(text(value, "$schema") ?? ""),
  },
  {
    name: "an Azure activity log",
    matches: (value) =>
      [value, ...members(value, "value")].some((row) => text(row, "eventTimestamp") !== undefined),
  },
  {
    name: "the contents of a Key Vault (its data plane; list the vaults instead)",
    matches: (value) => members(value, "value").some(isVaultItem),
  },
  {
    name: "an Azure resource provider registration",
    matches: (value) =>
      [value, ...members(value, "value")].some(
        (row) => text(row, "registrationState") !== undefined && Array.isArray(row["resourceTypes"]),
      ),
  },
  {
    name: "a list of Azure service tags",
    matches: (value) => members(value, "values").some(hasAddressPrefixes),
  },
  {
    name: "the status of an Azure operation",
    matches: (value) => /\/operation(?:s?status(?:es)?|results)\//i.test(text(value, "id") ?? ""),
  },
  {
    name: "an Azure resource change record",
    matches: (value) => isObject(value["beforeSnapshot"]) || isObject(value["afterSnapshot"]),
  },
];

function isVaultItem(row: JsonObject): boolean {
  return /^https:\/\/[^/]+\.vault\./.test(text(row, "id") ?? text(row, "kid") ?? "");
}

function hasAddressPrefixes(row: JsonObject): boolean {
  const { properties } = row;
  return isObject(properties) && Array.isArray(properties["addressPrefixes"]);
}
