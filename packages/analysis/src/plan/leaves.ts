import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { creates, deletes, type ResourceChange } from "./model.ts";
import { isTakenApart, valueAt } from "./differences.ts";

/** An attribute that differs, below all blocks. */
export interface Leaf {
  path: Path;
  /** Path joined by dots without indices, as tables name attributes. */
  name: string;
  before: Json | undefined;
  after: Json | undefined;
  /** Whether the value is known only after apply. */
  unknown: boolean;
  /** Whether it differs, but is masked. */
  hidden: boolean;
}

/**
 * Returns the attributes that differ; for a created resource, all of its attributes. Added and removed blocks are
 * expanded, so that rules find their attributes.
 */
export function leavesOf(change: ResourceChange): Leaf[] {
  const found = leavesIn(change);
  return NATIVE.test(change.type) ? found.map((leaf) => ({ ...leaf, name: snakeCase(leaf.name) })) : found;
}

/** Pulumi's native providers use camel case, while the tables use Terraform's names. */
const NATIVE = /^(?:aws|azure)-native[\w-]*:/;

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
}

function leavesIn(change: ResourceChange): Leaf[] {
  const found: Leaf[] = [];
  if (!isObject(change.after)) return found;
  if (creates(change) && !deletes(change)) {
    for (const [name, after] of Object.entries(change.after)) {
      expand({ path: [name], name, before: undefined, after, unknown: false, hidden: false }, found);
    }
    return found;
  }
  for (const { path, unknown, before_sensitive, after_sensitive } of change.differences) {
    const [before, after] = [valueOf(change.before, path), valueOf(change.after, path)];
    const hidden = before_sensitive || after_sensitive;
    expand({ path, name: nameOf(path), before, after, unknown, hidden }, found);
  }
  return found;
}

/** Returns the attribute at a path of a change, even if it is unchanged. */
export function leafAt(change: ResourceChange, path: Path): Leaf {
  const [before, after] = [valueOf(change.before, path), valueOf(change.after, path)];
  const key = JSON.stringify(path);
  const difference = change.differences.find((one) => JSON.stringify(one.path) === key);
  const hidden = difference ? difference.before_sensitive || difference.after_sensitive : false;
  return { path, name: nameOf(path), before, after, unknown: difference?.unknown ?? false, hidden };
}

/** Returns the value at a path; undefined if there is none. */
export function valueOf(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(valueAt, value);
}

/** A block of a resource and its path. */
export interface Block {
  block: JsonObject;
  path: Path;
}

/** Returns the blocks that these steps lead to, through every list on the way. */
export function blocksAt(
  block: Json | undefined,
  [step, ...rest]: readonly string[],
  path: Path = [],
): Block[] {
  if (Array.isArray(block)) {
    const steps = step === undefined ? [] : [step, ...rest];
    return block.flatMap((item, index) => blocksAt(item, steps, [...path, index]));
  }
  if (!isObject(block)) return [];
  return step === undefined ? [{ block, path }] : blocksAt(block[step], rest, [...path, step]);
}

/** Returns the name of the attribute at a path, as in the tables. */
export function nameOf(path: Path): string {
  return path.filter((step) => typeof step === "string").join(".");
}

/** Adds the leaves in a block, or the value itself. */
function expand(leaf: Leaf, found: Leaf[]): void {
  const { path, name, before, after, unknown, hidden } = leaf;
  const steps = isTakenApart(path) ? stepsOf(before, after) : [];
  for (const step of steps) {
    const inner = typeof step === "string" ? `${name}.${step}` : name;
    const [from, to] = [valueAt(before, step), valueAt(after, step)];
    expand({ path: [...path, step], name: inner, before: from, after: to, unknown, hidden }, found);
  }
  if (steps.length > 0) return;
  found.push({ ...leaf, hidden: hidden || (before === REDACTED && after === REDACTED) });
}

/** Returns the steps into blocks; none for values, including lists of values. */
function stepsOf(before: Json | undefined, after: Json | undefined): Path {
  const [one, other] = [before ?? after, after ?? before];
  if (isObject(one) && isObject(other)) {
    return one === other ? Object.keys(one) : [...new Set([...Object.keys(one), ...Object.keys(other)])];
  }
  if (!Array.isArray(one) || !Array.isArray(other)) return [];
  if (!one.some(isObject) && !other.some(isObject)) return [];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index);
}

/** Returns the paths of leaves, without duplicates. */
export function pathsOf(leaves: readonly { path: Path }[]): Path[] {
  return [...new Map(leaves.map(({ path }) => [JSON.stringify(path), path])).values()];
}

/** Returns the first paths of leaves, because blocks that shift in a set make all of them differ. */
export function firstPathsOf(leaves: readonly { path: Path }[]): Path[] {
  return pathsOf(leaves).slice(0, MAX_PATHS);
}

const MAX_PATHS = 20;
