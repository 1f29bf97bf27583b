import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";

import type { MatchKey } from "../cloud.ts";

const VERSIONED = /^(?:kubernetes:)?(?:([a-z\d.-]+)\/)?v\d[a-z\d]*[/:]([A-Z]\w*)$/;

/**
 * Returns kubectl's notation, `Deployment.apps`, for `apps/v1/Deployment` or Pulumi's `kubernetes:apps/v1:Deployment`.
 */
export function groupKind(type: string): string | undefined {
  const [, group, kind] = VERSIONED.exec(type) ?? [];
  if (kind === undefined) return undefined;
  return group === undefined || group === "core" ? kind : `${kind}.${group}`;
}

/** Returns the object in a `kubernetes_manifest` or `kubectl_manifest`, or the attributes themselves. */
export function declaredObject(attributes: JsonObject): JsonObject {
  const held = member(attributes, "object") ?? member(attributes, "manifest");
  if (held !== undefined) return member(held, "value") ?? held;
  const { api_version: apiVersion, kind } = attributes;
  return apiVersion !== undefined && kind !== undefined && !Object.hasOwn(attributes, "metadata")
    ? { apiVersion, kind, metadata: attributes }
    : attributes;
}

/** Returns kind and group of an object in Kubernetes' own format. */
export function objectType(object: JsonObject | undefined): string | undefined {
  const [version, kind] = [text(object, "apiVersion"), text(object, "kind")];
  return version === undefined || kind === undefined ? undefined : groupKind(`${version}/${kind}`);
}

/** Returns the keys of an object of a canonical type: its uid, and its name with the namespace in front. */
export function objectKeys(type: string, object: JsonObject | undefined): MatchKey[] {
  const metadata = metadataOf(object);
  const [uid, name, namespace] = [text(metadata, "uid"), text(metadata, "name"), text(metadata, "namespace")];
  return [
    ...(uid === undefined ? [] : [uidKey(uid)]),
    ...(name === undefined
      ? []
      : [`3:${type}|${namespace === undefined ? name : `${namespace}/${name}`}` as const]),
  ];
}

/**
 * Returns keys of the controllers that created an object and are
 * declared instead of it, as a deployment for its replica sets.
 */
export function controllerKeys(object: JsonObject | undefined): MatchKey[] {
  return members(metadataOf(object), "ownerReferences")
    .map((owner) => text(owner, "uid"))
    .filter((uid) => uid !== undefined)
    .map(uidKey);
}

const UID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reports whether `id` is a uid, which is unique across clusters. */
export function isUid(id: string): boolean {
  return UID.test(id);
}

/** Returns the key of the object with this uid. */
export function uidKey(uid: string): MatchKey {
  return `2:${uid.toLowerCase()}`;
}

/** Returns the metadata. Terraform stores it in a list with one item. */
function metadataOf(object: JsonObject | undefined): JsonObject | undefined {
  const metadata = object?.["metadata"];
  return isObject(metadata) ? metadata : members(object, "metadata")[0];
}
