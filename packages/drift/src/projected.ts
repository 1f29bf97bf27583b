import { isUnordered } from "@leeway/analysis/noise/rules/same-items";
import { isObject, put as putMember, type Json, type JsonObject, sameJson } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import type { Found, LiveAttributes, LiveProperties } from "./live.ts";
import { declaredAt, mirroredMember } from "./live-path.ts";
import type { Row, Shape, TypeMapping, Whole } from "./mapping.ts";
import { coerced, isEmptyScalar, mirrored, mirroredBy } from "./mirrored.ts";
import { snakeCase } from "./names.ts";
import { isEmptyThroughout, sayNothing } from "./nothing.ts";
import { kindOf, sightingsOf } from "./sightings.ts";
import { mapperOf, type TypeMapper } from "./tables.ts";
import { foundTags } from "./tags.ts";

/** The state's attributes with live values, and the number of compared attributes. */
export interface Projection {
  attributes: JsonObject;
  compared: number;
  /** Attributes that the live resource has shown; see `Sightings`. */
  seen?: string;
}

/** A projection under way, with the names of the declared attributes that the answer contains. */
interface Draft extends Projection {
  /** Attributes that the first difference is written to a copy of. */
  declared: JsonObject;
  shown: Set<string>;
}

/**
 * Returns the state after a refresh, as far as the live resource shows it.
 * Equivalent values and those that can't be compared stay as declared.
 */
export function projected(
  type: string,
  declared: JsonObject,
  live: LiveProperties | LiveAttributes,
): Projection {
  const projection: Draft = { attributes: declared, declared, compared: 0, shown: new Set() };
  if ("attributes" in live) {
    compareAttributes(projection, type, { declared, live: live.attributes });
    return projection;
  }
  const mapper = mapperOf(type);
  if (mapper === undefined) return projection;
  // Rows come last because they know more about the inside of blocks.
  compareMirrored(projection, mapper, { declared, live: live.properties });
  const { properties, parts = [] } = live;
  compareRows(projection, mapper, { declared, live: properties, parts });
  for (const found of foundTags(declared, live, mapper)) put(projection, found);
  if (mapper.isSummary?.(properties) !== true) removeGone(projection, declared, live);
  return projection;
}

/** Removes the attributes that earlier answers contained. Without earlier ones, a missing attribute means nothing. */
function removeGone(projection: Draft, declared: JsonObject, live: LiveProperties): void {
  const kind = kindOf(live.properties, live.isRead === true);
  const { text, gone } = sightingsOf(live.seen, { kind, names: projection.shown });
  projection.seen = text;
  for (const name of gone) {
    const steps = name.split(".");
    const value = declaredAt(declared, steps);
    if (value === undefined || isEmptyThroughout(value)) continue;
    put(projection, { steps, declared: value, live: Array.isArray(value) ? [] : null });
  }
}

/** Notes that the answer contains an attribute, and what is inside a block, if the declaration has a value. */
function show(projection: Draft, name: string, { declared, live }: Omit<Found, "steps">): void {
  if (live === undefined || isEmptyThroughout(declared)) return;
  projection.shown.add(name);
  const [block, member] = [onlyBlock(declared), onlyBlock(live)];
  if (block === undefined || member === undefined) return;
  for (const [inner, value = null] of Object.entries(block))
    show(projection, `${name}.${inner}`, { declared: value, live: mirroredMember(member, inner) });
}

/** Returns a block that has no others beside it. */
function onlyBlock(value: Json): JsonObject | undefined {
  const [first, second] = Array.isArray(value) ? value : [value];
  return isObject(first) && second === undefined ? first : undefined;
}

function compareRows(projection: Draft, mapper: TypeMapper, whole: Whole): void {
  const isSummary = mapper.isSummary?.(whole.live) ?? false;
  for (const { name, steps, row } of stepwise(mapper.rows)) {
    const declared = declaredIn(whole.declared, steps, mapper.added);
    if (declared === undefined) continue;
    if (mapper.mirror) unmirror(projection, steps, declared);
    const { there, shown } = liveOf(row, mapper, whole.live);
    show(projection, name, { declared, live: shown });
    const found = there ?? (isSummary || declared === "" ? undefined : row.absent);
    if (found !== undefined) put(projection, { steps, declared, live: row.shape(found, declared, whole) });
  }
}

/** Returns a row's live value, and the one that shows whether the answer contains it. */
function liveOf(
  { live: path, reads }: Row,
  { find }: TypeMapper,
  properties: JsonObject,
): { there: Json | undefined; shown: Json | undefined } {
  const there = find(properties, path);
  return { there, shown: reads === undefined ? there : find(properties, reads) };
}

/** Returns the declared value; null if its block is empty in the state and users can add it. */
function declaredIn(
  declared: JsonObject,
  steps: readonly string[],
  added: ReadonlySet<string> | undefined,
): Json | undefined {
  const [block = ""] = steps;
  if (!Object.hasOwn(declared, block)) return undefined;
  if (steps.length === 1) return declared[block];
  const isToAdd = added?.has(block) === true && sameJson(declared[block], []);
  return isToAdd ? null : declaredAt(declared, steps);
}

/** Restores the declared value of an attribute with a row. Only the row decides, not the mirrored block around it. */
function unmirror(projection: Draft, steps: readonly string[], declared: Json): void {
  const current = steps.length > 1 ? declaredAt(projection.attributes, steps) : undefined;
  if (current === undefined || sameJson(current, declared)) return;
  change(projection, steps, declared);
}

/** Attributes that providers compute or keep for themselves, and whose names mean something else in APIs. */
const NOT_MIRRORED: ReadonlySet<string> = new Set(
  `id name project region zone location kind self_link etag fingerprint label_fingerprint generation creation_timestamp
  create_time update_time server_ca_cert labels effective_labels terraform_labels timeouts status state arn`.split(
    /\s+/,
  ),
);

function compareMirrored(
  projection: Draft,
  mapper: TypeMapper,
  { declared, live }: { declared: JsonObject; live: JsonObject },
): void {
  const { mirror, added } = mapper;
  if (mirror === undefined) return;
  const { within, member = mirroredMember } = mirror;
  const members = within ? within(live) : live;
  const orNone = leftOut(live, mapper);
  for (const [name, value] of Object.entries(declared)) {
    if (!isMirrored(name, mapper)) continue;
    const found = orNone(name, member(members, name, value));
    if (found === undefined) continue;
    show(projection, name, { declared: value, live: found });
    const isToAdd = added?.has(name) === true && sameJson(value, []);
    const shaped = isToAdd ? newBlocks(found) : shapeIn(mirror, name)(found, value);
    put(projection, { steps: [name], declared: value, live: shaped });
  }
}

function shapeIn({ inside, shape }: NonNullable<TypeMapper["mirror"]>, name: string): Shape {
  return inside?.(name) ?? shape;
}

/** Returns a function that gives the live value of an attribute, or an empty list if an omitted value means empty. */
function leftOut(
  live: JsonObject,
  { removed, isSummary }: TypeMapper,
): (name: string, found: Json | undefined) => Json | undefined {
  const names = isSummary?.(live) === true ? undefined : removed;
  return (name, found) => (found === undefined && names?.has(name) === true ? [] : found);
}

/** Reports whether an attribute without a row is compared with the member of its name. */
export function isMirrored(name: string, { mirror, rows }: TypeMapper): boolean {
  return (
    !NOT_MIRRORED.has(snakeCase(name)) && mirror?.computed?.has(name) !== true && !Object.hasOwn(rows, name)
  );
}

/** Returns blocks that are empty in the state. */
function newBlocks(live: Json): Json | undefined {
  const blocks = [live].flat().filter((block) => isObject(block) && !isEmptyThroughout(block));
  return mirrored(blocks, null);
}

/** Arguments that exist only in the state, never in a cloud. */
const STATE_ONLY: ReadonlySet<string> = new Set(
  `allow_overwrite apply_immediately confirmation_timeout_in_minutes delete_automated_backups
  deletion_window_in_days endpoint_auto_confirms filename final_snapshot_identifier force_delete force_destroy
  force_detach_policies master_password name_prefix password recovery_window_in_days revoke_rules_on_delete
  retain_on_delete skip_destroy skip_final_snapshot timeouts user_data_replace_on_change wait_for_deployment`.split(
    /\s+/,
  ),
);

function compareAttributes(
  projection: Draft,
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

const unordered = mirroredBy({ scalar: coerced, nullIsEmpty: true });
const ordered = mirroredBy({ scalar: coerced, nullIsEmpty: true, ordered: true });

function put(projection: Draft, { steps, declared, live }: Found): void {
  if (live === undefined) return;
  projection.compared += 1;
  if (sameJson(live, declared)) return;
  const value = readable(live, declared);
  if (sameJson(value, declared)) return;
  change(projection, steps, value);
}

function change(projection: Draft, steps: readonly string[], value: Json): void {
  if (projection.attributes === projection.declared) projection.attributes = { ...projection.declared };
  setValue(projection.attributes, steps, value);
}

/** Returns the live value; values redacted on either side count as equal, and so do two that say nothing. */
function readable(live: Json, declared: Json | undefined): Json {
  return sayNothing(live, declared) ? declared : unredacted(live, declared);
}

function unredacted(live: Json, declared: Json | undefined): Json {
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

interface Stepwise {
  name: string;
  steps: readonly string[];
  row: Row;
}

/** Returns rows with the steps of their paths. */
const stepwise = oncePer((rows: TypeMapping): readonly Stepwise[] =>
  Object.entries(rows).map(([name, row]) => ({ name, steps: name.split("."), row })),
);

/** Sets the value at a path, in the first block of each list. Copies blocks, but changes `attributes`. */
export function setValue(attributes: JsonObject, [step = "", ...rest]: readonly string[], value: Json): void {
  putMember(attributes, step, rest.length === 0 ? value : withValue(attributes[step], rest, value));
}

/** Returns a block, or a list with its first block, with another value inside. */
function withValue(block: Json | undefined, steps: readonly string[], value: Json): Json {
  const [first, others] = Array.isArray(block) ? [block[0], block.slice(1)] : [block, undefined];
  const copy = isObject(first) ? { ...first } : {};
  setValue(copy, steps, value);
  return others ? [copy, ...others] : copy;
}
