import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { accountOf, type Arn, canonicalId, parseArn } from "./arn.ts";
import { textField } from "./payload.ts";
import { typeByEngine } from "./rds-family.ts";
import { catalog, forms, isNamed } from "./types.ts";

/** Content of a row, independent of its format. */
export interface Row {
  /** CloudFormation type; absent if the row has none or only the service's own name for it. */
  type?: string | undefined;
  /** The service's own type name, such as `ec2:instance`, for types missing from the catalog. */
  serviceType?: string | undefined;
  arn?: string | undefined;
  /** Identifier from the listing, for rows without an ARN. */
  id?: string | undefined;
  account?: string | undefined;
  region?: string | undefined;
  name?: string | undefined;
  tags?: Record<string, string> | undefined;
  properties?: JsonObject | undefined;
  complete?: boolean;
  created?: Json | undefined;
}

/** Returns the resource in a row; null if the row doesn't contain its id or type. */
export function listed(row: Row): ListedResource | null {
  const subject = subjectOf(row);
  if (subject === undefined) return null;
  const { id, type, entry, arn } = subject;
  const resource: ListedResource = {
    provider_resource_id: id,
    provider_type: type,
    complete: row.complete ?? false,
  };
  set(resource, "account", row.account ?? accountOf(arn));
  set(resource, "region", regionOf(arn, row.region));
  set(resource, "name", nameOf(entry, arn, row));
  set(resource, "tags", row.tags);
  set(resource, "properties", row.properties);
  set(resource, "created_at", timestamp(row.created));
  return resource;
}

interface Subject {
  id: string;
  type: string;
  entry: CatalogEntry | undefined;
  arn: Arn | undefined;
}

function subjectOf(row: Row): Subject | undefined {
  const known = catalog.byType(row.type ?? "");
  const id = identifierOf(known, row);
  if (id === undefined || id === "") return undefined;
  const arn = parseArn(canonicalId(id));
  const entry = entryOf(known, arn, row.properties);
  const type = entry?.type ?? typeAsListed(row, arn);
  return type === undefined ? undefined : { id, type, entry, arn };
}

function entryOf(
  known: CatalogEntry | undefined,
  arn: Arn | undefined,
  properties: JsonObject | undefined,
): CatalogEntry | undefined {
  const entry = known ?? (arn && forms.recognize(arn)?.entry);
  return entry && typeByEngine(entry, properties);
}

function identifierOf(entry: CatalogEntry | undefined, row: Row): string | undefined {
  if (row.arn === undefined) return ownArn(entry, row.properties) ?? row.id?.trim();
  const id = canonicalId(row.arn);
  return parseArn(id) === undefined ? undefined : id;
}

function set<K extends keyof ListedResource>(
  resource: ListedResource,
  key: K,
  value: ListedResource[K] | undefined,
): void {
  if (value !== undefined) resource[key] = value;
}

/** Returns tags as a record, from a payload's list or object; undefined if there are none. */
export function tagsOf(value: Json | undefined): Record<string, string> | undefined {
  const pairs = Array.isArray(value)
    ? value.filter(isObject).map(tagPair)
    : isObject(value)
      ? Object.entries(value)
      : [];
  const tags = pairs.filter(
    (pair): pair is [string, string] => typeof pair[0] === "string" && typeof pair[1] === "string",
  );
  return tags.length === 0 ? undefined : Object.fromEntries(tags);
}

function tagPair(tag: JsonObject): [Json | undefined, Json | undefined] {
  return [
    textField(tag, "Key") ?? textField(tag, "TagKey"),
    tag["Value"] ?? tag["value"] ?? tag["tagValue"] ?? "",
  ];
}

/**
 * Returns the resource's own ARN from its properties: `Arn`, or for a function `FunctionArn`. If the type is unknown, a
 * property counts if its name fits the ARN that it contains, and only one does.
 */
function ownArn(entry: CatalogEntry | undefined, properties: JsonObject | undefined): string | undefined {
  if (properties === undefined) return undefined;
  const found = new Set<string>();
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value !== "string" || !/arn$/i.test(name)) continue;
    const id = canonicalId(value);
    const arn = parseArn(id);
    if (arn !== undefined && namesItself(entry, name.toLowerCase(), arn)) found.add(id);
  }
  const [arn, ...more] = found;
  return more.length === 0 ? arn : undefined;
}

function namesItself(entry: CatalogEntry | undefined, name: string, arn: Arn): boolean {
  if (entry !== undefined && forms.idOf(entry, arn) === undefined) return false;
  const type = entry ?? forms.recognize(arn)?.entry;
  if (type === undefined) return name === "arn";
  return name === "arn" || name === `${type.type.slice(type.type.lastIndexOf(":") + 1).toLowerCase()}arn`;
}

/** Returns the listed type, or one built from the ARN as Resource Explorer names it, such as `ec2:instance`. */
function typeAsListed({ type, serviceType }: Row, arn: Arn | undefined): string | undefined {
  if (type !== undefined || serviceType !== undefined || arn === undefined) return type ?? serviceType;
  const [word] = arn.resource.replace(/^\//, "").split(/[/:]/, 1);
  return word === undefined || word === arn.resource ? arn.service : `${arn.service}:${word}`;
}

/**
 * Returns the region from the ARN; an ARN without one is global. Buckets are the exception: their ARNs have no region.
 */
function regionOf(arn: Arn | undefined, listedRegion: string | undefined): string | undefined {
  const region = arn === undefined || arn.service === "s3" ? arn?.region || listedRegion : arn.region;
  return region === "global" || region === "" ? undefined : region;
}

function nameOf(entry: CatalogEntry | undefined, arn: Arn | undefined, row: Row): string | undefined {
  if (entry === undefined || !isNamed(entry)) return givenName(entry, row);
  return (arn && forms.idOf(entry, arn)) ?? row.name ?? row.id;
}

function givenName(entry: CatalogEntry | undefined, { name, properties, tags }: Row): string | undefined {
  const last = entry?.type.slice(entry.type.lastIndexOf(":") + 1) ?? "";
  return name ?? textField(properties, "Name") ?? textField(properties, `${last}Name`) ?? tags?.["Name"];
}

function timestamp(value: Json | undefined): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  // AWS CLI version 1 prints seconds since 1970.
  const time = new Date(typeof value === "number" ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
