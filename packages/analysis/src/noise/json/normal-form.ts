import { isObject, type Json } from "@leeway/shared/json";

import { canonicalJson } from "../canonical-json.ts";

export function mapMembers(object: Json, change: (value: Json, name: string) => Json): Json {
  if (!isObject(object)) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

export function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

export function sorted(items: readonly Json[]): Json[] {
  return items
    .map((item) => ({ item, text: canonicalJson(item) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ item }) => item);
}

/** The members of a set, each once. */
export function setOf(value: Json): Json[] {
  return [...new Map(sorted(listOf(value)).map((item) => [canonicalJson(item), item])).values()];
}
