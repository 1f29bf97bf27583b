import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { memberOf } from "./live-path.ts";
import { namesOf } from "./names.ts";
import type { Found, LiveProperties } from "./projected.ts";
import type { TypeMapper } from "./tables.ts";

/** Where providers keep all tags of a resource and where the configured ones. */
interface Place {
  all: string;
  own?: string;
  isOwn?: (key: string, all: JsonObject, own: JsonObject) => boolean;
  /** Whether only the cloud itself sets a tag of this key. */
  isCloudOwn?: (key: string) => boolean;
}

/** The first that the state has counts. */
const PLACES: readonly Place[] = [
  // What comes from elsewhere than the provider's defaults counts as the resource's own.
  {
    all: "tags_all",
    own: "tags",
    isOwn: (key, all, own) => Object.hasOwn(own, key) || !Object.hasOwn(all, key),
  },
  {
    all: "effective_labels",
    own: "labels",
    isOwn: (key, _, own) => Object.hasOwn(own, key),
    // As `cloud.googleapis.com/location` of what runs on Cloud Run: nobody else's label may have a slash.
    isCloudOwn: (key) => key.includes("/"),
  },
  ...["tags", "labels", "user_labels", "resource_labels"].map((all) => ({ all })),
];

/** The attributes that hold tags. */
export const TAG_NAMES: readonly string[] = PLACES.flatMap(({ all, own }) =>
  own === undefined ? [all] : [all, own],
);

/**
 * What is live of the attributes that hold tags; nothing where the listing tells no tags.
 * @param mapper the type's: what it has a row for, a node group's `labels`, is something else
 */
export function foundTags(
  declared: JsonObject,
  { tags, properties }: LiveProperties,
  { rows, hasTagsInAnyCase }: TypeMapper,
): Found[] {
  // An autoscaling group has its tags as blocks.
  if (tags === undefined || declared["tag"] !== undefined) return [];
  // No tags may mean that the listing knows of none, unless it names them.
  const isTold = Object.keys(tags).length > 0 || memberOf(properties, namesOf("tags")) !== undefined;
  const place = PLACES.find(({ all }) => isMap(declared[all]) && !Object.hasOwn(rows, all));
  if (!isTold || place === undefined) return [];
  const known = mapAt(declared, place.all);
  const named = Object.entries(hasTagsInAnyCase ? inCaseOf(known, tags) : tags);
  const live = named.filter(([key]) => Object.hasOwn(known, key) || !place.isCloudOwn?.(key));
  return isHidden(declared[place.all]) ? ownTags(declared, place, live) : allTags(declared, place, live);
}

/** Tags under the names that they are known by, whose case doesn't matter. */
function inCaseOf(known: JsonObject, tags: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Map(Object.keys(known).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  );
}

function isMap(value: Json | undefined): boolean {
  return isObject(value) || value === null || isHidden(value);
}

/** A map that is hidden as a whole is a text. */
function isHidden(value: Json | undefined): boolean {
  return typeof value === "string";
}

type Tags = readonly [key: string, value: string][];

/** Where it is hidden which tags there are in all, nobody knows of another one whether it is declared. */
function ownTags(declared: JsonObject, { own = "" }: Place, tags: Tags): Found[] {
  const known = declared[own];
  if (!isObject(known)) return [];
  const live = Object.fromEntries(tags.filter(([key]) => Object.hasOwn(known, key)));
  return [{ steps: [own], declared: known, live }];
}

function allTags(declared: JsonObject, place: Place, tags: Tags): Found[] {
  const ownName = place.own !== undefined && isHidden(declared[place.own]) ? undefined : place.own;
  const all = mapAt(declared, place.all);
  const own = ownName === undefined ? {} : mapAt(declared, ownName);
  const isOwn = (key: string): boolean => (ownName !== undefined && place.isOwn?.(key, all, own)) ?? false;
  // What differs in the resource's own tags isn't told twice.
  const kept = Object.entries(all).filter(([key]) => isOwn(key));
  const others = tags.filter(([key]) => !isOwn(key));
  const found = [{ steps: [place.all], declared: all, live: Object.fromEntries<Json>([...kept, ...others]) }];
  if (ownName === undefined) return found;
  const live = Object.fromEntries(tags.filter(([key]) => isOwn(key)));
  return [{ steps: [ownName], declared: own, live }, ...found];
}

function mapAt(declared: JsonObject, name: string): JsonObject {
  const value = declared[name];
  return isObject(value) ? value : {};
}
