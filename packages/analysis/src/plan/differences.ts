import type { AttributeChange, Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, sameJson, type Json, type JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";
import { isLong } from "./long-path.ts";
import { marksOf, type Marks } from "./marks.ts";

import { pathKey } from "./path-keys.ts";

interface Side {
  value: Json | undefined;
  sensitive: Marks;
}

const MAX_DEPTH = 40;

/** Returns whether the value at a path is compared part by part; deeper values are compared as a whole. */
export function isTakenApart(path: Path): boolean {
  return path.length < MAX_DEPTH && !isLong(path);
}

/**
 * Lists the differences between both sides of a plan's change, leaf by leaf. Created and deleted resources have none.
 * Values known after apply differ, and so do paths in `leeway_changed`, even if both sides look equal. List items are
 * compared by index; lists of different lengths without objects differ as a whole.
 */
export function differencesOf(change: JsonObject): AttributeChange[] {
  const { before = null, after = null } = change;
  if (!isObject(before) || !isObject(after)) return [];
  const unknown = marksOf(change["after_unknown"]);
  const hiddenAt = hiddenPaths(change);
  // Most resources of a large plan are unchanged.
  if (unknown === undefined && hiddenAt.length === 0 && sameJson(before, after)) return [];
  const found: AttributeChange[] = [];
  walk(
    { value: before, sensitive: marksOf(change["before_sensitive"]) },
    { value: after, sensitive: marksOf(change["after_sensitive"]) },
    { unknown, path: [], found },
  );
  if (hiddenAt.length === 0) return found;
  const seen = new Set(found.map(({ path }) => pathKey(path)));
  const unseen = new Map(hiddenAt.map((path) => [pathKey(path), path]));
  const more = [...unseen].filter(([key]) => !seen.has(key));
  return [...found, ...more.map(([, path]) => hidden(path, before, after))];
}

interface Way {
  unknown: Marks;
  path: Path;
  found: AttributeChange[];
}

function walk(before: Side, after: Side, { unknown, path, found }: Way): void {
  if (unknown === undefined && sameJson(before.value, after.value)) return;
  if (unknown === true) return void found.push(leaf(before, after, { unknown, path, found }));
  const steps = isTakenApart(path) ? stepsOf(before.value, after.value, unknown) : undefined;
  if (steps === undefined) {
    if (!sameJson(before.value, after.value)) found.push(leaf(before, after, { unknown, path, found }));
    return;
  }
  for (const step of steps) {
    const inner = { unknown: marksAt(unknown, step), path: [...path, step], found };
    walk(below(before, step), below(after, step), inner);
  }
}

function leaf(before: Side, after: Side, { unknown, path }: Way): AttributeChange {
  return {
    path,
    before: before.value ?? null,
    after: after.value ?? null,
    before_sensitive: isSensitive(before),
    after_sensitive: isSensitive(after),
    unknown: Boolean(unknown),
  };
}

/** Checks whether a value is marked sensitive, or was masked as a secret without a mark. */
function isSensitive({ value, sensitive }: Side): boolean {
  return Boolean(sensitive) || value === REDACTED;
}

/** Returns the steps below two values that can be compared part by part; undefined for leaves. */
function stepsOf(before: Json | undefined, after: Json | undefined, unknown: Marks): Path | undefined {
  if (isObject(before) && isObject(after)) {
    const marked = unknown instanceof Map ? unknown.keys() : [];
    return [...new Set([...Object.keys(before), ...Object.keys(after), ...marked])];
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const ofObjects = [...before, ...after].every((item) => isObject(item));
  if (before.length !== after.length && !ofObjects) return undefined;
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
}

function below({ value, sensitive }: Side, step: string | number): Side {
  return { value: valueAt(value, step), sensitive: marksAt(sensitive, step) };
}

/** Returns the value at a step; undefined if there is none. */
export function valueAt(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function marksAt(marks: Marks, step: string | number): Marks {
  if (marks === true || marks === undefined) return marks;
  if (Array.isArray(marks)) return typeof step === "number" ? marks[step] : undefined;
  return marks instanceof Map ? marks.get(String(step)) : undefined;
}

/** Returns paths that change invisibly, because their values were masked or pruned. */
function hiddenPaths({ leeway_changed: paths }: JsonObject): Path[] {
  if (!Array.isArray(paths)) return [];
  return paths.filter((path): path is Path => Array.isArray(path));
}

function hidden(path: Path, before: Json, after: Json): AttributeChange {
  const at = (value: Json): Json => path.reduce<Json | undefined>(valueAt, value) ?? null;
  return {
    path,
    before: at(before),
    after: at(after),
    before_sensitive: true,
    after_sensitive: true,
    unknown: false,
  };
}
