import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { redact, REDACTED } from "@leeway/shared/redact";

type Mask = Json | undefined;

/**
 * What a change says of one side (`before` or `after`) without its secrets: what either side's mask marks as
 * sensitive, and what shows by its name or form that it is secret. Null stays null.
 */
export function maskSides({ before, after, before_sensitive, after_sensitive }: JsonObject): JsonObject {
  // A value that only one side marks would be told by the other.
  const mask = unite(before_sensitive, after_sensitive);
  return Object.fromEntries(
    Object.entries({ before, after })
      .filter((side): side is [string, Json] => side[1] !== undefined)
      .map(([name, value]) => [name, redact(hide(value, mask)).value]),
  );
}

/** Where a mask doesn't fit its value, all of the value is hidden. */
function hide(value: Json, mask: Mask): Json {
  if (value === null || !hasMark(mask)) return value;
  if (isObject(value) && isObject(mask)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, hide(inner, own(mask, name))]),
    );
  }
  if (Array.isArray(value) && Array.isArray(mask) && mask.length >= value.length) {
    return value.map((item, index) => hide(item, mask[index]));
  }
  return REDACTED;
}

/** Whether a mask, such as `after_unknown`, marks anything at all. */
export function hasMark(mask: Mask): boolean {
  if (typeof mask !== "object" || mask === null) return mask === true;
  return Object.values(mask).some(hasMark);
}

/** What one mask marks or the other. */
function unite(one: Mask, other: Mask): Json {
  if (!hasMark(one)) return other ?? false;
  if (!hasMark(other)) return one ?? false;
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries(Array.from(names, (name) => [name, unite(own(one, name), own(other, name))]));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    const length = Math.max(one.length, other.length);
    return Array.from({ length }, (_, index) => unite(one[index], other[index]));
  }
  return true;
}

/** A member by its name, which may be that of something every object has. */
function own(object: JsonObject, name: string): Mask {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
