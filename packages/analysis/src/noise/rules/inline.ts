import { isDeepStrictEqual } from "node:util";

import { isObject, type Json } from "@leeway/shared/json";

import { keyOf } from "../canonical-json.ts";
import { LIKELY, OWNED } from "../confidence.ts";
import { at, type LeafRule, type ListPair, type ListRule, type Subject } from "../detector.ts";
import { lookup } from "../lookup.ts";
import { pathPattern } from "../path-pattern.ts";
import { STANDALONE, type Standalone } from "./standalone.ts";
import { isSameDocument } from "./same-json.ts";

/** Of items and what declares them: more aren't compared, so that no plan makes this slow. */
const MOST_PAIRS = 500_000;

/**
 * Items of a block that resources of their own manage: they appear in the block outside, and the plan would take them
 * out of it. Sure where each item is one that such a resource declares.
 */
export const inlineItems: ListRule = {
  class: "inline_vs_standalone",
  concerns: (path, { change }) => lookup(STANDALONE, `${change.type}.${pathPattern(path)}`) !== undefined,
  judge({ path, before, after }, subject) {
    const items = onlyAdded({ path, before, after }, subject);
    const declared = declaredFor(pathPattern(path), subject);
    if (items.length === 0 || declared.length === 0) return undefined;
    const single = items.flatMap(splitLists);
    if (single.length * declared.length > MOST_PAIRS) return LIKELY;
    const isDeclared = (item: Json): boolean => declared.some(({ declares }) => declares(item));
    return single.every(isDeclared) ? OWNED : LIKELY;
  },
};

/** A policy that a resource of its own attaches. */
export const inlineText: LeafRule = {
  class: "inline_vs_standalone",
  judge({ path, before, after }, subject) {
    const [none, some] = subject.source === "drift" ? [before, after] : [after, before];
    if (typeof some !== "string" || some === "" || (none !== null && none !== "")) return undefined;
    const declared = declaredFor(pathPattern(path), subject);
    if (declared.length === 0) return undefined;
    const place = { type: subject.change.type, path };
    return declared.some(({ text }) => text === some || isSameDocument(text, some, place)) ? OWNED : LIKELY;
  },
};

/** The items that only the side without configuration has; none when the other has own ones too. */
function onlyAdded({ before, after }: ListPair, { source }: Subject): Json[] {
  const [declared, live] = source === "drift" ? [before, after] : [after, before];
  return declared.every(isAmong(live)) ? live.filter((item) => !isAmong(declared)(item)) : [];
}

function isAmong(items: readonly Json[]): (item: Json) => boolean {
  const keys = new Set(items.map(keyOf));
  return (item) => keys.has(keyOf(item));
}

interface Declared {
  text: Json;
  declares: (item: Json) => boolean;
}

/** What the plan's own resources declare in the place of a block. */
function declaredFor(pattern: string, { change, plan }: Subject): Declared[] {
  return (lookup(STANDALONE, `${change.type}.${pattern}`) ?? []).flatMap((standalone) => {
    const [own, parents] = standalone.link;
    const target = at(change.before, [parents]);
    if (typeof target !== "string" || target === "") return [];
    return plan
      .ofTypeWith(standalone.type, own, target)
      .filter(({ after, mode }) => mode === "managed" && standsFor(after, standalone))
      .map(({ after }): Declared => {
        const text = standalone.value === undefined ? null : at(after, [standalone.value]);
        return { text, declares: (item) => declares(after, item, { text, ...standalone }) };
      });
  });
}

function standsFor(child: Json, { where = {} }: Standalone): boolean {
  return Object.entries(where).every(([name, value]) => isDeepStrictEqual(at(child, [name]), value));
}

/** A block that lists several things is split into one for each, as own resources may declare them one by one. */
function splitLists(item: Json): Json[] {
  if (!isObject(item)) return [item];
  const lists = Object.entries(item).filter(([, value]) => Array.isArray(value) && value.length > 0);
  if (lists.length === 0) return [item];
  const rest = Object.fromEntries(Object.entries(item).filter(([, value]) => !Array.isArray(value)));
  return lists.flatMap(([name, values]) =>
    Array.isArray(values) ? values.map((value) => ({ ...rest, [name]: [value] })) : [],
  );
}

/** All that an item says, its resource says too; of lists, the resource's has all that the item's has. */
function declares(child: Json, item: Json, { text, keys, names }: Standalone & { text: Json }): boolean {
  if (!isObject(item)) return item !== null && isDeepStrictEqual(item, text);
  const told = keys
    ? keys.map((key): [string, Json] => [key, lookup(item, key) ?? null])
    : Object.entries(item).filter(([, value]) => !isNothing(value));
  return (
    told.length > 0 &&
    told.every(
      ([name, value]) => value !== null && covers(at(child, [lookup(names ?? {}, name) ?? name]), value),
    )
  );
}

function covers(own: Json, value: Json): boolean {
  if (!Array.isArray(value)) return isDeepStrictEqual(own, value);
  return value.every(isAmong(Array.isArray(own) ? own : [own]));
}

function isNothing(value: Json): boolean {
  if (typeof value !== "object") return value === "" || value === false;
  return value === null || Object.keys(value).length === 0;
}
