import { isDeepStrictEqual } from "node:util";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

import { keyOf } from "../../plan/canonical-json.ts";
import { LIKELY, OWNED } from "../confidence.ts";
import { at, type LeafRule, type ListPair, type ListRule, type Subject } from "../detector.ts";
import { lookup } from "../lookup.ts";
import { pathPattern } from "../path-pattern.ts";
import type { PlanIndex } from "../plan-index.ts";
import { STANDALONE, type Standalone } from "./standalone.ts";
import { meaningOf } from "./same-json.ts";

/** Limit on comparisons: characters of items times possible declarations. It bounds the time for any plan. */
const MAX_COMPARED = 50_000_000;
const compared = new WeakMap<PlanIndex, number>();

/**
 * Inline items that are managed by their own resources: they appear in the block as drift, and the plan would remove
 * them. Certain if each item is declared by such a resource.
 */
export const inlineItems: ListRule = {
  class: "inline_vs_standalone",
  concerns: (path, { change }) => lookup(STANDALONE, `${change.type}.${pathPattern(path)}`) !== undefined,
  judge({ path, before, after }, subject) {
    const declared = declaredFor(path, subject);
    const items = declared.length > 0 ? onlyAdded({ path, before, after }, subject) : [];
    if (items.length === 0) return undefined;
    if (!mayCompare(items, declared, subject)) return LIKELY;
    const isDeclared = (item: Json): boolean => declared.some((one) => declares(one, item));
    return items.flatMap(splitLists).every(isDeclared) ? OWNED : LIKELY;
  },
};

/** A policy that its own resource attaches. */
export const inlineText: LeafRule = {
  class: "inline_vs_standalone",
  judge({ path, before, after }, subject) {
    const [none, some] = subject.source === "drift" ? [before, after] : [after, before];
    if (typeof some !== "string" || some === "" || (none !== null && none !== "")) return undefined;
    const declared = declaredFor(path, subject);
    if (declared.length === 0) return undefined;
    const meaning = meaningOf(some, { type: subject.change.type, path });
    return declared.some(({ meanings }) => meanings().has(meaning)) ? OWNED : LIKELY;
  },
};

/** Returns the items that only the live side has; none if the declared side has items of its own. */
function onlyAdded({ before, after }: ListPair, { source }: Subject): Json[] {
  const [declared, live] = source === "drift" ? [before, after] : [after, before];
  const isDeclared = isAmong(declared);
  return declared.every(isAmong(live)) ? live.filter((item) => !isDeclared(item)) : [];
}

const keysIn = oncePer((items: readonly Json[]): ReadonlySet<string> => new Set(items.map(keyOf)));

function isAmong(items: readonly Json[]): (item: Json) => boolean {
  const keys = keysIn(items);
  return (item) => keys.has(keyOf(item));
}

function mayCompare(items: readonly Json[], declared: readonly Declared[], { plan }: Subject): boolean {
  const count = declared.reduce((sum, { children }) => sum + children.length, 0);
  const characters = items.reduce<number>((sum, item) => sum + keyOf(item).length * splitCount(item), 0);
  const all = (compared.get(plan) ?? 0) + characters * count;
  if (all > MAX_COMPARED) return false;
  compared.set(plan, all);
  return true;
}

/** Declarations by resources of a type that replace a block. */
interface Declared {
  standalone: Standalone;
  children: readonly Child[];
  /** Meanings of those declarations that are text. */
  meanings: () => ReadonlySet<string>;
}

interface Child {
  after: Json;
  /** Attribute with the item, for blocks that don't list objects. */
  text: Json;
}

const known = new WeakMap<PlanIndex, Map<string, Declared>>();

/** Returns the plan's own resources that declare a block's items, by type. */
function declaredFor(path: Path, { change, plan }: Subject): Declared[] {
  const place = `${change.type}.${pathPattern(path)}`;
  const ofPlan = known.get(plan) ?? new Map<string, Declared>();
  known.set(plan, ofPlan);
  return (lookup(STANDALONE, place) ?? []).flatMap((standalone) => {
    const target = at(change.before, [standalone.link[1]]);
    if (typeof target !== "string" || target === "") return [];
    const key = JSON.stringify([place, standalone.type, target]);
    const declared = ofPlan.get(key) ?? declaredBy(standalone, target, { change, plan, path });
    ofPlan.set(key, declared);
    return declared.children.length > 0 ? [declared] : [];
  });
}

function declaredBy(
  standalone: Standalone,
  target: string,
  { change: { type }, plan, path }: Pick<Subject, "change" | "plan"> & { path: Path },
): Declared {
  const { value } = standalone;
  const children = plan
    .ofTypeWith(standalone.type, standalone.link[0], target)
    .filter(({ after, mode }) => mode === "managed" && standsFor(after, standalone))
    .map(({ after }) => ({ after, text: value === undefined ? null : at(after, [value]) }));
  let meanings: ReadonlySet<string> | undefined;
  return {
    standalone,
    children,
    meanings: () =>
      (meanings ??= new Set(
        children.flatMap(({ text }) => (typeof text === "string" ? [meaningOf(text, { type, path })] : [])),
      )),
  };
}

function standsFor(child: Json, { where = {} }: Standalone): boolean {
  return Object.entries(where).every(([name, value]) => isDeepStrictEqual(at(child, [name]), value));
}

/** Returns how many items {@link splitLists} makes from one. */
function splitCount(item: Json): number {
  const lists = isObject(item) ? Object.values(item).filter((value) => Array.isArray(value)) : [];
  return Math.max(
    1,
    lists.reduce((sum, { length }) => sum + length, 0),
  );
}

/**
 * Splits a block with several values into one item for each, because separate resources may declare them one by one.
 */
function splitLists(item: Json): Json[] {
  if (!isObject(item)) return [item];
  const lists = Object.entries(item).filter(([, value]) => Array.isArray(value) && value.length > 0);
  if (lists.length === 0) return [item];
  const rest = Object.fromEntries(Object.entries(item).filter(([, value]) => !Array.isArray(value)));
  return lists.flatMap(([name, values]) =>
    Array.isArray(values) ? values.map((value) => ({ ...rest, [name]: [value] })) : [],
  );
}

/** Checks whether a resource declares everything in an item; its lists must contain the item's. */
function declares({ children, standalone: { keys, names = {} } }: Declared, item: Json): boolean {
  if (!isObject(item)) return item !== null && children.some(({ text }) => isDeepStrictEqual(item, text));
  const compared = (keys ?? Object.keys(item))
    .map((name) => ({ name: lookup(names, name) ?? name, value: lookup(item, name) ?? null }))
    .filter(({ value }) => keys !== undefined || !isNothing(value));
  if (compared.length === 0 || compared.some(({ value }) => value === null)) return false;
  return children.some(({ after }) => compared.every(({ name, value }) => covers(at(after, [name]), value)));
}

function covers(own: Json, value: Json): boolean {
  if (typeof value !== "object") return own === value;
  if (!Array.isArray(value)) return isDeepStrictEqual(own, value);
  return value.every(isAmong(Array.isArray(own) ? own : [own]));
}

function isNothing(value: Json): boolean {
  if (typeof value !== "object") return value === "" || value === false;
  return value === null || Object.keys(value).length === 0;
}
