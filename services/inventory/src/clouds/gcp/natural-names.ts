import type { Json, JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { catalog } from "./catalog.ts";
import { attribute, isChildOfProject } from "./path-template.ts";
import { isPath, lastSegment, locationOf } from "./resource-name.ts";

const RECORD_SET = "google_dns_record_set";
const RECORDS = "/rrsets/";
const LOCATION = /\{(zone|region|location)\}/g;

/** Types whose names are unique in one place of a project, with the attributes that say which place. */
const places = new Map(
  catalog.entries
    .filter(isChildOfProject)
    .map((entry) => [entry, Array.from(entry.path?.matchAll(LOCATION) ?? [], ([, name = ""]) => name)]),
);

/**
 * Where a live resource is and what it is called there: `us-central1-a|web`, as precise as its full name is.
 * Empty for types whose name alone doesn't tell two of them apart. A record set is called by its name and type, and by what
 * it holds besides: a private zone may have what a public one has, and states know no zone by the number that listings have.
 */
export function liveNaturals(
  { name, region, properties }: ListedResource,
  path: string,
  entry: CatalogEntry | undefined,
): string[] {
  if (entry?.terraform[0] === RECORD_SET)
    return recordNaturals(path.split(RECORDS)[1], properties?.["rrdatas"]);
  const place = entry && places.get(entry);
  if (name === undefined || place === undefined) return [];
  const location = locationOf(path) ?? (place.length > 0 ? region : undefined);
  return [`${location ?? "global"}|${name}`];
}

/** The same of a declared resource; `path` is that of its full name, if it has one. */
export function declaredNaturals(
  attributes: JsonObject,
  path: string,
  entry: CatalogEntry | undefined,
): string[] {
  if (entry === undefined) return [];
  const name = attribute(attributes, entry.name ?? "name");
  const place = places.get(entry);
  if (name === undefined) return [];
  if (entry.terraform[0] === RECORD_SET) {
    const type = attribute(attributes, "type");
    return recordNaturals(type && `${name}/${type}`, attributes["rrdatas"]);
  }
  if (place === undefined) return [];
  const location = locationOf(path) ?? placeOf(attributes, place);
  return [`${location}|${isPath(name) ? lastSegment(name) : name}`];
}

function recordNaturals(record: string | undefined, data: Json | undefined): string[] {
  if (record === undefined) return [];
  const name = `global|${record}`;
  if (!Array.isArray(data)) return [name];
  const content = JSON.stringify(data.map(String).toSorted());
  return [`${name}|${Bun.hash.wyhash(content).toString(36)}`, name];
}

function placeOf(attributes: JsonObject, keys: readonly string[]): string {
  const written = keys.map((key) => attribute(attributes, key)).find((value) => value !== undefined);
  return lastSegment(written ?? "global").toLowerCase();
}
