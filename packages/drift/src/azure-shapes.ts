import { isObject, text, type Json } from "@leeway/shared/values/json";

import { valueAtPath } from "./live-path.ts";
import type { Row, Shape } from "./mapping.ts";
import { alignedValues } from "./aligned.ts";
import { mirroredAzure, mirroredBy } from "./mirrored.ts";
import { anyCase, reference, row, switched, unlessGone } from "./shapes.ts";

/** Returns rows for enumerations, whose case varies in Azure. */
export function words(rows: Record<string, string>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, live]) => [name, row(live, anyCase)]));
}

/** Compares a switch that the API inverts, such as `disableLocalAuth`. It is on unless the state says otherwise. */
export const opposite: Shape = (live, declared) => {
  const isOff = switched(live, declared);
  if (isOff === false && declared === null) return declared;
  return typeof isOff === "boolean" ? !isOff : undefined;
};

/** Compares a word that provider and API name differently; `names` has the API's word in lower case as key. */
export function renamed(names: Readonly<Record<string, string>>): Shape {
  return (live, declared) => {
    const value = anyCase(live, declared);
    if (value === declared || typeof live !== "string") return value;
    return anyCase(names[live.toLowerCase()] ?? live, declared);
  };
}

/** Compares a word whose value `none` is empty in the provider. */
export const unlessNone = renamed({ none: "" });

/**
 * Returns a row for a member that Azure omits from a full answer if it
 * is `absent`. An answer without `properties` says nothing about it.
 */
export function always(live: string, absent: Json, shape: Shape = mirroredAzure): Row {
  return row("/properties", (properties, declared) =>
    shape(valueAtPath(properties, live) ?? (declared === "" ? declared : absent), declared),
  );
}

/** Compares texts case-insensitively, also in lists and blocks. */
export const inAnyCase: Shape = mirroredBy({ scalar: (live, declared) => anyCase(live, declared) ?? live });

/** Compares words in a text, `Logging, Metrics`, with a list in the state. */
export const listed: Shape = (live, declared) =>
  typeof live === "string" ? inAnyCase(live.split(/,\s*/), declared) : undefined;

/** Compares a list that older provider versions write as text: `10.0.0.0/8,192.0.2.1`. */
export const listOrText: Shape = (live, declared) => {
  if (typeof declared !== "string" || !Array.isArray(live)) return mirroredAzure(live, declared);
  return alignedValues(live, declared.split(",")).map(String).join(",");
};

/** Compares an id that may lack its scope: `/providers/Microsoft.Authorization/roleDefinitions/…`. */
export const scopeless: Shape = (live, declared) => {
  if (typeof live !== "string" || typeof declared !== "string") return reference(live, declared);
  const folded = declared.toLowerCase();
  return reference(live.toLowerCase(), folded) === folded ? declared : live;
};

const TIERS: Readonly<Record<string, string>> = {
  burstable: "B",
  generalpurpose: "GP",
  memoryoptimized: "MO",
};

/** Compares a flexible server's SKU, which begins with the tier: `GP_Standard_D2s_v3`. */
export const flexibleSku: Shape = (live, declared) => {
  const sku = isObject(live) ? live : {};
  const tier = TIERS[text(sku, "tier")?.toLowerCase() ?? ""];
  const name = text(sku, "name");
  return tier === undefined || name === undefined ? undefined : anyCase(`${tier}_${name}`, declared);
};

/** Compares a SKU that ends with the number of units: `Developer_1`, or `Enterprise_E10-2`. */
export const countedSku: Shape = (live, declared) => {
  const { name = "", capacity } = isObject(live) ? live : {};
  const mark = typeof declared === "string" && /-\d+$/.test(declared) ? "-" : "_";
  return typeof name === "string" && name !== "" && typeof capacity === "number"
    ? anyCase(`${name}${mark}${capacity}`, declared)
    : undefined;
};

/** Compares the kinds of a resource's identities in any order. */
const identityType: Shape = (live, declared) => {
  if (typeof live !== "string") return undefined;
  if (!declared) return live.toLowerCase() === "none" ? declared : live;
  return typeof declared === "string" && isSameSet(live, declared) ? declared : live;
};

function isSameSet(one: string, other: string): boolean {
  const [kinds, others] = [one, other].map((value) => new Set(value.toLowerCase().split(/,\s*/)));
  return kinds !== undefined && others !== undefined && kinds.symmetricDifference(others).size === 0;
}

const identityIds: Shape = (live, declared) =>
  isObject(live) ? mirroredAzure(Object.keys(live), declared) : undefined;

/** Member of full answers. In Resource Manager's plain list it is null. */
const FULL = "properties";

export const IDENTITY: Readonly<Record<string, Row>> = {
  "identity.type": unlessGone(row("identity.type", identityType), FULL, "None"),
  "identity.identity_ids": unlessGone(row("identity.userAssignedIdentities", identityIds), FULL, {}),
};

export const PUBLIC_ACCESS = { public_network_access_enabled: row("publicNetworkAccess", switched) };
/** Whether keys work besides Microsoft Entra, under the names of three provider generations. */
export const LOCAL_AUTH = {
  local_auth_enabled: row("disableLocalAuth", opposite),
  local_authentication_enabled: row("disableLocalAuth", opposite),
  local_authentication_disabled: row("disableLocalAuth", switched),
};
export const SKU_NAME = words({ sku_name: "/sku.name" });
