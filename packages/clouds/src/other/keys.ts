import type { JsonObject } from "@leeway/shared/values/json";

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

/** Reports whether a declared type belongs to none of the clouds with their own module. */
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

/** Returns the kind of a type. A Kubernetes object names its kind; the type `kubernetes_manifest` doesn't. */
function kindOf(type: string, object: JsonObject | undefined): Kind {
  const kind = objectType(object) ?? groupKind(type);
  const known = terraformType(type);
  const entry = entryOf(known) ?? entryOf(kind ?? known);
  const name = entry?.terraform[0] ?? entry?.type ?? kind ?? known;
  return { name, entry, isKubernetes: kind !== undefined || /^(?:kubernetes|kubectl)_/.test(name) };
}

/** Returns the catalog's entry for a declared type of any tool. */
export function declaredEntry(type: string): CatalogEntry | undefined {
  return entryOf(terraformType(type));
}

function entryOf(type: string): CatalogEntry | undefined {
  return otherCatalog.byTerraform(type) ?? otherCatalog.byType(type);
}

/** Returns the keys of a live resource: its Kubernetes uid, and its type with each spelling of its id. */
export function liveKeys(resource: ListedResource, account: string): MatchKey[] {
  const kind = kindOf(resource.terraform_type ?? resource.provider_type, resource.properties);
  return unique([
    ...idKeys(kind, resource.provider_resource_id, account),
    ...kubernetesKeys(kind, resource.properties),
  ]);
}

/** Returns the keys of a declared resource. Its ids contain no account: an owner's name isn't an account id. */
export function declaredIdentity({ type, attributes }: DeclaredResource): DeclaredIdentity {
  const object = declaredObject(attributes);
  const kind = kindOf(type, object);
  const ids = ["id", ...(kind.entry?.ids ?? [])]
    .map((name) => scalar(attributes, name))
    .filter((id) => id !== "");
  return { keys: unique([...ids.flatMap((id) => idKeys(kind, id)), ...kubernetesKeys(kind, object)]) };
}

/** Returns the key of the resource that created this one, if the row contains its uid. */
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

/** Returns the key without the account in front of the id: Terraform writes `octo/site:main` as `site:main`. */
function ownIdKeys(name: string, id: string, account: string | undefined): MatchKey[] {
  const prefix = `${account?.toLowerCase()}/`;
  return id.startsWith(prefix) ? [`3:${name}|${id.slice(prefix.length)}`] : [];
}

/** Lowercases the parts of an id that are in braces in the catalog's path, such as `{repository}:branch`. */
function foldedId(id: string, path: string | undefined): string {
  if (path === undefined) return id;
  const end = path.endsWith("}") ? -1 : id.indexOf(path.charAt(path.indexOf("}") + 1));
  return end === -1 ? id.toLowerCase() : id.slice(0, end).toLowerCase() + id.slice(end);
}

function unique(keys: readonly MatchKey[]): MatchKey[] {
  return [...new Set(keys)].toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0));
}
