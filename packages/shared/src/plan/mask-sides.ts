import { isObject, sameJson, type Json, type JsonObject } from "../json.ts";
import { redact, REDACTED } from "../redaction/redact.ts";
import { redactForms } from "../redaction/secret-text.ts";
import { marksOf, unite, type Marks } from "./marks.ts";

type OfMembers = ReadonlyMap<string, Marks> | undefined;
type OfItems = Marks[] | undefined;

/**
 * What a change says of one side (`before` or `after`) without its secrets: what either side's mask marks as
 * sensitive, and what shows by its name or form that it is secret. Null stays null, and the names of a resource's
 * attributes stay, which its schema tells. The masks shall be clean.
 */
export function maskSides({ before, after, before_sensitive, after_sensitive }: JsonObject): JsonObject {
  // A value that only one side marks would be told by the other.
  const [were, are] = [marksOf(before_sensitive), marksOf(after_sensitive)];
  const sides: JsonObject = {};
  if (before !== undefined) sides["before"] = maskSide(before, were, are);
  if (after === undefined) return sides;
  // Most resources of a large plan stay as they are.
  const same = sameJson(before, after) ? sides["before"] : undefined;
  return { ...sides, after: same ?? maskSide(after, are, were) };
}

function maskSide(resource: Json, own: Marks, other: Marks): Json {
  const hidden = hide(resource, own, other);
  const isHidden = hidden === REDACTED && isObject(resource);
  return redact(isHidden ? hideEach(resource) : hidden).value;
}

/**
 * `value` without what its own mask marks, and the other side's. Where a mask doesn't fit its value, all of the value
 * is hidden.
 */
function hide(value: Json, own: Marks, other?: Marks): Json {
  if (value === null || (!own && !other)) return value;
  if (isObject(value) && isOfMembers(own) && isOfMembers(other)) return hideMembers(value, own, other);
  if (Array.isArray(value) && isOfItems(own) && isOfItems(other)) return hideItems(value, own, other);
  return REDACTED;
}

function hideMembers(object: JsonObject, own: OfMembers, other: OfMembers): JsonObject {
  const hidden: [string, Json][] = [];
  for (const given of Object.keys(object)) {
    const name = redactForms(given); // as in the mask
    const [ownMarks, otherMarks] = [own?.get(name), other?.get(name)];
    if (ownMarks || otherMarks) hidden.push([given, hide(object[given] ?? null, ownMarks, otherMarks)]);
  }
  return { ...object, ...Object.fromEntries(hidden) };
}

function hideItems(items: Json[], own: OfItems, other: OfItems): Json {
  if (own && own.length !== items.length) return REDACTED;
  // In a list of another length, what is marked of one item may stand anywhere.
  const anywhere = other && other.length !== items.length ? other.reduce(unite, undefined) : undefined;
  return items.map((item, index) => hide(item, own?.[index], anywhere ?? other?.[index]));
}

function isOfMembers(marks: Marks): marks is OfMembers {
  return marks === undefined || marks instanceof Map;
}

function isOfItems(marks: Marks): marks is OfItems {
  return marks === undefined || Array.isArray(marks);
}

function hideEach(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, hide(value, true)]));
}
