import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redaction/redact";

import { creates, deletes, type ResourceChange } from "../plan/model.ts";
import { isTakenApart, valueAt } from "../plan/differences.ts";

/** An attribute that differs, down to where there are no more blocks. */
export interface Leaf {
  path: Path;
  /** The steps of the path joined by dots, without indices: as tables name attributes. */
  name: string;
  before: Json | undefined;
  after: Json | undefined;
  /** Known after it is applied. */
  unknown: boolean;
  /** Known to differ, but masked. */
  hidden: boolean;
}

/**
 * The attributes in which a change's sides differ; of what is created, all that it has. Blocks that come or go are
 * taken apart, so that a rule finds their attributes.
 */
export function leavesOf(change: ResourceChange): Leaf[] {
  const found = leavesIn(change);
  return NATIVE.test(change.type) ? found.map((leaf) => ({ ...leaf, name: snakeCase(leaf.name) })) : found;
}

/** Pulumi's own providers write in camel case what the tables have as Terraform writes it. */
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

/** What is at a path; undefined when there is nothing. */
export function valueOf(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(valueAt, value);
}

/** A block of a resource, and where. */
export interface Block {
  block: JsonObject;
  path: Path;
}

/** The blocks that these steps lead to, through each of the lists on the way. */
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

/** As tables name the attribute at a path. */
export function nameOf(path: Path): string {
  return path.filter((step) => typeof step === "string").join(".");
}

/** Adds what is in a block, or the value itself. */
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

/** The steps into blocks; none for values, which lists of values are too. */
function stepsOf(before: Json | undefined, after: Json | undefined): Path {
  const [one, other] = [before ?? after, after ?? before];
  if (isObject(one) && isObject(other)) {
    return one === other ? Object.keys(one) : [...new Set([...Object.keys(one), ...Object.keys(other)])];
  }
  if (!Array.isArray(one) || !Array.isArray(other)) return [];
  if (!one.some(isObject) && !other.some(isObject)) return [];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index);
}
