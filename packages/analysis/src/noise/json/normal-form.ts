import { isObject, type Json } from "@leeway/shared/values/json";

import { keyOf } from "../../plan/canonical-json.ts";

export function mapMembers(object: Json, change: (value: Json, name: string) => Json): Json {
  if (!isObject(object)) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

export function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

export function sorted(items: readonly Json[]): Json[] {
  return items.length < 2 ? [...items] : keyed(items).map(([, item]) => item);
}

/** Returns the members of a set without duplicates. */
export function setOf(value: Json): Json[] {
  const items = listOf(value);
  return items.length < 2 ? items : [...new Map(keyed(items)).values()];
}

/** Pairs each item with its key, sorted by key. */
function keyed(items: readonly Json[]): [key: string, item: Json][] {
  return items
    .map((item): [string, Json] => [keyOf(item), item])
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
}
