import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { changesOf } from "../src/compare-resource.ts";
import { mapperOf } from "../src/tables.ts";
import { TAG_NAMES } from "../src/tags.ts";
import { leavesIn, type Leaf } from "./gap-lines.ts";
import { joined, type Joined } from "./join.ts";
import { objectOf } from "./places.ts";
import type { Argument, Member } from "./schema.ts";
import { trialsFor, type Trial } from "./trials.ts";

/** Settable attributes of a type: those whose change in the cloud is reported, and the others. */
export interface Outcomes {
  reported: string[];
  /** Attributes that have a counterpart in the cloud's schema. */
  missed: string[];
  /** Attributes that have one and aren't compared for a reason that the list of gaps gives. */
  excluded: string[];
  /** Attributes without one. */
  unknown: string[];
  /** Attributes of `reported` whose removal is reported, too, once the cloud has shown them. */
  removed: string[];
}

/** A cloud's resource and the counterparts of a type's arguments in it. */
interface Cloud {
  type: string;
  resource: Member;
  pairs: ReadonlyMap<string, Joined>;
}

/** Member of a cloud's resource that an attribute can be. */
interface Place extends Cloud {
  leaf: Leaf;
  steps: readonly string[];
  member: Member;
}

/**
 * Changes the live value of each settable attribute, and asks the comparison whether it reports the change.
 * @param isExcluded reports whether an attribute isn't compared for a known reason
 */
export function mutate(
  type: string,
  args: readonly Argument[],
  resources: readonly Member[],
  isExcluded: (leaf: Leaf) => boolean = () => false,
): Outcomes {
  const found: Outcomes = { reported: [], missed: [], excluded: [], unknown: [], removed: [] };
  const known = resources.map((resource) => ({ type, resource, pairs: pairsOf(type, args, resource) }));
  for (const leaf of leavesIn(args)) {
    const places = known.flatMap((cloud) => placesOf(leaf, cloud));
    const reports = places.map((place) => reportsOf(place, args));
    const isFound = reports.some(({ changed }) => changed);
    found[isFound ? "reported" : listOf(places, isExcluded(leaf))].push(leaf.path);
    if (reports.some(({ removed }) => removed)) found.removed.push(leaf.path);
  }
  return found;
}

function listOf(places: readonly Place[], isExcluded: boolean): "missed" | "excluded" | "unknown" {
  return places.length === 0 ? "unknown" : isExcluded ? "excluded" : "missed";
}

/**
 * Returns the members that an attribute can be. A row may have another spelling than the schema, and may read an object
 * that contains the attribute's value.
 */
function placesOf(leaf: Leaf, cloud: Cloud): Place[] {
  const known = pathsTo(leaf, cloud.type, cloud.pairs).map((path) => {
    const steps = stepsOf(path);
    return { steps, member: memberAt(cloud.resource, steps) };
  });
  const some = known.find(({ member }) => member !== undefined)?.member;
  if (some === undefined) return [];
  return known.flatMap(({ steps, member = some }) => [
    { ...cloud, leaf, steps, member },
    ...placesInside(leaf, steps, member).map((inside) => ({ ...cloud, leaf, ...inside })),
  ]);
}

function placesInside(
  { steps: around }: Leaf,
  steps: readonly string[],
  member: Member,
): Pick<Place, "steps" | "member">[] {
  const [object, argument] = [objectOf(member), around.at(-1)];
  if (object === undefined || argument === undefined) return [];
  const about = around.map(({ name }) => name).join("_");
  return joined(about, [argument], object).flatMap(({ live }) => {
    const inner = memberAt(object, stepsOf(live));
    return inner ? [{ steps: [...steps, ...stepsOf(live)], member: inner }] : [];
  });
}

export function pairsOf(
  type: string,
  args: readonly Argument[],
  resource: Member,
): ReadonlyMap<string, Joined> {
  return new Map(joined(type, args, resource).map((pair) => [pair.attribute, pair]));
}

/** Returns the possible paths of an attribute's member: that of a row by hand, and that which its name leads to. */
export function pathsTo({ path, steps }: Leaf, type: string, pairs: ReadonlyMap<string, Joined>): string[] {
  const row = mapperOf(type)?.rows[path]?.live.split(" | ") ?? [];
  const pair = pairs.get(path);
  const around = steps.map((_, index) =>
    steps
      .slice(0, index)
      .map(({ name }) => name)
      .join("."),
  );
  const blocks = around.flatMap((block) => pairs.get(block)?.live ?? []);
  return [...row, ...(pair ? [[...blocks, pair.live].join(".")] : [])].filter((one) => one !== "");
}

/** Returns the steps of a path. A step may name one of a list's items: `roles[name=headnode]`. */
export function stepsOf(path: string): string[] {
  return path.replaceAll("[]", "").split(".");
}

export function memberAt(resource: Member, [step = "", ...rest]: readonly string[]): Member | undefined {
  const member = memberOf(resource, step);
  if (member === undefined || rest.length === 0) return member;
  const object = objectOf(member);
  return object && memberAt(object, rest);
}

/** Returns a member. Names may start with a lower- or upper-case letter. */
function memberOf({ members }: Member, step: string): Member | undefined {
  const name = step.replace(SELECTION, "");
  const known = members?.();
  const other =
    name.charAt(0) === name.charAt(0).toUpperCase()
      ? name.charAt(0).toLowerCase()
      : name.charAt(0).toUpperCase();
  return known?.get(name) ?? known?.get(other + name.slice(1));
}

/** Whether a changed value is reported, and whether a member is that is gone from the block around it. */
interface Report {
  changed: boolean;
  removed: boolean;
}

/** Tries a value alone, and then with other values in the same block, which some blocks are known by. */
function reportsOf(place: Place, args: readonly Argument[]): Report {
  const alone = reportsBeside(place, { declared: {}, live: {} });
  return alone.changed || place.leaf.steps.length === 1 ? alone : reportsBeside(place, besides(place, args));
}

/** Other attributes of a resource. */
interface Beside {
  declared: JsonObject;
  live: JsonObject;
}

function reportsBeside({ type, leaf, resource, steps, member }: Place, beside: Beside): Report {
  const reports = trialsOf(type, leaf, member).map(([value, same, other]) => {
    const declared = { id: "x", ...merged(beside.declared, declaredWith(leaf.steps, value)) };
    const compared = (live: Json | undefined, seen?: string) => {
      // Without tags, an answer has an empty list.
      const areTags = TAG_NAMES.includes(leaf.path);
      const shown = areTags ? (live ?? []) : live;
      const properties = merged(beside.live, liveWith(type, resource, steps, shown));
      const tags = areTags ? tagsIn(live) : undefined;
      return changesOf({
        type,
        address: "x",
        declared,
        live: { properties, seen, ...(tags && { tags }) },
      });
    };
    const equal = compared(same);
    const isEqual = equal.change === undefined;
    const changed = isEqual && compared(other).change !== undefined;
    return { changed, removed: changed && compared(undefined, equal.seen).change !== undefined };
  });
  return { changed: reports.some(({ changed }) => changed), removed: reports.some(({ removed }) => removed) };
}

/** Returns equal values of the other attributes in an attribute's block, which is on. */
function besides({ leaf, ...cloud }: Place, args: readonly Argument[]): Beside {
  const around = leaf.steps.slice(0, -1);
  const all: Beside = { declared: {}, live: switchedOn(cloud) };
  for (const argument of (around.at(-1)?.inner ?? args).filter((one) => one.kind !== "block")) {
    const steps = [...around, argument];
    const path = steps.map(({ name }) => name).join(".");
    const [place] = path === leaf.path ? [] : placesOf({ path, kind: argument.kind, steps }, cloud);
    const [trial] = place ? trialsOf(cloud.type, place.leaf, place.member) : [];
    if (place === undefined || trial === undefined) continue;
    all.declared = merged(all.declared, declaredWith(steps, trial[0]));
    all.live = merged(all.live, liveWith(cloud.type, cloud.resource, place.steps, trial[1]));
  }
  return all;
}

/** Returns the object around a member with its switch, which APIs use instead of leaving the object out. */
function switchedOn({ type, resource, steps }: Omit<Place, "leaf">): JsonObject {
  const around = steps.slice(0, -1);
  const member = memberAt(resource, around);
  const object = member && objectOf(member);
  const name = ["enable", "enabled"].find((one) => object?.members?.().get(one)?.kind === "switch");
  return name === undefined ? {} : liveWith(type, resource, [...around, name], true);
}

/** Returns two documents as one. The second counts where both have a value. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([name, value]): [string, Json] => {
    const known = one[name] ?? null;
    return [name, mergedValue(known, value)];
  });
  return { ...one, ...Object.fromEntries(both) };
}

function mergedValue(one: Json, other: Json): Json {
  if (isObject(one) && isObject(other)) return merged(one, other);
  const [first = null, second = null] = [one, other].map((list) =>
    Array.isArray(list) ? list[0] : undefined,
  );
  return isObject(first) && isObject(second) ? [merged(first, second)] : other;
}

function tagsIn(live: Json | undefined): Record<string, string> {
  const [tag = {}] = [live ?? []].flat();
  const named = Object.entries(isObject(tag) ? tag : {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    typeof value === "string" ? value : "",
  ]);
  const { key, value = "", ...others } = Object.fromEntries(named);
  return key === undefined ? { ...others } : { [key]: value };
}

function declaredWith([first, ...rest]: readonly Argument[], value: Json): JsonObject {
  if (first === undefined) return {};
  return { [first.name]: rest.length === 0 ? value : [declaredWith(rest, value)] };
}

export function liveWith(
  type: string,
  resource: Member,
  steps: readonly string[],
  value: Json | undefined,
): JsonObject {
  const [first = ""] = steps;
  if (!type.startsWith("azurerm_")) {
    // An answer isn't empty, and its first member shows how it spells the others.
    const beside = /^[A-Z]/.test(first) ? "BesideIt" : "besideIt";
    return { [beside]: "x", ...built(resource, steps, value) };
  }
  if (!first.startsWith("/")) return { properties: built(resource, steps, value) };
  return Object.fromEntries(
    Object.entries(built(resource, steps, value)).map(([name, inner]) => [name.slice(1), inner]),
  );
}

function built(object: Member, [step = "", ...rest]: readonly string[], value: Json | undefined): JsonObject {
  if (rest.length === 0) return value === undefined ? {} : { [step]: value };
  const member = memberOf(object, step);
  const inner = { ...selectedBy(step), ...built((member && objectOf(member)) ?? object, rest, value) };
  return { [step.replace(SELECTION, "")]: member?.kind === "list" ? [inner] : inner };
}

function selectedBy(step: string): JsonObject {
  const [, key, word = ""] = SELECTION.exec(step) ?? [];
  return key === undefined ? {} : { [key]: word };
}

const SELECTION = /\[(\w+)=(\w+)\]$/;

/** Returns trials for an attribute: that of a key, if its row finds the value by one. */
function trialsOf(type: string, { path, kind }: Pick<Leaf, "path" | "kind">, member: Member): Trial[] {
  const key = mapperOf(type)?.rows[path]?.key;
  if (key === undefined) return trialsFor(kind, member);
  const item = (value: Json): Json =>
    member.kind === "list" ? [{ Key: key, Value: value }] : { [key]: value };
  return trialsFor(kind, { kind: "text" }).map(([value, same, other]) => [value, item(same), item(other)]);
}
