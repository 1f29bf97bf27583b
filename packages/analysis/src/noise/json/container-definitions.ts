import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { lookup } from "../lookup.ts";
import { mapMembers, sorted } from "./normal-form.ts";

/** What ECS assumes of a member that is absent. */
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
/** Lists of named things whose order ECS doesn't keep. */
const NAMED_LISTS: ReadonlySet<string> = new Set(["environment", "secrets"]);
const UNORDERED: ReadonlySet<string> = new Set(["portMappings", "mountPoints", "volumesFrom"]);

/**
 * Container definitions of ECS in one form: containers and their variables by name, without what is empty or a
 * default. Undefined when they can't be told apart by name.
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
  const told = Object.entries(container).filter(
    ([name, value]) => !isEmpty(value) && lookup(defaults, name) !== value,
  );
  return Object.fromEntries(told);
}

function isEmpty(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** In order of the names; undefined unless each item has a name of its own. */
function byName(items: readonly Json[]): Json[] | undefined {
  const named = items.filter(
    (item): item is JsonObject => isObject(item) && typeof item["name"] === "string",
  );
  const names = new Set(named.map(({ name }) => name));
  return names.size === items.length ? sorted(items) : undefined;
}
