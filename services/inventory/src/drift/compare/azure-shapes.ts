import { isObject, text, type Json } from "@leeway/shared/json";

import { valueAtPath } from "./live-path.ts";
import type { Row, Shape } from "./mapping.ts";
import { alignedValues } from "./aligned.ts";
import { mirroredAzure, mirroredBy } from "./mirrored.ts";
import { anyCase, reference, row, switched, unlessGone } from "./shapes.ts";

/** Rows of enumerations, whose case Azure leaves to chance. */
export function words(rows: Record<string, string>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, live]) => [name, row(live, anyCase)]));
}

/** A switch that the API has the other way round: `disableLocalAuth`. */
export const opposite: Shape = (live, declared) => {
  const isOn = switched(live, declared);
  return typeof isOn === "boolean" ? !isOn : undefined;
};

/** A word that the provider has another one for, by the API's in lower case. */
export function renamed(names: Readonly<Record<string, string>>): Shape {
  return (live, declared) => {
    const value = anyCase(live, declared);
    if (value === declared || typeof live !== "string") return value;
    return anyCase(names[live.toLowerCase()] ?? live, declared);
  };
}

/** A word that says that there is none, which the provider leaves out. */
export const unlessNone = renamed({ none: "" });

/**
 * A member that Azure leaves out of a full answer when it is `absent`; an answer without `properties` tells nothing of
 * it.
 */
export function always(live: string, absent: Json, shape: Shape = mirroredAzure): Row {
  return row("/properties", (properties, declared) =>
    shape(valueAtPath(properties, live) ?? absent, declared),
  );
}

/** Texts, in lists and blocks too, of which the cloud knows no case. */
export const inAnyCase: Shape = mirroredBy({ scalar: (live, declared) => anyCase(live, declared) ?? live });

/** Words in a text, `Logging, Metrics`, that are a list in the state. */
export const listed: Shape = (live, declared) =>
  typeof live === "string" ? inAnyCase(live.split(/,\s*/), declared) : undefined;

/** A list that was a text in older versions of the provider: `10.0.0.0/8,192.0.2.1`. */
export const listOrText: Shape = (live, declared) => {
  if (typeof declared !== "string" || !Array.isArray(live)) return mirroredAzure(live, declared);
  return alignedValues(live, declared.split(",")).map(String).join(",");
};

/** An id that may lack its scope: `/providers/Microsoft.Authorization/roleDefinitions/…`. */
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

/** A flexible server's, with its tier in front: `GP_Standard_D2s_v3`. */
export const flexibleSku: Shape = (live, declared) => {
  const sku = isObject(live) ? live : {};
  const tier = TIERS[text(sku, "tier")?.toLowerCase() ?? ""];
  const name = text(sku, "name");
  return tier === undefined || name === undefined ? undefined : anyCase(`${tier}_${name}`, declared);
};

/** With the number of units behind: `Developer_1`. */
export const countedSku: Shape = (live, declared) => {
  const { name, capacity } = isObject(live) ? live : {};
  return typeof name === "string" && typeof capacity === "number"
    ? anyCase(`${name}_${capacity}`, declared)
    : undefined;
};

/** Which kinds of identity a resource has, in whatever order. */
const identityType: Shape = (live, declared) => {
  if (typeof live !== "string") return undefined;
  if (declared === null) return live.toLowerCase() === "none" ? null : live;
  return typeof declared === "string" && isSameSet(live, declared) ? declared : live;
};

function isSameSet(one: string, other: string): boolean {
  const [kinds, others] = [one, other].map((value) => new Set(value.toLowerCase().split(/,\s*/)));
  return kinds !== undefined && others !== undefined && kinds.symmetricDifference(others).size === 0;
}

const identityIds: Shape = (live, declared) =>
  isObject(live) ? mirroredAzure(Object.keys(live), declared) : undefined;

/** What full answers have; Resource Manager's plain list has it as null. */
const FULL = "properties";

export const IDENTITY: Readonly<Record<string, Row>> = {
  "identity.type": unlessGone(row("identity.type", identityType), FULL, "None"),
  "identity.identity_ids": unlessGone(row("identity.userAssignedIdentities", identityIds), FULL, {}),
};

export const PUBLIC_ACCESS = { public_network_access_enabled: row("publicNetworkAccess", switched) };
/** Whether keys do, beside Microsoft Entra, in the words of three times. */
export const LOCAL_AUTH = {
  local_auth_enabled: row("disableLocalAuth", opposite),
  local_authentication_enabled: row("disableLocalAuth", opposite),
  local_authentication_disabled: row("disableLocalAuth", switched),
};
export const SKU_NAME = words({ sku_name: "/sku.name" });
