import { isObject, type Json } from "@leeway/shared/values/json";

import { parseBounded } from "../plan/parse-exact.ts";
import type { Leaf } from "../plan/leaves.ts";

/** Longer texts and further differences are skipped, which bounds the time for any plan. */
const LONGEST = 100_000;
const MAX_LEAVES = 100;

/**
 * Splits a leaf with JSON texts into the leaves in them, named `parameters: effect.value`. Returns other leaves
 * unchanged.
 */
export function innerLeaves(leaf: Leaf): Leaf[] {
  const [before, after] = [parsed(leaf.before), parsed(leaf.after)];
  if (before === undefined || after === undefined || leaf.hidden || leaf.unknown) return [leaf];
  const found: Leaf[] = [];
  collect({ ...leaf, name: `${leaf.name}:`, before, after }, found, " ");
  return found;
}

function parsed(value: Json | undefined): Json | undefined {
  const isText = typeof value === "string" && value.length <= LONGEST && /^\s*[[{]/.test(value);
  return isText ? parseBounded(value) : undefined;
}

function collect(leaf: Leaf, found: Leaf[], separator = "."): void {
  if (found.length >= MAX_LEAVES || leaf.before === leaf.after) return;
  const inner = innerValues(leaf, separator);
  if (inner === undefined) found.push(leaf);
  else for (const one of inner) collect(one, found, one.name === leaf.name ? separator : ".");
}

/** Returns the contents of blocks and of lists of blocks; undefined for a value. */
function innerValues(leaf: Leaf, separator: string): Leaf[] | undefined {
  const { before, after, name } = leaf;
  if (isList(before) && isList(after)) {
    const length = Math.min(MAX_LEAVES, Math.max(before.length, after.length));
    return Array.from({ length }, (_, index) => ({ ...leaf, before: before[index], after: after[index] }));
  }
  if (!isObject(before) || !isObject(after)) return undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((key) => ({
    ...leaf,
    name: name + separator + key,
    before: before[key],
    after: after[key],
  }));
}

/** Checks for a list of blocks; a list of plain values is a value. */
function isList(value: Json | undefined): value is Json[] {
  return Array.isArray(value) && value.some((item) => isObject(item));
}
