import { Kind, type TSchema } from "@sinclair/typebox";

import { JsonReader } from "./json-reader.ts";

type Members = [name: string, value: JsonReader][];

/**
 * Returns the first member at any depth that `schema` doesn't know, as Go's strict decoder would. The text must be
 * JSON. A member of a union is known if a branch knows it whose literal members fit the object.
 */
export function firstUnknownField(schema: TSchema, bytes: Uint8Array): string | undefined {
  return search(branches(schema), new JsonReader(bytes));
}

/** Searches a value. The reader skips unread parts, because a body can have a million items. */
function search(candidates: readonly TSchema[], json: JsonReader): string | undefined {
  if (candidates.length === 0) return undefined;
  if (json.isArray) return searchItems(candidates, json);
  if (!json.isObject) return undefined;
  const members: Members = [];
  json.members((name) => members.push([name, json.part()]));
  return searchObject(candidates.filter(isObjectSchema), members);
}

/** Searches at most as many items as the schema allows. A longer list is refused for its length. */
function searchItems(candidates: readonly TSchema[], json: JsonReader): string | undefined {
  const items = candidates.flatMap((candidate) => schemaList(candidate["items"])).flatMap(branches);
  if (items.length === 0) return undefined;
  let left = Math.max(...candidates.map(({ maxItems = Infinity }) => Number(maxItems)));
  let found: string | undefined;
  json.items(() => {
    if (left > 0) found ??= search(items, json);
    left -= 1;
  });
  return found;
}

function searchObject(candidates: TSchema[], members: Members): string | undefined {
  if (candidates.length === 0) return undefined;
  const objects = fitting(candidates, members);
  return first(members, ([name, value]) => {
    const known = objects.flatMap((object) => schemaList(propertiesOf(object).get(name)));
    if (known.length === 0) return objects.every(isClosed) ? name : undefined;
    return search(known.flatMap(branches), value);
  });
}

/** Returns the candidates whose literal members have the object's values; all candidates if there is none. */
function fitting(candidates: TSchema[], members: Members): TSchema[] {
  const given = new Map(members); // the last duplicate counts, as in JSON.parse
  const fit = candidates.filter((candidate) =>
    propertiesOf(candidate)
      .entries()
      .every(([name, property]) => {
        const value = given.get(name);
        return !("const" in property) || value === undefined || isScalar(value, property["const"]);
      }),
  );
  return fit.length > 0 ? fit : candidates;
}

function isScalar(json: JsonReader, scalar: unknown): boolean {
  return !json.isObject && !json.isArray && json.value() === scalar;
}

function branches(schema: TSchema): TSchema[] {
  const inner = schemaList(schema["anyOf"]);
  return inner.length > 0 ? inner.flatMap(branches) : [schema];
}

function isObjectSchema(schema: TSchema): boolean {
  return schema[Kind] === "Object";
}

function isClosed(schema: TSchema): boolean {
  return schema["additionalProperties"] === false;
}

function propertiesOf(schema: TSchema): Map<string, TSchema> {
  const properties: unknown = schema["properties"];
  if (typeof properties !== "object" || properties === null) return new Map();
  return new Map(Object.entries(properties));
}

function schemaList(value: unknown): TSchema[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is TSchema => typeof item === "object" && item !== null && Kind in item);
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
