import { invalidParameter } from "@leeway/shared/values/errors";
import { isObject, member, members, present, type Json, type JsonObject } from "@leeway/shared/values/json";
import { redact } from "@leeway/shared/security/redaction/redact";
import { redactForms } from "@leeway/shared/security/redaction/secret-text";
import { storableJson } from "@leeway/shared/values/storable";
import type { JsonReader } from "@leeway/shared/values/strict-json/json-reader";
import { hiddenChanges } from "./hidden-changes.ts";
import { cleanMask } from "./marks.ts";
import { maskSides } from "./mask-sides.ts";

/**
 * Members of a plan that analysis needs. All others, including those of later formats, may repeat them or hold
 * values.
 */
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
/** Members of a resource change that analysis needs. */
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
/** Members of its `change` that name the action. */
const ACTION_MEMBERS = ["actions", "importing"];
/** Members of its `change` about the values. The masks mark values that are secret or unknown. */
const DETAIL_MEMBERS = ["before_identity", "after_identity", "replace_paths"];
const SIDES = ["before", "after"];
const MASKS = ["after_unknown", "before_sensitive", "after_sensitive"];
const VALUE_MEMBERS = [...DETAIL_MEMBERS, ...SIDES, ...MASKS, "leeway_changed"];

const MAX_PRUNED = 20;
/** Limit on a plan's changes, and on its drift, because each is stored with its findings. */
const MAX_CHANGES = 50_000;

/** One resource's change: the parts that are sent, and the change they were made from. */
export interface Change {
  readonly resource: JsonObject;
  readonly change: JsonObject;
  readonly source: JsonObject;
}

/** A step of pruning a plan that was too large, with the number of changes that it shortened. */
export interface Pruned {
  readonly step: string;
  readonly count: number;
}

/** A plan without its changes. */
interface Rest {
  readonly head: JsonObject;
  /** Members about the plan as a whole that can be pruned. */
  readonly context: JsonObject;
  readonly pruned: readonly Pruned[];
}

/** Returns the name of a list with more changes than are analyzed, if the plan has one. */
export function tooLongList(plan: JsonObject): string | undefined {
  return ["resource_changes", "resource_drift"].find((name) => {
    const list = plan[name];
    return Array.isArray(list) && list.length > MAX_CHANGES;
  });
}

/** A plan's changes or drift; an empty object stands for a value that isn't a list. */
type Listed<T> = T[] | Record<string, never> | undefined;

/** A plan reduced to what analysis needs, without secrets, in parts that can be pruned. */
export interface MaskedPlan extends Rest {
  readonly resource_changes: Listed<Change>;
  readonly resource_drift: Listed<Change>;
}

/**
 * Masks a plan in the format of `terraform show -json`. Removes members that analysis doesn't need, values that the
 * plan's masks mark as secret, and values that look like secrets. All texts of the result can be stored. A change's
 * `leeway_changed` lists changed paths whose values are hidden.
 * Masking is idempotent. A document that isn't a plan becomes empty. A list of the wrong type, or a change of the
 * wrong type in a list, becomes an empty object.
 */
export function maskPlan(plan: Json): JsonObject {
  return renderPlan(maskInParts(isObject(plan) ? plan : {}));
}

/** Masks a plan as `maskPlan` does, in parts. Doesn't modify `given`. */
export function maskInParts(given: JsonObject): MaskedPlan {
  return {
    ...restOf(given),
    resource_changes: maskChanges(given, "resource_changes"),
    resource_drift: maskChanges(given, "resource_drift"),
  };
}

/** Renders the masked plan as a document. */
export function renderPlan(plan: MaskedPlan): JsonObject {
  return documentOf(plan, {
    resource_changes: renderList(plan.resource_changes),
    resource_drift: renderList(plan.resource_drift),
  });
}

/** A masked plan, with an outline for validation. */
export interface ReadPlan {
  json: string;
  /** Unmasked members of the plan; null for those that analysis doesn't need. */
  outline: JsonObject;
}

/**
 * Masks the plan at the reader's position as `maskPlan` does, without holding a large plan in memory. `isIdle` judges
 * a change by its other members; the values of idle changes aren't read and are omitted.
 * @throws {JsonFault}
 * @throws {AppError} `invalid_parameter` if the plan has too many changes
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
    if (changes.length >= MAX_CHANGES)
      throw invalidParameter(`plan.${name}`, `must have at most ${MAX_CHANGES} items`);
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
    parts.clear(); // the last of duplicate members counts
    json.members((part) => parts.set(part, json.part()));
  });
  const action = valuesOf(parts, ACTION_MEMBERS);
  if (isIdle({ ...resource, change: action })) return { ...resource, change: action };
  return { ...resource, change: { ...action, ...valuesOf(parts, VALUE_MEMBERS) } };
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

/** Returns the version of a plan's format. Plans redacted by HCP Terraform have it under another name. */
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
      ...redact(pick(source, [...ACTION_MEMBERS, ...DETAIL_MEMBERS])).value,
      ...maskSides({ ...pick(source, SIDES), ...masks }),
      ...masks,
    },
    source,
  };
}

/** Returns the addresses of invoked actions (Terraform 1.14), without their configuration. */
function invocations(plan: JsonObject): Json | undefined {
  if (!("action_invocations" in plan)) return undefined;
  return members(plan, "action_invocations").map((invocation) => pick(invocation, ["address"]));
}

/** Returns outputs by name with their actions, without their values. */
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

/** Returns the steps that pruned the plan before it was uploaded. */
function prunedBefore({ leeway_pruned: steps }: JsonObject): Pruned[] {
  if (!Array.isArray(steps) || steps.length > MAX_PRUNED) return [];
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
