import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { lookup } from "../lookup.ts";
import { mapMembers, sorted } from "./normal-form.ts";

/** Values that ECS assumes for absent members. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  cpu: 0,
  essential: true,
  privileged: false,
  readonlyRootFilesystem: false,
  interactive: false,
  pseudoTerminal: false,
  disableNetworking: false,
};
const DEFAULTS_OF_ITEMS: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  portMappings: { hostPort: 0, protocol: "tcp" },
  mountPoints: { readOnly: false },
  volumesFrom: { readOnly: false },
};
/** Lists of named items whose order ECS doesn't keep. */
const NAMED_LISTS: ReadonlySet<string> = new Set(["environment", "secrets"]);
const UNORDERED: ReadonlySet<string> = new Set(["portMappings", "mountPoints", "volumesFrom"]);

/**
 * Normalizes ECS container definitions: sorts containers and their variables by name, and drops empty members and
 * defaults. Undefined if names aren't unique.
 */
export function normalizeContainers(definitions: Json): Json | undefined {
  return Array.isArray(definitions) ? byName(definitions.map(normalizeContainer)) : undefined;
}

function normalizeContainer(container: Json): Json {
  return mapMembers(without(container, DEFAULTS), (value, name) => {
    if (!Array.isArray(value)) return value;
    const items = value.map((item) => without(item, lookup(DEFAULTS_OF_ITEMS, name) ?? {}));
    if (NAMED_LISTS.has(name)) return byName(items) ?? items;
    return UNORDERED.has(name) ? sorted(items) : items;
  });
}

function without(container: Json, defaults: Readonly<Record<string, Json>>): Json {
  if (!isObject(container)) return container;
  const meaningful = Object.entries(container).filter(
    ([name, value]) => !isEmpty(value) && lookup(defaults, name) !== value,
  );
  return Object.fromEntries(meaningful);
}

function isEmpty(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Sorts items by name; undefined unless each has a unique name. */
function byName(items: readonly Json[]): Json[] | undefined {
  const named = items.filter(
    (item): item is JsonObject => isObject(item) && typeof item["name"] === "string",
  );
  const names = new Set(named.map(({ name }) => name));
  return names.size === items.length ? sorted(items) : undefined;
}
