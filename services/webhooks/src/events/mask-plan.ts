import { isDeepStrictEqual } from "node:util";

import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { redact, REDACTED } from "@leeway/shared/redact";

import { storableJson } from "./storable.ts";

/** What is kept of a plan: all else repeats it, or holds the values of variables, outputs and of what stays. */
const KEPT: ReadonlySet<string> = new Set([
  "format_version",
  "terraform_version",
  "timestamp",
  "errored",
  "applyable",
  "complete",
  "resource_changes",
  "resource_drift",
  "relevant_attributes",
  "output_changes",
  "checks",
]);

/**
 * A plan in the form of `terraform show -json`, without its secrets: neither those that its own
 * `before_sensitive` and `after_sensitive` name, nor those that look like one. Of outputs only names and
 * actions are kept. Where hiding made an old and a new value alike, ` (changed)` stands behind the new one.
 */
export function maskPlan(plan: JsonObject): JsonObject {
  const kept = Object.entries(plan).filter(([key]) => KEPT.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, maskMember(key, storableJson(value))]));
}

function maskMember(key: string, value: Json): Json {
  if (key === "output_changes") return namesAndActions(value);
  if (!key.startsWith("resource_") || !Array.isArray(value)) return redact(value).value;
  return value.map((resource) => {
    if (!isObject(resource) || !isObject(resource["change"])) return redact(resource).value;
    const { change, ...rest } = resource;
    return { ...redact(rest).value, change: maskChange(change) };
  });
}

function maskChange(change: JsonObject): JsonObject {
  const { before = null, after = null, before_sensitive = null, after_sensitive = null } = change;
  const masked = redact({
    ...change,
    before: hideMembers(before, before_sensitive),
    after: hideMembers(after, after_sensitive),
  }).value;
  return {
    ...masked,
    after: tellChanges(
      { before, after },
      { before: masked["before"] ?? null, after: masked["after"] ?? null },
    ),
  };
}

/** Where all of a resource is sensitive, the names of its attributes, which its schema tells, aren't. */
function hideMembers(resource: Json, mask: Json): Json {
  if (mask !== true || !isObject(resource)) return hide(resource, mask);
  return Object.fromEntries(Object.entries(resource).map(([key, value]) => [key, hide(value, true)]));
}

/** `value` without what `mask`, a value of the same shape, marks with `true`. */
function hide(value: Json, mask: Json): Json {
  if (value === null || !marksAny(mask)) return value;
  if (Array.isArray(value) && Array.isArray(mask) && value.length === mask.length)
    return value.map((item, index) => hide(item, mask[index] ?? null));
  if (isObject(value) && isObject(mask))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, at(mask, key))]));
  return REDACTED; // marked itself, or a set, whose mask doesn't tell which of its members is meant
}

function marksAny(mask: Json): boolean {
  if (typeof mask !== "object") return Boolean(mask);
  return mask !== null && Object.values(mask).some(marksAny);
}

/** An old and a new value. */
interface Sides {
  before: Json;
  after: Json;
}

/** The new value as masked, and that it differs from the old one where the masked values don't show it. */
function tellChanges(plain: Sides, masked: Sides): Json {
  if (typeof masked.after === "string") {
    const isHidden = masked.after === masked.before && !isDeepStrictEqual(plain.before, plain.after);
    return isHidden ? `${masked.after} (changed)` : masked.after;
  }
  const inner = (key: string): Json =>
    tellChanges(
      { before: at(plain.before, key), after: at(plain.after, key) },
      { before: at(masked.before, key), after: at(masked.after, key) },
    );
  if (Array.isArray(masked.after)) return masked.after.map((_, index) => inner(String(index)));
  if (!isObject(masked.after)) return masked.after;
  return Object.fromEntries(Object.keys(masked.after).map((key) => [key, inner(key)]));
}

/** The value at a key or an index; null where there is none. */
function at(value: Json, key: string): Json {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
  const inner: unknown = Reflect.get(value, key);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members of JSON are JSON
  return inner as Json;
}

function namesAndActions(outputs: Json): Json {
  if (!isObject(outputs)) return redact(outputs).value;
  return Object.fromEntries(
    Object.entries(outputs).map(([name, change]) => [name, { actions: redact(at(change, "actions")).value }]),
  );
}
