import { isObject, member, members, text, type JsonObject } from "@leeway/shared/json";

import type { MatchKey } from "../cloud.ts";

const VERSIONED = /^(?:kubernetes:)?(?:([a-z\d.-]+)\/)?v\d[a-z\d]*[/:]([A-Z]\w*)$/;

/** Kind and group as kubectl writes them, `Deployment.apps`, of `apps/v1/Deployment` or Pulumi's `kubernetes:apps/v1:Deployment`. */
export function groupKind(type: string): string | undefined {
  const [, group, kind] = VERSIONED.exec(type) ?? [];
  if (kind === undefined) return undefined;
  return group === undefined || group === "core" ? kind : `${kind}.${group}`;
}

/** The object that a `kubernetes_manifest` or a `kubectl_manifest` declares, or the attributes themselves. */
export function declaredObject(attributes: JsonObject): JsonObject {
  const held = member(attributes, "object") ?? member(attributes, "manifest");
  if (held !== undefined) return member(held, "value") ?? held;
  const { api_version: apiVersion, kind } = attributes;
  return apiVersion !== undefined && kind !== undefined && !Object.hasOwn(attributes, "metadata")
    ? { apiVersion, kind, metadata: attributes }
    : attributes;
}

/** Kind and group of an object as Kubernetes itself writes it. */
export function objectType(object: JsonObject | undefined): string | undefined {
  const [version, kind] = [text(object, "apiVersion"), text(object, "kind")];
  return version === undefined || kind === undefined ? undefined : groupKind(`${version}/${kind}`);
}

/** The keys of an object of the given canonical type: its uid, and its name with the namespace in front. */
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

/** The controllers that made an object, which are declared in its place: a deployment's replica sets. */
export function controllerKeys(object: JsonObject | undefined): MatchKey[] {
  return members(metadataOf(object), "ownerReferences")
    .map((owner) => text(owner, "uid"))
    .filter((uid) => uid !== undefined)
    .map(uidKey);
}

const UID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether `id` is a uid, which no two objects of any clusters share. */
export function isUid(id: string): boolean {
  return UID.test(id);
}

/** The key of the object with this uid. */
export function uidKey(uid: string): MatchKey {
  return `2:${uid.toLowerCase()}`;
}

/** Terraform keeps the metadata in a list of one. */
function metadataOf(object: JsonObject | undefined): JsonObject | undefined {
  const metadata = object?.["metadata"];
  return isObject(metadata) ? metadata : members(object, "metadata")[0];
}
