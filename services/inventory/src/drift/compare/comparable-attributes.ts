import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { redact, REDACTED } from "@leeway/shared/redaction/redact";

import type { Cloud, DeclaredResource } from "../../clouds/cloud.ts";
import { namesOf } from "./names.ts";
import { mapperOf, type TypeMapper } from "./tables.ts";
import { TAG_NAMES } from "./tags.ts";

type Path = readonly (string | number)[];
type Mapper = TypeMapper | undefined;

/**
 * What of a declared resource is kept to be compared with what is live, as JSON: its attributes without what the state
 * marks as sensitive and without what looks like a secret. Undefined for a type of which nothing could be compared.
 */
export function comparableAttributes(resource: DeclaredResource, cloud: Cloud): string | undefined {
  if (!isComparable(resource.type, cloud) && cloud.wholeKeys(resource).length === 0) return undefined;
  const mapper = mapperOf(cloud.bridgedType(resource.type) ?? resource.type);
  const attributes = { ...unstatedOf(mapper), ...attributesOf(resource, mapper) };
  const masked = (resource.sensitive ?? []).reduce<Json>(hideAt, attributes);
  return isObject(masked) ? JSON.stringify(redact(masked).value) : undefined;
}

/** A provider that keeps all of the cloud's answer, times and states too, is asked for what the program sets. */
function attributesOf({ attributes, configured }: DeclaredResource, mapper: Mapper): JsonObject {
  if (mapper?.isAlone === true) return comparedAlone(attributes, mapper);
  if (mapper?.mirror?.answers !== true) return attributes;
  const names = new Set(configured);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.has(name)));
}

/** Under Terraform's names or Pulumi's. */
function comparedAlone(attributes: JsonObject, { rows }: TypeMapper): JsonObject {
  const names = Object.keys(rows).map((row) => row.split(".", 1)[0] ?? "");
  const kept = new Set([...TAG_NAMES, ...names].flatMap(namesOf));
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.has(name)));
}

function unstatedOf(mapper: Mapper): JsonObject {
  return Object.fromEntries(
    Object.entries(mapper?.rows ?? {}).flatMap(([name, { unstated }]) =>
      unstated === undefined ? [] : [[name, unstated]],
    ),
  );
}

/** What has no cloud of its own here is listed as the state has it; there no name tells what of a secret is secret. */
export function isComparable(type: string, cloud: Cloud): boolean {
  if (mapperOf(cloud.bridgedType(type) ?? type) !== undefined) return true;
  const entry = cloud.provider === "other" ? cloud.catalog.byTerraform(type) : undefined;
  return entry !== undefined && entry.listed && entry.normalized !== "secret";
}

/** Hides all that a path leads to; where it can't be followed to its end, all that it leads through last. */
function hideAt(value: Json, [step, ...rest]: Path): Json {
  if (step === undefined) return REDACTED;
  if (Array.isArray(value) && typeof step === "number" && step in value) {
    return value.with(step, hideAt(value[step] ?? null, rest));
  }
  if (!isObject(value) || typeof step !== "string") return REDACTED;
  return Object.hasOwn(value, step) ? { ...value, [step]: hideAt(value[step] ?? null, rest) } : value;
}
