import { isObject, sameJson, type Json, type JsonObject } from "@leeway/shared/values/json";
import { redact, REDACTED } from "@leeway/shared/security/redaction/redact";
import { redactForms } from "@leeway/shared/security/redaction/secret-text";
import { marksOf, unionOf, type Marks } from "./marks.ts";

type OfMembers = ReadonlyMap<string, Marks> | undefined;
type OfItems = Marks[] | undefined;

/**
 * Returns the sides of a change (`before` and `after`) without secrets. A value is secret if either side's mask marks
 * it as sensitive, or if its name or form shows it. Null stays null. Attribute names stay, because the schema is
 * public. The masks must be clean.
 */
export function maskSides({ before, after, before_sensitive, after_sensitive }: JsonObject): JsonObject {
  // A value marked on only one side would be revealed by the other.
  const [were, are] = [marksOf(before_sensitive), marksOf(after_sensitive)];
  const sides: JsonObject = {};
  if (before !== undefined) sides["before"] = maskSide(before, were, are);
  if (after === undefined) return sides;
  // Most resources of a large plan don't change.
  const same = sameJson(before, after) ? sides["before"] : undefined;
  return { ...sides, after: same ?? maskSide(after, are, were) };
}

function maskSide(resource: Json, own: Marks, other: Marks): Json {
  const hidden = hide(resource, own, other);
  const isHidden = hidden === REDACTED && isObject(resource);
  return redact(isHidden ? hideEach(resource) : hidden).value;
}

/**
 * Hides the parts of `value` that its own mask or the other side's marks. If a mask doesn't fit the value, hides all
 * of it.
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
    const name = redactForms(given); // cleaned as in the mask
    const [ownMarks, otherMarks] = [own?.get(name), other?.get(name)];
    if (ownMarks || otherMarks) hidden.push([given, hide(object[given] ?? null, ownMarks, otherMarks)]);
  }
  return { ...object, ...Object.fromEntries(hidden) };
}

function hideItems(items: Json[], own: OfItems, other: OfItems): Json {
  if (own && own.length !== items.length) return REDACTED;
  // In a list of another length, a marked item may be anywhere.
  const anywhere = other && other.length !== items.length ? unionOf(other) : undefined;
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
