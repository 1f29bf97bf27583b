import type { CatalogEntry } from "../catalog.ts";
import type { DeclaredIdentity, DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { attribute } from "../pulumi.ts";
import { azureCatalog } from "./azure-catalog.ts";
import { dataPlaneName } from "./data-plane.ts";
import { managedGroupKeys } from "./managed-group.ts";
import { regionOf } from "./region.ts";
import { nameAfter, parseResourceId, type ResourceId } from "./resource-id.ts";
import { terraformType } from "./terraform-type.ts";

const DECLARES = /^(?:azurerm_|azuread_|azapi_|azure:|azuread:|azure-native[\w-]*:|microsoft\.)/i;

/** Reports whether a declared type of any tool belongs to Azure. */
export function declares(type: string): boolean {
  return DECLARES.test(type);
}

/**
 * Returns the keys of a live resource. Level 1 is unused: azurerm's
 * identity object only splits the id and matches no more.
 */
export function liveKeys(resource: ListedResource): MatchKey[] {
  const type = resource.terraform_type ?? resource.provider_type;
  return [...idKeys(type, resource.provider_resource_id), ...managedGroupKeys(resource)];
}

/** Returns the keys of a declared resource, the subscription in its ids, and its location's region. */
export function declaredIdentity(resource: DeclaredResource): DeclaredIdentity {
  const type = terraformType(resource.type);
  const names = ["id", ...(azureCatalog.byTerraform(type)?.ids ?? [])];
  const ids = names
    .map((name) => attribute(resource.attributes, name))
    .filter((id): id is string => typeof id === "string" && id !== "");
  const keys = new Set(ids.flatMap((id) => idKeys(type, id)));
  const account = ids.map(subscriptionOf).find((subscription) => subscription !== undefined);
  const region = regionOf(resource.attributes);
  return {
    keys: [...keys].toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0)),
    ...(account !== undefined && { account }),
    ...(region !== undefined && { region }),
  };
}

/** Returns the subscription in an id. A composed id begins with that of the containing resource. */
function subscriptionOf(id: string): string | undefined {
  return parseResourceId(id.split("|", 1)[0] ?? "")?.subscription;
}

function idKeys(type: string, written: string): MatchKey[] {
  const id = parseResourceId(ownId(type, written));
  const entry = id && azureCatalog.byType(id.type);
  return id === undefined || isBorrowed(type, entry) ? [typedKey(type, written)] : resourceKeys(id, entry);
}

/** Returns the resource's own id from an id that Terraform composes of several. */
function ownId(type: string, id: string): string {
  const bar = id.indexOf("|");
  if (bar === -1) return id;
  const [first, second] = [id.slice(0, bar), id.slice(bar + 1)];
  if (type === "azurerm_monitor_diagnostic_setting")
    return `${first}/providers/Microsoft.Insights/diagnosticSettings/${second}`;
  return type === "azurerm_role_assignment" || type === "azurerm_role_definition" ? first : id;
}

/**
 * Reports whether a type uses the id of another resource, as settings and associations do. It must not match that one.
 */
function isBorrowed(type: string, entry: CatalogEntry | undefined): boolean {
  if (type === "azapi_update_resource" || type === "azapi_resource_action") return true;
  return type.startsWith("azurerm_") && entry !== undefined && !entry.terraform.includes(type);
}

function resourceKeys(id: ResourceId, entry: CatalogEntry | undefined): MatchKey[] {
  const other = entry?.path === undefined ? undefined : secondName(id, entry.path);
  const key: MatchKey = `2:${id.canonical}`;
  return other === undefined || entry === undefined ? [key] : [key, `3:${canonicalType(entry)}|${other}`];
}

/** Returns the name that a catalog path such as `{vaults}.vault/secrets/{secrets}` builds from an id. */
function secondName(id: ResourceId, path: string): string | undefined {
  const [first = "", ...rest] = path.split("{");
  let name = first;
  for (const part of rest) {
    const [type = "", literal = ""] = part.split("}");
    const value = nameAfter(id.canonical, type.toLowerCase());
    if (value === undefined) return undefined;
    name += value + literal;
  }
  return name;
}

function typedKey(type: string, id: string): MatchKey {
  const entry = azureCatalog.byTerraform(type) ?? azureCatalog.byType(type);
  if (entry === undefined || entry.type.includes("#")) return `3:${type}|${foldedId(id)}`;
  const name = entry.path === undefined ? undefined : dataPlaneName(id);
  return `3:${canonicalType(entry)}|${name ?? foldedId(id)}`;
}

/** Returns the type for keys: the first of the Terraform types that declare one Azure type. */
function canonicalType(entry: CatalogEntry): string {
  return entry.terraform[0] ?? entry.type;
}

const GUID = /^(?:\/[a-z]+)*\/?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/**
 * Normalizes an id. Microsoft Graph writes `/groups/{guid}` or only the
 * GUID. Paths compare case-insensitively, other ids exactly.
 */
function foldedId(id: string): string {
  return (GUID.exec(id)?.[1] ?? (id.startsWith("/") ? id : undefined))?.toLowerCase() ?? id;
}
