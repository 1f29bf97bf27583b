import { importFormOf } from "@leeway/clouds/imports/import-forms";
import { text, type JsonObject } from "@leeway/shared/values/json";

import type { DeclaredBeside, LiveToAdopt } from "./live.ts";
import type { Referent } from "./references.ts";

/** Ids that no other resource has: `vpc-0a1b…`. Names and numbers aren't unique. */
const UNIQUE_ID = /^[a-z]+-[0-9a-f]{8,}$/;
const NAMES = ["name", "bucket", "function_name", "identifier", "cluster_identifier", "dataset_id"];

interface Adopted {
  live: LiveToAdopt;
  type: string;
  address: string;
  importId: string;
  attributes: JsonObject;
}

/** Returns what other resources can refer to in an adopted resource. */
export function referentOf({ live, type, address, importId, attributes }: Adopted): Referent {
  const known = importFormOf(type);
  const unique = new Map<string, string>();
  const add = (value: string, attribute: string): void => {
    if (known?.attributes.has(attribute) === true) unique.set(value, attribute);
  };
  if (live.providerResourceId.startsWith("arn:")) add(live.providerResourceId, "arn");
  const isOwn =
    known?.form === "{id}"
      ? UNIQUE_ID.test(importId)
      : importId.includes("/") && live.cloud.provider !== "aws";
  if (isOwn) add(importId, "id");
  const name = NAMES.find((one) => text(attributes, one) !== undefined);
  return {
    address,
    type,
    unique,
    ...(name !== undefined && { named: [text(attributes, name) ?? "", name] as const }),
  };
}

/** Returns what other resources can refer to in a resource of existing code. */
export function declaredReferent({ type, address, keys }: DeclaredBeside): Referent {
  const unique = new Map<string, string>();
  for (const key of keys) {
    const value = key.slice(2);
    const id = value.slice(value.indexOf("|") + 1);
    if (key.startsWith("2:arn:")) unique.set(value, "arn");
    if (key.startsWith("2:/subscriptions/")) unique.set(value, "id");
    if (key.startsWith("3:") && UNIQUE_ID.test(id)) unique.set(id, "id");
  }
  return { address, type, unique };
}
