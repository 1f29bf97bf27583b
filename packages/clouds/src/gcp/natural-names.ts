import { sha256 } from "@leeway/shared/values/digest";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { attribute, isChildOfProject } from "./path-template.ts";
import { isPath, lastSegment, locationOf } from "./resource-name.ts";

const RECORD_SET = "google_dns_record_set";
const RECORDS = "/rrsets/";
const LOCATION = /\{(zone|region|location)\}/g;

/** Returns the attributes with the location, for types whose names are unique within a location of a project. */
const placesOf = oncePer((entry: CatalogEntry) =>
  isChildOfProject(entry)
    ? Array.from(entry.path?.matchAll(LOCATION) ?? [], ([, name = ""]) => name)
    : undefined,
);

/**
 * Returns a live resource's location and name, `us-central1-a|web`, which is as precise as its full name. Empty for
 * types whose names aren't unique. A record set uses its name, type and content. A private zone may repeat a public
 * zone's records, and listings number zones in a way that states don't contain.
 */
export function liveNaturals(
  { name, region, properties }: ListedResource,
  path: string,
  entry: CatalogEntry | undefined,
): string[] {
  if (entry?.terraform[0] === RECORD_SET)
    return recordNaturals(path.split(RECORDS)[1], properties?.["rrdatas"]);
  const place = entry && placesOf(entry);
  if (name === undefined || place === undefined) return [];
  const location = locationOf(path) ?? (place.length > 0 ? region : undefined);
  return [`${location ?? "global"}|${name}`];
}

/** Returns the same for a declared resource; `path` is from its full name, if it has one. */
export function declaredNaturals(
  attributes: JsonObject,
  path: string,
  entry: CatalogEntry | undefined,
): string[] {
  if (entry === undefined) return [];
  const name = attribute(attributes, entry.name ?? "name");
  const place = placesOf(entry);
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
  return [`${name}|${sha256(content).toString("base64url").slice(0, 11)}`, name];
}

function placeOf(attributes: JsonObject, keys: readonly string[]): string {
  const written = keys.map((key) => attribute(attributes, key)).find((value) => value !== undefined);
  return lastSegment(written ?? "global").toLowerCase();
}
