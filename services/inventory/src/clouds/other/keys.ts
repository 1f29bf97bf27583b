import type { JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import type { DeclaredIdentity, DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { attribute, terraformTypeFinder } from "../pulumi.ts";
import {
  controllerKeys,
  declaredObject,
  groupKind,
  isUid,
  objectKeys,
  objectType,
  uidKey,
} from "./kubernetes.ts";
import { otherCatalog } from "./other-catalog.ts";

const CLOUDS =
  /^(?:(?:aws|awscc|google|azurerm|azuread|azapi)_|(?:aws|aws-native|gcp|google-native|azure|azure-native|azuread):|(?:AWS|Custom)::|microsoft\.)/i;

/** Whether a declared type belongs to none of the clouds that have a module of their own. */
export function declares(type: string): boolean {
  return !CLOUDS.test(type);
}

const terraformType = terraformTypeFinder(otherCatalog);

/** A kind of resource, with its canonical name in keys. */
interface Kind {
  name: string;
  entry: CatalogEntry | undefined;
  isKubernetes: boolean;
}

/** The kind that a type names; an object of Kubernetes names its own, which a `kubernetes_manifest` does not. */
function kindOf(type: string, object: JsonObject | undefined): Kind {
  const kind = objectType(object) ?? groupKind(type);
  const known = terraformType(type);
  const entry = entryOf(known) ?? entryOf(kind ?? known);
  const name = entry?.terraform[0] ?? entry?.type ?? kind ?? known;
  return { name, entry, isKubernetes: kind !== undefined || /^(?:kubernetes|kubectl)_/.test(name) };
}

/** What the catalog knows of a declared type of any tool. */
export function declaredEntry(type: string): CatalogEntry | undefined {
  return entryOf(terraformType(type));
}

function entryOf(type: string): CatalogEntry | undefined {
  return otherCatalog.byTerraform(type) ?? otherCatalog.byType(type);
}

/** Keys of a live resource: Kubernetes' uid, and its type with each way in which its id is written. */
export function liveKeys(resource: ListedResource, account: string): MatchKey[] {
  const kind = kindOf(resource.terraform_type ?? resource.provider_type, resource.properties);
  return unique([
    ...idKeys(kind, resource.provider_resource_id, account),
    ...kubernetesKeys(kind, resource.properties),
  ]);
}

/** The keys of a declared resource. Its ids name no account: an owner's name is not the id of one. */
export function declaredIdentity({ type, attributes }: DeclaredResource): DeclaredIdentity {
  const object = declaredObject(attributes);
  const kind = kindOf(type, object);
  const ids = ["id", ...(kind.entry?.ids ?? [])]
    .map((name) => scalar(attributes, name))
    .filter((id) => id !== "");
  return { keys: unique([...ids.flatMap((id) => idKeys(kind, id)), ...kubernetesKeys(kind, object)]) };
}

/** The key of what made the resource, where the row names it by a uid. */
export function ownerKeys({ parent_id = "", properties }: ListedResource): MatchKey[] {
  return unique([...(isUid(parent_id) ? [uidKey(parent_id)] : []), ...controllerKeys(properties)]);
}

function scalar(attributes: JsonObject, name: string): string {
  const value = attribute(attributes, name);
  return typeof value === "string" || typeof value === "number" ? `${value}` : "";
}

function kubernetesKeys({ name, isKubernetes }: Kind, object: JsonObject | undefined): MatchKey[] {
  if (name === "helm_release") return objectKeys(name, { metadata: object ?? {} });
  return isKubernetes ? objectKeys(name, object) : [];
}

function idKeys({ name, entry, isKubernetes }: Kind, id: string, account?: string): MatchKey[] {
  if (isKubernetes && isUid(id)) return [uidKey(id)];
  const folded = foldedId(id, entry?.path);
  return [`3:${name}|${folded}`, ...ownIdKeys(name, folded, account)];
}

/** The account's name in front of an id adds nothing: Terraform knows `octo/site:main` as `site:main`. */
function ownIdKeys(name: string, id: string, account: string | undefined): MatchKey[] {
  const prefix = `${account?.toLowerCase()}/`;
  return id.startsWith(prefix) ? [`3:${name}|${id.slice(prefix.length)}`] : [];
}

/** The id with those parts in lower case that the catalog's path, `{repository}:branch`, has in braces. */
function foldedId(id: string, path: string | undefined): string {
  if (path === undefined) return id;
  const end = path.endsWith("}") ? -1 : id.indexOf(path.charAt(path.indexOf("}") + 1));
  return end === -1 ? id.toLowerCase() : id.slice(0, end).toLowerCase() + id.slice(end);
}

function unique(keys: readonly MatchKey[]): MatchKey[] {
  return [...new Set(keys)].toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0));
}
