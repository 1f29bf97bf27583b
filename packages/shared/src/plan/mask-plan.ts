import { isObject, member, members, present, type Json, type JsonObject } from "../json.ts";
import { redact } from "../redact.ts";
import { redactForms } from "../secret-text.ts";
import { storableJson } from "../storable.ts";
import { hiddenChanges } from "./hidden-changes.ts";
import { cleanMask } from "./marks.ts";
import { maskSides } from "./mask-sides.ts";

/** What analysis needs of a plan. All else repeats it, or holds values; so may what a later format adds. */
const HEAD_MEMBERS = ["terraform_version", "timestamp", "errored", "applyable", "complete"];
const PLAN_MEMBERS = [
  ...HEAD_MEMBERS,
  "format_version",
  "plan_format_version",
  "resource_changes",
  "resource_drift",
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
/** And of its `change`, besides the values themselves and the masks, which say which are secret or unknown. */
const CHANGE_MEMBERS = ["actions", "importing", "before_identity", "after_identity", "replace_paths"];
const SIDES = ["before", "after"];
const MASKS = ["after_unknown", "before_sensitive", "after_sensitive"];

const MOST_PRUNED = 20;

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

/** A plan reduced to what analysis needs, without secrets, in parts that can be pruned. */
export interface MaskedPlan {
  readonly head: JsonObject;
  readonly resource_changes: Change[] | undefined;
  readonly resource_drift: Change[] | undefined;
  /** What tells of the plan as a whole, and can be spared. */
  readonly context: JsonObject;
  readonly pruned: readonly Pruned[];
}

/**
 * A plan in the form of `terraform show -json`, without what analysis doesn't need and without secrets: neither those
 * that its own masks mark, nor those that look like one. All its texts can be stored. `leeway_changed` in a change
 * names what changes there and can't be seen. Masking a masked plan changes nothing. Of what is no plan nothing is left.
 */
export function maskPlan(plan: Json): JsonObject {
  return renderPlan(maskInParts(isObject(plan) ? plan : {}));
}

/** What `maskPlan` makes of a plan, in parts; `given` itself stays as it is. */
export function maskInParts(given: JsonObject): MaskedPlan {
  const plan = storableJson(pick(given, PLAN_MEMBERS));
  return {
    head: redact({ ...present({ format_version: formatVersion(plan) }), ...pick(plan, HEAD_MEMBERS) }).value,
    resource_changes: maskChanges(plan, "resource_changes"),
    resource_drift: maskChanges(plan, "resource_drift"),
    context: {
      ...redact(pick(plan, ["relevant_attributes"])).value,
      ...present({ output_changes: outputActions(plan) }),
      ...redact(pick(plan, ["checks"])).value,
    },
    pruned: prunedBefore(plan),
  };
}

/** The masked plan as a document. */
export function renderPlan(plan: MaskedPlan): JsonObject {
  return {
    ...plan.head,
    ...present({
      resource_changes: plan.resource_changes?.map(render),
      resource_drift: plan.resource_drift?.map(render),
    }),
    ...plan.context,
    ...(plan.pruned.length > 0 && { leeway_pruned: plan.pruned.map(({ step, count }) => ({ step, count })) }),
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

function maskChanges(plan: JsonObject, list: string): Change[] | undefined {
  return list in plan ? members(plan, list).map(maskChange) : undefined;
}

function maskChange(given: JsonObject): Change {
  const source = member(given, "change") ?? {};
  const masks = pick(source, MASKS);
  for (const name of Object.keys(masks)) masks[name] = cleanMask(masks[name] ?? null);
  return {
    resource: redact(pick(given, RESOURCE_MEMBERS)).value,
    change: {
      ...redact(pick(source, CHANGE_MEMBERS)).value,
      ...maskSides({ ...pick(source, SIDES), ...masks }),
      ...masks,
    },
    source,
  };
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
