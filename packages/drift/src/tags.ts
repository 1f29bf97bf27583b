import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { memberOf } from "./live-path.ts";
import { namesOf } from "./names.ts";
import type { Found, LiveProperties } from "./live.ts";
import type { TypeMapper } from "./tables.ts";

/** Attributes with all tags of a resource and with the configured ones. */
interface Place {
  all: string;
  own?: string;
  isOwn?: (key: string, all: JsonObject, own: JsonObject) => boolean;
  /** Reports whether only the cloud sets tags with this key. */
  isCloudOwn?: (key: string) => boolean;
}

/** Places of tags; the first one that the state has counts. */
const PLACES: readonly Place[] = [
  // Tags that don't come from the provider's defaults count as the resource's own.
  {
    all: "tags_all",
    own: "tags",
    isOwn: (key, all, own) => Object.hasOwn(own, key) || !Object.hasOwn(all, key),
  },
  {
    all: "effective_labels",
    own: "labels",
    isOwn: (key, _, own) => Object.hasOwn(own, key),
    // Users' labels can't contain a slash, unlike Cloud Run's `cloud.googleapis.com/location`.
    isCloudOwn: (key) => key.includes("/"),
  },
  ...["tags", "labels", "user_labels", "resource_labels"].map((all) => ({ all })),
];

/** Attributes that contain tags. */
export const TAG_NAMES: readonly string[] = PLACES.flatMap(({ all, own }) =>
  own === undefined ? [all] : [all, own],
);

/**
 * Returns the live values of attributes with tags; empty if the listing contains no tags.
 * @param mapper the type's mapper; an attribute with a row, such as a node group's `labels`, isn't a tag
 */
export function foundTags(
  declared: JsonObject,
  { tags, properties }: LiveProperties,
  { rows, hasTagsInAnyCase }: TypeMapper,
): Found[] {
  // An autoscaling group has its tags as blocks.
  if (tags === undefined || declared["tag"] !== undefined) return [];
  // An empty set of tags counts only if the listing contains the member.
  const isListed = Object.keys(tags).length > 0 || memberOf(properties, namesOf("tags")) !== undefined;
  const place = PLACES.find(({ all }) => isMap(declared[all]) && !Object.hasOwn(rows, all));
  if (!isListed || place === undefined) return [];
  const known = mapAt(declared, place.all);
  const named = Object.entries(hasTagsInAnyCase ? inCaseOf(known, tags) : tags);
  const live = named.filter(([key]) => Object.hasOwn(known, key) || !place.isCloudOwn?.(key));
  return isHidden(declared[place.all]) ? ownTags(declared, place, live) : allTags(declared, place, live);
}

/** Returns tags with the declared spelling of their names, whose case doesn't matter. */
function inCaseOf(known: JsonObject, tags: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Map(Object.keys(known).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  );
}

function isMap(value: Json | undefined): boolean {
  return isObject(value) || value === null || isHidden(value);
}

/** Reports whether a map is hidden as a whole, and so is a text. */
function isHidden(value: Json | undefined): boolean {
  return typeof value === "string";
}

type Tags = readonly [key: string, value: string][];

/** Returns only declared tags. If the set of all tags is hidden, it is unknown whether other tags are declared. */
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
  // Differences in the resource's own tags are reported only once.
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
