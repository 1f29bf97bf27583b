import { invalidParameter } from "../errors.ts";
import { isObject, member, members, present, type Json, type JsonObject } from "../json.ts";
import { redact } from "../redaction/redact.ts";
import { redactForms } from "../redaction/secret-text.ts";
import { storableJson } from "../storable.ts";
import type { JsonReader } from "../strict-json/json-reader.ts";
import { hiddenChanges } from "./hidden-changes.ts";
import { cleanMask } from "./marks.ts";
import { maskSides } from "./mask-sides.ts";

/** What analysis needs of a plan. All else repeats it, or holds values; so may what a later format adds. */
const HEAD_MEMBERS = ["terraform_version", "timestamp", "errored", "applyable", "complete"];
const REST_MEMBERS = [
  ...HEAD_MEMBERS,
  "format_version",
  "plan_format_version",
  "action_invocations",
  "relevant_attributes",
  "output_changes",
  "checks",
  "leeway_pruned",
];
/** And of a resource change. */
const RESOURCE_MEMBERS = [
  "address",
  "previous_address",
  "module_address",
  "mode",
  "type",
  "name",
  "index",
  "deposed",
  "provider_name",
  "action_reason",
];
/** And of its `change`: what is done. */
const DEED_MEMBERS = ["actions", "importing"];
/** And to what; the masks say which values are secret or unknown. */
const DETAIL_MEMBERS = ["before_identity", "after_identity", "replace_paths"];
const SIDES = ["before", "after"];
const MASKS = ["after_unknown", "before_sensitive", "after_sensitive"];
const VALUE_MEMBERS = [...DETAIL_MEMBERS, ...SIDES, ...MASKS, "leeway_changed"];

const MOST_PRUNED = 20;
/** Of a plan that is read, and as many of its drift: each is kept with what is found in it. */
const MOST_CHANGES = 50_000;

/** One resource's change: what is sent of it, and the change that it was made of. */
export interface Change {
  readonly resource: JsonObject;
  readonly change: JsonObject;
  readonly source: JsonObject;
}

/** What was left out of a plan that was too large: a step, and how many changes lost something to it. */
export interface Pruned {
  readonly step: string;
  readonly count: number;
}

/** What a plan says beside its changes. */
interface Rest {
  readonly head: JsonObject;
  /** What tells of the plan as a whole, and can be spared. */
  readonly context: JsonObject;
  readonly pruned: readonly Pruned[];
}

/** The list of a plan that has more changes than are looked at, if one has. */
export function tooLongList(plan: JsonObject): string | undefined {
  return ["resource_changes", "resource_drift"].find((name) => {
    const list = plan[name];
    return Array.isArray(list) && list.length > MOST_CHANGES;
  });
}

/** A plan's changes, or its drift; an empty object for what is no list. */
type Listed<T> = T[] | Record<string, never> | undefined;

/** A plan reduced to what analysis needs, without secrets, in parts that can be pruned. */
export interface MaskedPlan extends Rest {
  readonly resource_changes: Listed<Change>;
  readonly resource_drift: Listed<Change>;
}

/**
 * A plan in the form of `terraform show -json`, without what analysis doesn't need and without secrets: neither those
 * that its own masks mark, nor those that look like one. All its texts can be stored. `leeway_changed` in a change
 * names what changes there and can't be seen. Masking a masked plan changes nothing. Of what is no plan nothing is left;
 * of what is no list, or no change in one, only that it was there: an object without anything in it.
 */
export function maskPlan(plan: Json): JsonObject {
  return renderPlan(maskInParts(isObject(plan) ? plan : {}));
}

/** What `maskPlan` makes of a plan, in parts; `given` itself stays as it is. */
export function maskInParts(given: JsonObject): MaskedPlan {
  return {
    ...restOf(given),
    resource_changes: maskChanges(given, "resource_changes"),
    resource_drift: maskChanges(given, "resource_drift"),
  };
}

/** The masked plan as a document. */
export function renderPlan(plan: MaskedPlan): JsonObject {
  return documentOf(plan, {
    resource_changes: renderList(plan.resource_changes),
    resource_drift: renderList(plan.resource_drift),
  });
}

/** A plan that was read: masked, as JSON, and what tells whether it is one. */
export interface ReadPlan {
  json: string;
  /** Its members, as they stand in it; null for those that analysis has no need of. */
  outline: JsonObject;
}

/**
 * As `maskPlan`, of the plan that `json` stands in front of: a large one never is in memory as a whole. The values of a
 * change that is idle aren't read, and left out; `isIdle` judges it by the rest.
 * @throws {JsonFault}
 * @throws {AppError} `invalid_parameter` for one of too many changes
 */
export function readMaskedPlan(json: JsonReader, isIdle: (resource: JsonObject) => boolean): ReadPlan {
  const lists = new Map<string, string>();
  const outline = json.object((name): Json => {
    if (name === "resource_changes") lists.set(name, readChanges(name, json, isIdle));
    if (name === "resource_drift")
      lists.set(
        name,
        readChanges(name, json, () => false),
      );
    return REST_MEMBERS.includes(name) ? json.value() : null;
  });
  const rest = Object.entries(documentOf(restOf(outline), {})).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ]);
  const members = [...lists, ...rest].map(([name, text]) => `"${name}":${text}`);
  return { json: `{${members.join(",")}}`, outline };
}

function readChanges(name: string, json: JsonReader, isIdle: (resource: JsonObject) => boolean): string {
  if (!json.isArray) return json.isObject || json.value() !== null ? "{}" : "[]";
  const changes: string[] = [];
  json.items(() => {
    if (changes.length >= MOST_CHANGES)
      throw invalidParameter(`plan.${name}`, `must have at most ${MOST_CHANGES} items`);
    changes.push(JSON.stringify(render(maskChange(readChange(json, isIdle)))));
  });
  return `[${changes.join(",")}]`;
}

function readChange(json: JsonReader, isIdle: (resource: JsonObject) => boolean): JsonObject {
  const resource: JsonObject = {};
  const parts = new Map<string, JsonReader>();
  json.members((name) => {
    if (RESOURCE_MEMBERS.includes(name)) resource[name] = json.value();
    if (name !== "change") return;
    parts.clear(); // of duplicates the last counts
    json.members((part) => parts.set(part, json.part()));
  });
  const deed = valuesOf(parts, DEED_MEMBERS);
  if (isIdle({ ...resource, change: deed })) return { ...resource, change: deed };
  return { ...resource, change: { ...deed, ...valuesOf(parts, VALUE_MEMBERS) } };
}

function valuesOf(parts: ReadonlyMap<string, JsonReader>, names: readonly string[]): JsonObject {
  const values: JsonObject = {};
  for (const name of names) {
    const value = parts.get(name)?.value();
    if (value !== undefined) values[name] = value;
  }
  return values;
}

interface Lists {
  resource_changes?: Listed<JsonObject>;
  resource_drift?: Listed<JsonObject>;
}

function documentOf(
  { head, context, pruned }: Rest,
  { resource_changes, resource_drift }: Lists,
): JsonObject {
  return {
    ...head,
    ...present({ resource_changes, resource_drift }),
    ...context,
    ...(pruned.length > 0 && { leeway_pruned: pruned.map(({ step, count }) => ({ step, count })) }),
  };
}

function restOf(given: JsonObject): Rest {
  const plan = storableJson(pick(given, REST_MEMBERS));
  return {
    head: redact({
      ...present({ format_version: formatVersion(plan) }),
      ...pick(plan, HEAD_MEMBERS),
      ...present({ action_invocations: invocations(plan) }),
    }).value,
    context: {
      ...redact(pick(plan, ["relevant_attributes"])).value,
      ...present({ output_changes: outputActions(plan) }),
      ...redact(pick(plan, ["checks"])).value,
    },
    pruned: prunedBefore(plan),
  };
}

/** The version of a plan's format; plans that HCP Terraform redacts name it otherwise. */
export function formatVersion(plan: JsonObject): string | undefined {
  const version = plan["format_version"] ?? plan["plan_format_version"];
  return typeof version === "string" ? version : undefined;
}

function render({ resource, change, source }: Change): JsonObject {
  const hidden = hiddenChanges(source, change);
  return { ...resource, change: { ...change, ...(hidden.length > 0 && { leeway_changed: hidden }) } };
}

function renderList(list: Listed<Change>): Listed<JsonObject> {
  return Array.isArray(list) ? list.map(render) : list;
}

function maskChanges(plan: JsonObject, list: string): Listed<Change> {
  if (!(list in plan)) return undefined;
  const given = plan[list] ?? [];
  return Array.isArray(given) ? given.map((change) => maskChange(isObject(change) ? change : {})) : {};
}

function maskChange(resource: JsonObject): Change {
  const given = storableJson(resource);
  const source = member(given, "change") ?? {};
  const masks = pick(source, MASKS);
  for (const name of Object.keys(masks)) masks[name] = cleanMask(masks[name] ?? null);
  return {
    resource: redact(pick(given, RESOURCE_MEMBERS)).value,
    change: {
      ...redact(pick(source, [...DEED_MEMBERS, ...DETAIL_MEMBERS])).value,
      ...maskSides({ ...pick(source, SIDES), ...masks }),
      ...masks,
    },
    source,
  };
}

/** Actions that are invoked (Terraform 1.14), by their addresses; what they are given stays. */
function invocations(plan: JsonObject): Json | undefined {
  if (!("action_invocations" in plan)) return undefined;
  return members(plan, "action_invocations").map((invocation) => pick(invocation, ["address"]));
}

/** Outputs by their names, with what happens to them; their values stay. */
function outputActions(plan: JsonObject): JsonObject | undefined {
  const outputs = member(plan, "output_changes");
  return (
    outputs &&
    Object.fromEntries(
      Object.entries(outputs).map(([name, output]) => [redactForms(name), actionsOf(output)]),
    )
  );
}

function actionsOf(output: Json): JsonObject {
  return isObject(output) ? redact(pick(output, ["actions"])).value : {};
}

/** What was pruned before the plan came here. */
function prunedBefore({ leeway_pruned: steps }: JsonObject): Pruned[] {
  if (!Array.isArray(steps) || steps.length > MOST_PRUNED) return [];
  const pruned = steps
    .filter(isObject)
    .flatMap(({ step, count }) =>
      typeof step === "string" && /^[a-z_]{1,64}$/.test(step) && isCount(count) ? [{ step, count }] : [],
    );
  return pruned.length === steps.length ? pruned : [];
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function pick(object: JsonObject, names: string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const value = object[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
