import { type JsonObject, text } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

import type { CatalogEntry } from "../catalog.ts";
import type { DeclaredIdentity, DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { catalog, declaredEntry, declares } from "./catalog.ts";
import { idsOfGke, naturalNamesOfGke } from "./gke.ts";
import { declaredNaturals, liveNaturals } from "./natural-names.ts";
import { attribute, pathBuilder } from "./path-template.ts";
import { shortName } from "./payload.ts";
import {
  fullName,
  inProject,
  isNumber,
  lastSegment,
  locationOf,
  parseName,
  projectOf,
  regionOf,
  type ResourceName,
  resourceName,
} from "./resource-name.ts";
import { idsOfTransports } from "./transports.ts";

/** Identifiers of one resource by level; `naturals` combine a location and a name. */
interface Evidence {
  /** Canonical Terraform type, which levels 3 and 4 require. */
  type: string | undefined;
  identities: readonly ResourceName[];
  names: readonly ResourceName[];
  ids: readonly string[];
  naturals: readonly string[];
}

const pathBuilderOf = oncePer(pathBuilder);

/**
 * Returns the keys of a live resource. If its name contains only the project
 * number, level 3 uses `account` instead, because Terraform writes ids.
 */
export function liveKeys(resource: ListedResource, account: string): MatchKey[] {
  const terraform = resource.terraform_type ?? resource.provider_type;
  if (declares(terraform)) return ownFormatKeys(resource, terraform);
  const entry = catalog.byType(resource.provider_type);
  const names = liveNames(resource, entry);
  return keysOf({
    type: entry?.terraform[0],
    identities: entry?.path === undefined ? [] : names,
    names,
    ids: liveIds(resource, names, entry, account).concat(idsOfGke(resource), idsOfTransports(resource)),
    naturals: liveNaturals(resource, names[0]?.path ?? "", entry).concat(naturalNamesOfGke(resource)),
  });
}

/** Returns the keys of a declared resource of any tool, with the project and region in its names. */
export function declaredIdentity({ type, attributes, identity }: DeclaredResource): DeclaredIdentity {
  const entry = declaredEntry(type);
  const identities = builtNames(identity, entry);
  const names = distinct([...declaredNames(attributes, entry), ...identities]);
  const keys = keysOf({
    type: entry?.terraform[0] ?? type,
    identities,
    names,
    ids: declaredIds(attributes, names, entry),
    naturals: declaredNaturals(attributes, names[0]?.path ?? "", entry),
  });
  const account = names.map(({ path }) => projectOf(path)).find(isProjectId);
  const region = names.map(({ path }) => regionOf(locationOf(path))).find((found) => found !== undefined);
  return {
    keys,
    ...(account && { account }),
    ...(region && { region }),
    ...(names.some(isOutside) && { isUnsure: true }),
  };
}

const OUTSIDE = /^(?:accessPolicies|billingAccounts|folders|locations|organizations|tagKeys|tagValues)\//;

/**
 * Reports whether a resource belongs to no project and so is in no
 * project's listing. Apigee organizations do belong to one.
 */
function isOutside({ service, path }: ResourceName): boolean {
  return OUTSIDE.test(path) && service !== "apigee.googleapis.com";
}

/** Returns the full resource names of a declared resource, most reliable first. */
export function declaredNames(
  attributes: JsonObject,
  entry: CatalogEntry | undefined,
): readonly ResourceName[] {
  if (entry !== undefined && entry.path === undefined) return [];
  const service = entry && serviceOf(entry);
  const written = ["id", "self_link", "name"].map((name) => {
    const value = attribute(attributes, name);
    return value === undefined ? undefined : parseName(value, service);
  });
  return distinct([...written, ...builtNames(attributes, entry)]);
}

/** Returns the keys of a row that names its Terraform type; it has the same id as in a state. */
function ownFormatKeys({ provider_resource_id: id, name, region }: ListedResource, type: string): MatchKey[] {
  const entry = declaredEntry(type);
  const names = declaredNames({ id }, entry);
  const place = region === undefined ? {} : { zone: region, region, location: region };
  const called = name === undefined ? {} : { [entry?.name ?? "name"]: name };
  return keysOf({
    type: entry?.terraform[0] ?? type,
    identities: names,
    names,
    ids: declaredIds({ id }, names, entry),
    naturals: declaredNaturals({ ...place, ...called }, names[0]?.path ?? "", entry),
  });
}

function keysOf({ type, identities, names, ids, naturals }: Evidence): MatchKey[] {
  const keys: MatchKey[] = [];
  const add = (key: MatchKey): void => {
    if (!keys.includes(key)) keys.push(key);
  };
  for (const name of identities) add(`1:${fullName(name)}`);
  for (const name of names) add(`2:${fullName(name)}`);
  if (type !== undefined) {
    for (const id of ids) add(`3:${type}|${id}`);
    for (const natural of naturals) add(`4:${type}|${natural}`);
  }
  return keys;
}

/**
 * Returns the full names of a live resource. If one ends with a number (a DNS zone, a service account), the payload
 * contains another name. Search results contain it as the display name.
 */
function liveNames(
  { provider_resource_id, properties }: ListedResource,
  entry: CatalogEntry | undefined,
): ResourceName[] {
  const own = parseName(provider_resource_id, entry && serviceOf(entry));
  if (own === undefined) return [];
  const names = [own];
  for (const key of ["selfLink", "name", "displayName"]) {
    const other = otherName(text(properties, key), own);
    if (other !== undefined) names.push(other);
  }
  const alias = called(own, properties);
  if (alias !== undefined) names.push(alias);
  return names.length === 1 ? names : distinct(names);
}

/** Parses another name. Payloads usually repeat the own one, which needs no parsing. */
function otherName(value: string | undefined, own: ResourceName): ResourceName | undefined {
  if (value === undefined || value.endsWith(own.path)) return undefined;
  const name = parseName(value, own.service);
  return name?.service === own.service ? name : undefined;
}

function called(
  { service, path }: ResourceName,
  properties: JsonObject | undefined,
): ResourceName | undefined {
  const id = lastSegment(path);
  const isProject = path === `projects/${id}`;
  const name = isNumber(id) && !isProject ? shortName(properties) : undefined;
  return name === undefined ? undefined : { service, path: path.slice(0, -id.length) + name };
}

function liveIds(
  { provider_resource_id, account: own }: ListedResource,
  names: readonly ResourceName[],
  entry: CatalogEntry | undefined,
  account: string,
): string[] {
  const paths = names.map(({ path }) => path);
  const project = [own, projectOf(paths[0] ?? ""), account].find(isProjectId);
  const ids = paths.map((path) =>
    project && isNumber(projectOf(path) ?? "") ? inProject(path, project) : path,
  );
  if (entry !== undefined && entry.ids.length > 0) ids.push(...paths.map(lastSegment));
  return ids.length === 0 ? [provider_resource_id] : ids;
}

function declaredIds(
  attributes: JsonObject,
  names: readonly ResourceName[],
  entry: CatalogEntry | undefined,
): string[] {
  const ids = names.map(({ path }) => path);
  const id = attribute(attributes, "id");
  if (id !== undefined && !isName(id, entry)) ids.push(isGrant(entry) ? id.toLowerCase() : id);
  for (const name of entry?.ids ?? []) {
    const value = attribute(attributes, name);
    if (value !== undefined) ids.push(lastSegment(value));
  }
  return ids;
}

function isName(id: string, entry: CatalogEntry | undefined): boolean {
  return entry?.path !== undefined && parseName(id, serviceOf(entry)) !== undefined;
}

/**
 * Reports whether an entry is a grant. Google ignores the case of members, and provider versions write it differently.
 */
function isGrant(entry: CatalogEntry | undefined): boolean {
  return entry?.terraform[0]?.endsWith("_iam_member") ?? false;
}

function builtNames(attributes: JsonObject | undefined, entry: CatalogEntry | undefined): ResourceName[] {
  if (attributes === undefined || entry === undefined) return [];
  const path = pathBuilderOf(entry)(attributes);
  return path === undefined ? [] : [resourceName(serviceOf(entry), path)];
}

function serviceOf({ type }: CatalogEntry): string {
  return type.slice(0, type.indexOf("/"));
}

function isProjectId(project: string | undefined): project is string {
  return project !== undefined && !isNumber(project);
}

function distinct(names: readonly (ResourceName | undefined)[]): ResourceName[] {
  const found: ResourceName[] = [];
  for (const name of names) {
    if (
      name !== undefined &&
      !found.some(({ service, path }) => service === name.service && path === name.path)
    ) {
      found.push(name);
    }
  }
  return found;
}
