import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redact";

import { creates, deletes, type ResourceChange } from "../plan/model.ts";
import { valueAt } from "../plan/differences.ts";

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

const MOST_DEPTH = 40;

/**
 * The attributes in which a change's sides differ; of what is created, all that it has. Blocks that come or go are
 * taken apart, so that a rule finds their attributes.
 */
export function leavesOf(change: ResourceChange): Leaf[] {
  const found: Leaf[] = [];
  if (!isObject(change.after)) return found;
  if (creates(change) && !deletes(change)) {
    for (const name of Object.keys(change.after)) {
      expand({ path: [name], before: undefined, after: change.after[name], marks: NO_MARKS }, found);
    }
    return found;
  }
  for (const { path, unknown, before_sensitive, after_sensitive } of change.differences) {
    const [before, after] = [valueOf(change.before, path), valueOf(change.after, path)];
    expand({ path, before, after, marks: { unknown, hidden: before_sensitive || after_sensitive } }, found);
  }
  return found;
}

/** What is at a path; undefined when there is nothing. */
export function valueOf(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(valueAt, value);
}

/** As tables name the attribute at a path. */
export function nameOf(path: Path): string {
  return path.filter((step) => typeof step === "string").join(".");
}

const NO_MARKS = { unknown: false, hidden: false };

interface Pair {
  path: Path;
  before: Json | undefined;
  after: Json | undefined;
  marks: { unknown: boolean; hidden: boolean };
}

function expand(pair: Pair, found: Leaf[]): void {
  const { path, before, after, marks } = pair;
  const steps = path.length < MOST_DEPTH ? stepsOf(before, after) : [];
  if (steps.length === 0) {
    const hidden = marks.hidden || (before === REDACTED && after === REDACTED);
    found.push({ path, name: nameOf(path), before, after, unknown: marks.unknown, hidden });
    return;
  }
  for (const step of steps) {
    expand(
      { path: [...path, step], before: valueAt(before, step), after: valueAt(after, step), marks },
      found,
    );
  }
}

/** The steps into blocks; none for values, which lists of values are too. */
function stepsOf(before: Json | undefined, after: Json | undefined): Path {
  const sides = [before, after].filter((side) => side !== undefined && side !== null);
  if (sides.length > 0 && sides.every(isObject))
    return [...new Set(sides.flatMap((side) => Object.keys(side)))];
  if (!sides.every((side) => Array.isArray(side))) return [];
  if (!sides.flat().some(isObject)) return [];
  return Array.from({ length: Math.max(...sides.map(({ length }) => length)) }, (_, index) => index);
}
