import { isObject, type Json } from "@leeway/shared/json";

import { namesOf, plainName } from "./names.ts";

interface Step {
  name: readonly string[];
  each: boolean;
}

const parsed = new Map<string, readonly (readonly Step[])[]>();

/**
 * What is at a path: members joined by dots, `[]` behind a list whose items are meant, and ` | ` between the ways
 * in which an API and its resource type write the same. The first that is there counts; undefined when none is.
 * The empty path is the value itself.
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
    const each = step.endsWith("[]");
    return { name: namesOf(each ? step.slice(0, -2) : step), each };
  });
}

function follow(value: Json, steps: readonly Step[]): Json | undefined {
  let at: Json | undefined = value;
  for (const [index, { name, each }] of steps.entries()) {
    at = memberOf(at, name);
    if (!each || at === undefined) continue;
    return Array.isArray(at) ? itemsAt(at, steps.slice(index + 1)) : undefined;
  }
  return at;
}

/** Undefined unless each item has it. */
function itemsAt(items: readonly Json[], steps: readonly Step[]): Json[] | undefined {
  const found = items.map((item) => follow(item, steps)).filter((item) => item !== undefined);
  return found.length === items.length ? found : undefined;
}

/** The member that an attribute of that name mirrors, however the API writes it: `dbInstanceClass` is `DBInstanceClass`. */
export function mirroredMember(value: Json | undefined, name: string): Json | undefined {
  const found = memberOf(value, namesOf(name));
  if (found !== undefined || !isObject(value)) return found;
  const plain = plainName(name);
  const alike = Object.keys(value).find((key) => key.length === plain.length && key.toLowerCase() === plain);
  return alike === undefined ? undefined : value[alike];
}

/** A member under the first of some names that it has. */
export function memberOf(value: Json | undefined, names: readonly string[]): Json | undefined {
  if (!isObject(value)) return undefined;
  const name = names.find((name) => Object.hasOwn(value, name));
  return name === undefined ? undefined : value[name];
}

/** What is in the first block of each name; undefined where the state has no such block or attribute. */
export function declaredAt(value: Json, steps: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of steps) {
    const block: Json | undefined = Array.isArray(at) ? at[0] : at;
    if (!isObject(block) || !Object.hasOwn(block, step)) return undefined;
    at = block[step];
  }
  return at;
}
