import { isObject, member, members, present, type JsonObject } from "@leeway/shared/json";
import { redact } from "@leeway/shared/redact";

import { hiddenChanges } from "./hidden-changes.ts";
import { maskSides } from "./mask.ts";
import { versionOf } from "./plan.ts";

/** What analysis needs of a resource change. All else stays: what a later format adds may hold values. */
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
/** And of its `change`, besides the values themselves. The masks hold no values: only which are secret or unknown. */
const CHANGE_MEMBERS = ["actions", "importing", "before_identity", "after_identity", "replace_paths"];
const MASKS = ["after_unknown", "before_sensitive", "after_sensitive"];

/** One resource's change: what is sent of it, and the change that it was made of. */
export interface Change {
  readonly resource: JsonObject;
  readonly change: JsonObject;
  readonly source: JsonObject;
}

/** A plan reduced to what analysis needs, without secrets. */
export interface MaskedPlan {
  readonly versions: JsonObject;
  readonly resource_changes: Change[] | undefined;
  readonly resource_drift: Change[] | undefined;
  /** What tells of the plan as a whole. */
  readonly context: JsonObject;
}

/** `plan` without what analysis doesn't need and without secrets; `plan` itself stays as it is. */
export function maskPlan(plan: JsonObject): MaskedPlan {
  return {
    versions: present({ format_version: versionOf(plan), terraform_version: plan["terraform_version"] }),
    resource_changes: maskChanges(plan, "resource_changes"),
    resource_drift: maskChanges(plan, "resource_drift"),
    context: {
      ...redact(pick(plan, ["relevant_attributes"])).value,
      ...present({ output_changes: outputActions(plan) }),
      ...redact(pick(plan, ["checks"])).value,
    },
  };
}

/** The plan as it is sent. `leeway_changed` in a change names what changes there and can't be seen. */
export function renderPlan({ versions, resource_changes, resource_drift, context }: MaskedPlan): JsonObject {
  return {
    ...versions,
    ...present({
      resource_changes: resource_changes?.map(render),
      resource_drift: resource_drift?.map(render),
    }),
    ...context,
  };
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
  return {
    resource: redact(pick(given, RESOURCE_MEMBERS)).value,
    change: {
      ...redact(pick(source, CHANGE_MEMBERS)).value,
      ...maskSides(source),
      ...pick(source, MASKS),
    },
    source,
  };
}

/** Outputs by their names, with what happens to them; their values stay. */
function outputActions(plan: JsonObject): JsonObject | undefined {
  const outputs = member(plan, "output_changes");
  return (
    outputs && Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, actionsOf(output)]))
  );
}

function actionsOf(output: unknown): JsonObject {
  return isObject(output) ? pick(output, ["actions"]) : {};
}

function pick(object: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}
