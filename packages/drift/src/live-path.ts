import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { namesOf, plainName } from "./names.ts";

interface Step {
  name: readonly string[];
  each: boolean;
  item?: Selection;
}

/** Member that selects items of a list, by its value. */
interface Selection {
  name: readonly string[];
  value: string;
}

const parsed = new Map<string, readonly (readonly Step[])[]>();

/**
 * Returns the value at a path; the empty path is the value itself. Dots separate members, `[]` follows a list whose
 * items are meant, `[name=web]` follows one whose items with that member are meant, and ` | ` separates alternatives. API and resource type may write the same value differently: the
 * first alternative that exists counts. Returns undefined if there is none.
 */
export function valueAtPath(value: Json, path: string): Json | undefined {
  if (path === "") return value;
  let ways = parsed.get(path);
  if (ways === undefined) parsed.set(path, (ways = path.split(" | ").map(stepsOf)));
  for (const steps of ways) {
    const found = follow(value, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stepsOf(path: string): Step[] {
  return path.split(".").map((step) => {
    const [, own = step, key = "", value = ""] = /^([^[]+)\[(?:(\w+)=(\w+))?\]$/.exec(step) ?? [];
    const item = key === "" ? undefined : { name: namesOf(key), value };
    return { name: namesOf(own), each: step.endsWith("[]"), ...(item && { item }) };
  });
}

function follow(value: Json, steps: readonly Step[]): Json | undefined {
  let at: Json | undefined = value;
  let index = 0;
  for (const { name, each, item } of steps) {
    index += 1;
    at = memberOf(at, name);
    if (at === undefined) return undefined;
    if (item) at = selected(at, item);
    if (!each || at === undefined) continue;
    return Array.isArray(at) ? itemsAt(at, steps.slice(index)) : undefined;
  }
  return at;
}

/** Returns the selected items; undefined if there are none. */
function selected(list: Json | undefined, { name, value }: Selection): Json | undefined {
  const items = Array.isArray(list) ? list.filter((item) => memberOf(item, name) === value) : [];
  return items.length === 0 ? undefined : items;
}

/** Returns the values at a path in all items; undefined if an item lacks it. */
function itemsAt(items: readonly Json[], steps: readonly Step[]): Json[] | undefined {
  const found = items.map((item) => follow(item, steps)).filter((item) => item !== undefined);
  return found.length === items.length ? found : undefined;
}

/** Returns the member that an attribute mirrors, in any spelling: `dbInstanceClass` is `DBInstanceClass`. */
export function mirroredMember(value: Json | undefined, name: string): Json | undefined {
  const found = memberOf(value, namesOf(name));
  if (found !== undefined || !isObject(value)) return found;
  const alike = membersInLowerCase(value).get(plainName(name));
  return alike === undefined ? undefined : value[alike];
}

/** Member names of an object by lower-case name, cached because each attribute of the other side looks them up. */
const inLowerCase = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

function membersInLowerCase(object: JsonObject): ReadonlyMap<string, string> {
  const known = inLowerCase.get(object);
  if (known) return known;
  const names = new Map(
    Object.keys(object)
      .toReversed()
      .map((name) => [name.toLowerCase(), name]),
  );
  inLowerCase.set(object, names);
  return names;
}

/** Returns the member with the first of the names that exists. */
export function memberOf(value: Json | undefined, names: readonly string[]): Json | undefined {
  if (!isObject(value)) return undefined;
  for (const name of names) if (Object.hasOwn(value, name)) return value[name];
  return undefined;
}

/** Returns the value inside the first block of each name; undefined if the state lacks a block or the attribute. */
export function declaredAt(value: Json, steps: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of steps) {
    const block: Json | undefined = Array.isArray(at) ? at[0] : at;
    if (!isObject(block) || !Object.hasOwn(block, step)) return undefined;
    at = block[step];
  }
  return at;
}
