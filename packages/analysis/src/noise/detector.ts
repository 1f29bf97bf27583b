import { isDeepStrictEqual } from "node:util";

import type { AttributeChange, NoiseClass, Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { valueAt } from "../plan/differences.ts";
import type { ResourceChange } from "../plan/model.ts";
import { keysInto, pathKey } from "../plan/path-keys.ts";
import type { PlanIndex } from "./plan-index.ts";

export type NoiseSource = "change" | "drift";

/** Input of a detector. */
export interface Subject {
  change: ResourceChange;
  source: NoiseSource;
  plan: PlanIndex;
  /** Differences that are readable on both sides: neither masked nor unknown. */
  readable: ReadonlySet<AttributeChange>;
}

/** Differences of one change, and the reason why they are noise. */
export interface Explanation {
  class: NoiseClass;
  confidence: number;
  /** Path of the noise; for a list's items, the list. */
  at: Path;
  differences: readonly AttributeChange[];
  before: Json;
  after: Json;
}

/** Explains some of the differences that are still unexplained. */
export type Detector = (open: readonly AttributeChange[], subject: Subject) => Explanation[];

/** A readable difference. */
export interface Leaf {
  path: Path;
  before: Json;
  after: Json;
}

/** Returns a confidence if the difference is noise of this class. */
export interface LeafRule {
  class: NoiseClass;
  judge: (leaf: Leaf, subject: Subject) => number | undefined;
}

/** Builds a detector from rules; the first rule that explains a difference wins. */
export function byLeaf(rules: readonly LeafRule[]): Detector {
  return (open, subject) =>
    open.flatMap((difference) => {
      if (!subject.readable.has(difference)) return [];
      const leaf = leafOf(difference);
      for (const rule of rules) {
        const confidence = rule.judge(leaf, subject);
        if (confidence !== undefined) return [explain(difference, rule.class, confidence)];
      }
      return [];
    });
}

/** A list that differs, with all differences in it. */
export interface ListPair {
  path: Path;
  before: readonly Json[];
  after: readonly Json[];
}

export interface ListRule {
  class: NoiseClass;
  /** Returns whether the rule looks at this list. */
  concerns: (path: Path, subject: Subject) => boolean;
  judge: (list: ListPair, subject: Subject) => number | undefined;
}

/** Builds a detector for lists that are readable on both sides, outer ones first. A missing list counts as empty. */
export function byList(rule: ListRule): Detector {
  return (open, subject) => {
    const explained = new Set<AttributeChange>();
    return listsOf(open)
      .filter(({ path }) => rule.concerns(path, subject))
      .flatMap(({ path, differences }) => {
        if (differences.some((difference) => explained.has(difference) || !subject.readable.has(difference)))
          return [];
        const [before, after] = [at(subject.change.before, path), at(subject.change.after, path)];
        if (isMasked(before) || isMasked(after)) return [];
        const [were, are] = [itemsOf(before), itemsOf(after)];
        const confidence = were && are && rule.judge({ path, before: were, after: are }, subject);
        if (confidence === undefined) return [];
        for (const difference of differences) explained.add(difference);
        return [{ class: rule.class, confidence, at: path, differences, before, after }];
      });
  };
}

interface DifferingList {
  path: Path;
  differences: AttributeChange[];
}

/** Tree of the positions that have differences, by path step. */
interface Place {
  list?: DifferingList;
  below: Map<string | number, Place>;
}

function listsOf(open: readonly AttributeChange[]): DifferingList[] {
  const root: Place = { below: new Map() };
  const lists: DifferingList[] = [];
  for (const difference of open) {
    let place = root;
    for (const [index, step] of difference.path.entries()) {
      const inner: Place = place.below.get(step) ?? { below: new Map() };
      place.below.set(step, inner);
      place = inner;
      if (!isList(difference, index + 1)) continue;
      if (!inner.list)
        lists.push((inner.list = { path: difference.path.slice(0, index + 1), differences: [] }));
      inner.list.differences.push(difference);
    }
  }
  return lists;
}

function isList({ path, before, after }: AttributeChange, length: number): boolean {
  if (length < path.length) return typeof path[length] === "number";
  return Array.isArray(before) || Array.isArray(after);
}

function itemsOf(value: Json): readonly Json[] | undefined {
  return value === null ? [] : Array.isArray(value) ? value : undefined;
}

export function explain(
  difference: AttributeChange,
  noiseClass: NoiseClass,
  confidence: number,
): Explanation {
  const { path, before, after } = leafOf(difference);
  return { class: noiseClass, confidence, at: path, differences: [difference], before, after };
}

/** Returns the value at a path of a resource; null if there is none. */
export function at(resource: Json, path: Path): Json {
  return path.reduce<Json | undefined>(valueAt, resource) ?? null;
}

export function leafOf({ path, before, after }: AttributeChange): Leaf {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of a plan are JSON
  return { path, before: before as Json, after: after as Json };
}

export function isReadable(difference: AttributeChange): boolean {
  const { before_sensitive, after_sensitive, unknown } = difference;
  if (before_sensitive || after_sensitive || unknown) return false;
  const { before, after } = leafOf(difference);
  return !isMasked(before) && !isMasked(after);
}

/** Checks whether part of a value is masked, so that it can't be compared. */
function isMasked(value: Json): boolean {
  if (typeof value === "string") return value.includes(REDACTED);
  return typeof value === "object" && value !== null && JSON.stringify(value).includes(REDACTED);
}

/** Returns the paths at or above a difference. Several rules ask for each difference. */
const differingIn = oncePer((change: ResourceChange) =>
  keysInto(change.differences.map((difference) => difference.path)),
);

/** Checks whether a change has a difference at a path or below it. */
export function differsAt(change: ResourceChange, path: Path): boolean {
  return differingIn(change).has(pathKey(path));
}

/** Checks whether a planned change only reverts this plan's drift. */
export function isTakenBack({ path, before, after }: Leaf, { change, source, plan }: Subject): boolean {
  const drift = source === "change" ? plan.driftOf(change) : undefined;
  return (
    drift !== undefined &&
    differsAt(drift, path) &&
    isDeepStrictEqual(at(drift.before, path), after) &&
    isDeepStrictEqual(at(drift.after, path), before)
  );
}
