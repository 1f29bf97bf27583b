import { isRead } from "@leeway/analysis/risk/read-attributes";
import type { Cloud, DeclaredResource } from "@leeway/clouds/cloud";
import { isObject, put, type Json, type JsonObject } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";
import { redact, REDACTED } from "@leeway/shared/security/redaction/redact";

import { secretsOf } from "./derived/table.ts";
import type { Row } from "./mapping.ts";
import { namesOf, snakeCase } from "./names.ts";
import { mapperOf, type TypeMapper } from "./tables.ts";
import { TAG_NAMES } from "./tags.ts";

type Path = readonly (string | number)[];
type Mapper = TypeMapper | undefined;

/**
 * Returns the attributes to store for comparison, as JSON. Values that are marked as sensitive or look like secrets are
 * removed. Returns undefined for a type that can't be compared.
 */
export function comparableAttributes(resource: DeclaredResource, cloud: Cloud): string | undefined {
  const isPart = cloud.wholeKeys(resource).length > 0;
  if (!isPart && !isComparable(resource.type, cloud)) return undefined;
  const type = cloud.bridgedType(resource.type) ?? resource.type;
  const mapper = mapperOf(type);
  const attributes = {
    ...(mapper && unstatedIn(mapper.rows)),
    ...attributesOf(resource, { type, isPart, mapper }),
  };
  const masked = hidePaths(attributes, resource.sensitive ?? []);
  return isObject(masked) ? JSON.stringify(redact(masked).value) : undefined;
}

/**
 * Returns the attributes to store. Some providers store the cloud's whole answer, including times and states; then only
 * attributes that the program sets are kept. A type with rows keeps those that are compared or that rules read, and a
 * part all but secrets, because any may identify it in the whole.
 */
function attributesOf(
  { attributes, configured }: DeclaredResource,
  { type, isPart, mapper }: { type: string; isPart: boolean; mapper: Mapper },
): JsonObject {
  if (mapper === undefined) return attributes;
  if (isPart && mapper.mirror === undefined) return withoutSecrets(attributes, type);
  if (mapper.mirror === undefined) return storedOf(attributes, type, mapper);
  if (mapper.mirror.answers !== true) return withoutSecrets(attributes, type);
  const names = new Set(configured);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.has(name)));
}

/** Returns the stored attributes, under Terraform's or Pulumi's names. */
function storedOf(attributes: JsonObject, type: string, { rows }: TypeMapper): JsonObject {
  const kept = keptIn(rows);
  return Object.fromEntries(
    Object.entries(withoutSecrets(attributes, type)).flatMap(([name, value]): [string, Json][] => {
      if (kept.has(name)) return [[name, kept.get(name)?.(value) ?? value]];
      return isReadPlainly(name, value) ? [[name, value]] : [];
    }),
  );
}

type Kept = ReadonlyMap<string, Row["compared"]>;

/** Returns the names of the attributes that are stored, with the function that reduces their values. */
const keptIn = oncePer((rows: TypeMapper["rows"]): Kept => {
  const kept = new Map<string, Row["compared"]>(TAG_NAMES.flatMap(namesOf).map((name) => [name, undefined]));
  for (const [path, { compared }] of Object.entries(rows)) {
    const [first = "", ...inner] = path.split(".");
    for (const name of namesOf(first)) kept.set(name, inner.length > 0 ? undefined : compared);
  }
  return kept;
});

function withoutSecrets(attributes: JsonObject, type: string): JsonObject {
  const secret = new Set(secretsOf(type).flatMap(namesOf));
  if (secret.size === 0) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !secret.has(name)));
}

/** Reports whether rules read an attribute without a row. A map or block can contain more than they read. */
function isReadPlainly(name: string, value: Json): boolean {
  return isRead(snakeCase(name)) && ![value].flat().some(isObject);
}

const unstatedIn = oncePer((rows: TypeMapper["rows"]): JsonObject =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { unstated }]) =>
      unstated === undefined ? [] : [[name, unstated]],
    ),
  ),
);

/**
 * Reports whether a type can be compared. Types of other providers are listed with the state's attributes. Secrets
 * among them are excluded, because no name shows which attributes are secret.
 */
export function isComparable(type: string, cloud: Cloud): boolean {
  if (mapperOf(cloud.bridgedType(type) ?? type) !== undefined) return true;
  const entry = cloud.provider === "other" ? cloud.catalog.byTerraform(type) : undefined;
  return entry !== undefined && entry.listed && entry.normalized !== "secret";
}

/** Tree of path steps. */
interface Steps {
  isEnd: boolean;
  next: Map<string | number, Steps>;
}

/** Hides all values at the paths. If a path can't be followed to its end, the last value on it is hidden. */
function hidePaths(value: Json, paths: readonly Path[]): Json {
  const root: Steps = { isEnd: false, next: new Map() };
  for (const path of paths) {
    let steps = root;
    for (const step of path) {
      const inner = steps.next.get(step) ?? { isEnd: false, next: new Map() };
      steps.next.set(step, inner);
      steps = inner;
    }
    steps.isEnd = true;
  }
  return hideSteps(value, root);
}

function hideSteps(value: Json, { isEnd, next }: Steps): Json {
  if (isEnd) return REDACTED;
  if (next.size === 0) return value;
  if (Array.isArray(value)) return hideItems(value, next);
  return isObject(value) ? hideMembers(value, next) : REDACTED;
}

function hideItems(items: readonly Json[], next: Steps["next"]): Json {
  const copy = [...items];
  for (const [step, steps] of next) {
    const item = typeof step === "number" ? copy[step] : undefined;
    if (typeof step !== "number" || item === undefined) return REDACTED;
    copy[step] = hideSteps(item, steps);
  }
  return copy;
}

function hideMembers(object: JsonObject, next: Steps["next"]): Json {
  const copy = { ...object };
  for (const [step, steps] of next) {
    if (typeof step !== "string") return REDACTED;
    if (Object.hasOwn(object, step)) put(copy, step, hideSteps(object[step] ?? null, steps));
  }
  return copy;
}
