import { isDeepStrictEqual } from "node:util";

import { isUnordered } from "@leeway/analysis/noise/rules/same-items";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redaction/redact";

import { declaredAt, mirroredMember } from "./live-path.ts";
import type { Part, Whole } from "./mapping.ts";
import { coerced, isEmptyScalar, isNothing, mirrored, mirroredBy } from "./mirrored.ts";
import { snakeCase } from "./names.ts";
import { mapperOf, type TypeMapper } from "./tables.ts";
import { foundTags } from "./tags.ts";

/** What a listing has of a live resource. */
export interface LiveProperties {
  /** As the cloud writes them, secrets redacted. */
  properties: JsonObject;
  tags?: Readonly<Record<string, string>>;
  /** What else is declared of it, each by itself. */
  parts?: readonly Part[];
}

/** A live resource in the words of a Terraform provider. */
export interface LiveAttributes {
  attributes: JsonObject;
}

/** The state's attributes with what is live in their place, and how many of them were compared. */
export interface Projection {
  attributes: JsonObject;
  compared: number;
}

/**
 * What the state would be after a refresh, as far as the live side tells; what means the same stays as it is
 * declared, and so does what can't be compared.
 */
export function projected(
  type: string,
  declared: JsonObject,
  live: LiveProperties | LiveAttributes,
): Projection {
  const projection: Projection = { attributes: { ...declared }, compared: 0 };
  if ("attributes" in live) {
    compareAttributes(projection, type, { declared, live: live.attributes });
    return projection;
  }
  const mapper = mapperOf(type);
  if (mapper === undefined) return projection;
  // Rows know more of what is inside a block.
  compareMirrored(projection, mapper, { declared, live: live.properties });
  const { properties, parts = [] } = live;
  compareRows(projection, mapper, { declared, live: properties, parts });
  for (const found of foundTags(declared, live, mapper)) put(projection, found);
  return projection;
}

/** What is live of an attribute; undefined where that can't be told. */
export interface Found {
  /** The attribute, behind the block that it is in. */
  steps: readonly string[];
  declared: Json;
  live: Json | undefined;
}

function compareRows(projection: Projection, mapper: TypeMapper, whole: Whole): void {
  const isSummary = mapper.isSummary?.(whole.live) ?? false;
  for (const [name, { live: path, shape, absent }] of Object.entries(mapper.rows)) {
    const steps = stepsOf(name);
    const value = declaredIn(whole.declared, steps, mapper.added);
    if (value === undefined) continue;
    if (mapper.mirror) unmirror(projection, steps, value);
    const found = mapper.find(whole.live, path) ?? (isSummary ? undefined : absent);
    if (found === undefined) continue;
    put(projection, { steps, declared: value, live: shape(found, value, whole) });
  }
}

/** What the state has of an attribute: null in a block that is empty, and that can be added. */
function declaredIn(
  declared: JsonObject,
  steps: readonly string[],
  added: ReadonlySet<string> | undefined,
): Json | undefined {
  const [block = ""] = steps;
  const isToAdd = steps.length > 1 && added?.has(block) === true && isDeepStrictEqual(declared[block], []);
  return isToAdd ? null : declaredAt(declared, steps);
}

/** What a row is of is told by it alone, whatever the block that it is in mirrors. */
function unmirror(projection: Projection, steps: readonly string[], declared: Json): void {
  const told = steps.length > 1 ? declaredAt(projection.attributes, steps) : undefined;
  if (told === undefined || isDeepStrictEqual(told, declared)) return;
  projection.attributes = withValue(projection.attributes, steps, declared);
}

/** What providers compute, or keep for themselves, under names that APIs use otherwise. */
const NOT_MIRRORED: ReadonlySet<string> = new Set(
  `id name project region zone location kind self_link etag fingerprint label_fingerprint generation creation_timestamp
  create_time update_time server_ca_cert labels effective_labels terraform_labels timeouts status state arn`.split(
    /\s+/,
  ),
);

function compareMirrored(
  projection: Projection,
  mapper: TypeMapper,
  { declared, live }: { declared: JsonObject; live: JsonObject },
): void {
  const { mirror, added } = mapper;
  if (mirror === undefined) return;
  const { shape, within, member = mirroredMember } = mirror;
  const members = within ? within(live) : live;
  const orNone = leftOut(live, mapper);
  for (const [name, value] of Object.entries(declared)) {
    if (!isMirrored(name, mapper)) continue;
    const found = orNone(name, member(members, name, value));
    if (found === undefined) continue;
    const isToAdd = added?.has(name) === true && isDeepStrictEqual(value, []);
    const shaped = isToAdd ? newBlocks(found) : shape(found, value);
    put(projection, { steps: [name], declared: value, live: shaped });
  }
}

/** What is live of an attribute, also where an answer leaves it out to say that there is none. */
function leftOut(
  live: JsonObject,
  { removed, isSummary }: TypeMapper,
): (name: string, found: Json | undefined) => Json | undefined {
  const names = isSummary?.(live) === true ? undefined : removed;
  return (name, found) => (found === undefined && names?.has(name) === true ? [] : found);
}

function isMirrored(name: string, { mirror, rows }: TypeMapper): boolean {
  return (
    !NOT_MIRRORED.has(snakeCase(name)) && mirror?.computed?.has(name) !== true && !Object.hasOwn(rows, name)
  );
}

/** Blocks that the state has as empty. */
function newBlocks(live: Json): Json | undefined {
  const blocks = [live].flat().filter((block) => isObject(block) && Object.keys(block).length > 0);
  return mirrored(blocks, null);
}

/** Arguments that providers keep in the state alone: no cloud tells of them. */
const STATE_ONLY: ReadonlySet<string> = new Set(
  `allow_overwrite apply_immediately confirmation_timeout_in_minutes delete_automated_backups
  deletion_window_in_days endpoint_auto_confirms filename final_snapshot_identifier force_delete force_destroy
  force_detach_policies master_password name_prefix password recovery_window_in_days revoke_rules_on_delete
  retain_on_delete skip_destroy skip_final_snapshot timeouts user_data_replace_on_change wait_for_deployment`.split(
    /\s+/,
  ),
);

function compareAttributes(
  projection: Projection,
  type: string,
  { declared, live }: { declared: JsonObject; live: JsonObject },
): void {
  for (const [name, value] of Object.entries(declared)) {
    const found = live[name];
    if (found === undefined || (found === null && STATE_ONLY.has(name))) continue;
    const shape = isUnordered([name], type) ? unordered : ordered;
    const shaped = found === null && isEmptyScalar(value) ? value : (shape(found, value) ?? found);
    put(projection, { steps: [name], declared: value, live: shaped });
  }
}

const unordered = mirroredBy({ scalar: coerced, toldByNull: true });
const ordered = mirroredBy({ scalar: coerced, toldByNull: true, ordered: true });

function put(projection: Projection, { steps, declared, live }: Found): void {
  if (live === undefined) return;
  projection.compared += 1;
  const told = readable(live, declared);
  if (isDeepStrictEqual(told, declared) || (isNothing(told) && declared === null)) return;
  projection.attributes = withValue(projection.attributes, steps, told);
}

/** What was redacted, on whichever side, isn't told to differ. */
function readable(live: Json, declared: Json | undefined): Json {
  if (typeof declared === "string" && declared.includes(REDACTED)) return declared;
  if (typeof live === "string") return live.includes(REDACTED) ? (declared ?? live) : live;
  if (Array.isArray(live)) {
    return live.map((item, index) => readable(item, Array.isArray(declared) ? declared[index] : undefined));
  }
  if (!isObject(live)) return live;
  const known = isObject(declared) ? declared : {};
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => [name, readable(value, known[name])]),
  );
}

const steps = new Map<string, readonly string[]>();

function stepsOf(name: string): readonly string[] {
  let known = steps.get(name);
  if (known === undefined) steps.set(name, (known = name.split(".")));
  return known;
}

function withValue(object: JsonObject, [step = "", ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...object, [step]: value };
  const inner = object[step];
  if (!Array.isArray(inner))
    return { ...object, [step]: withValue(isObject(inner) ? inner : {}, rest, value) };
  const [block = null, ...others] = inner;
  return { ...object, [step]: [withValue(isObject(block) ? block : {}, rest, value), ...others] };
}
