import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { Shape, ShapeWithin } from "../../mapping.ts";
import { coerced } from "../../mirrored.ts";

/** Parameters that are off by default in these engine families. */
const OFF_UNSET: readonly [name: string, families: RegExp][] = [
  ["rds.force_ssl", /^(?:aurora-postgresql(?:9|1[0-6])|postgres(?:9|1[0-4])|sqlserver-)/],
  ["require_secure_transport", /^(?:aurora-mysql|mysql(?:5\.|8\.0)|mariadb10\.)/],
  ["log_connections", /^(?:aurora-)?postgres/],
  ["log_disconnections", /^(?:aurora-)?postgres/],
  ["server_audit_logging", /^aurora-mysql/],
];
const OFF: ReadonlyMap<string, string> = new Map([
  ["1", "0"],
  ["on", "OFF"],
  ["true", "false"],
]);

/**
 * Compares parameters that users set, which Cloud Control lists by name. A missing parameter may have been set to its
 * default. It counts as changed only if the default is known to be off.
 */
export const parameters: ShapeWithin = (live, declared, whole) => {
  const left = byName(live);
  if (left === undefined) return undefined;
  const kept = (Array.isArray(declared) ? declared : []).map((block) => {
    const name = nameOf(block);
    const value = left.get(name) ?? offUnset(name, block, whole.declared);
    left.delete(name);
    return withValue(block, value);
  });
  return [...kept, ...left.entries().map(([name, value]) => ({ name, value }))];
};

/** Compares only parameters in the state, because the engine may set others. */
export const ownParameters: Shape = (live, declared) => {
  const known = byName(live);
  if (known === undefined || !Array.isArray(declared)) return undefined;
  return declared.map((block) => withValue(block, known.get(nameOf(block))));
};

function byName(live: Json): Map<string, Json> | undefined {
  return isObject(live)
    ? new Map(Object.entries(live).map(([name, value]) => [name.toLowerCase(), value]))
    : undefined;
}

function nameOf(block: Json): string {
  return isObject(block) ? (text(block, "name") ?? "").toLowerCase() : "";
}

function withValue(block: Json, value: Json | undefined): Json {
  if (!isObject(block) || value === undefined || value === null) return block;
  return { ...block, value: coerced(value, block["value"] ?? "") };
}

function offUnset(name: string, block: Json, group: JsonObject): string | undefined {
  const family = text(group, "family") ?? "";
  if (!isObject(block) || !OFF_UNSET.some(([one, families]) => one === name && families.test(family))) {
    return undefined;
  }
  return OFF.get((text(block, "value") ?? "").toLowerCase());
}
