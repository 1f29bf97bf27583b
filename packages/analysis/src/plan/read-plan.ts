import { hclString } from "@leeway/shared/hcl-string";
import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/json";
import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

import { differencesOf } from "./differences.ts";
import type { Plan, ResourceChange } from "./model.ts";

/** Reads a masked plan (see `maskPlan`). Nothing in it makes this fail: what can't be read is a warning. */
export function readPlan(plan: JsonObject): Plan {
  const [changes, drift] = [readChanges(plan, "resource_changes"), readChanges(plan, "resource_drift")];
  const leftOut = [...changes.leftOut, ...drift.leftOut];
  const warnings = [...leftOut, ...changes.unknown, ...drift.unknown];
  const errored = plan["errored"] === true;
  if (errored) warnings.push("the plan ended with an error: what it says isn't all");
  else if (plan["complete"] === false)
    warnings.push("the plan isn't complete: what it defers, or wasn't aimed at, isn't judged");
  warnings.push(...warningOf("checks fail", failingChecks(plan)));
  warnings.push(...warningOf("the plan invokes actions, which no rule judges", invokedActions(plan)));
  for (const { step, count } of prunedOf(plan))
    warnings.push(`the plan was reduced before it was sent: ${step} of ${count} changes`);
  return {
    warnings,
    errored,
    isWhole: leftOut.length === 0,
    terraformVersion: text(plan, "terraform_version"),
    changes: changes.read,
    drift: drift.read,
    unchangedLeftOut: prunedOf(plan).find(({ step }) => step === "unchanged_resources")?.count ?? 0,
    relevantAttributes: new Set(
      members(plan, "relevant_attributes").map((relevant) =>
        relevanceKey(text(relevant, "resource") ?? "", firstStep(relevant["attribute"])),
      ),
    ),
  };
}

const NAMELESS = "one without a name";

/** What conditions of the configuration are called that don't hold: the plan goes on all the same. */
function failingChecks(plan: JsonObject): string[] {
  return members(plan, "checks")
    .filter(({ status }) => status === "fail" || status === "error")
    .map((check) => text(member(check, "address"), "to_display") ?? NAMELESS);
}

/** What a provider is asked to do beside changing resources, such as stopping an instance. */
function invokedActions(plan: JsonObject): string[] {
  return members(plan, "action_invocations").map((invocation) => text(invocation, "address") ?? NAMELESS);
}

/** Names the first, and says how many more there are; none for none. */
function warningOf(said: string, [first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [`${said}: ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`];
}

function firstStep(attribute: Json | undefined): Json | undefined {
  return Array.isArray(attribute) ? attribute[0] : undefined;
}

/** How {@link Plan.relevantAttributes} names an attribute. */
export function relevanceKey(address: string, step: Json | undefined): string {
  return `${address} ${JSON.stringify(step ?? null)}`;
}

/** The changes in a list, and warnings: of what can't be read, and of actions that nobody knows. */
interface ReadChanges {
  read: ResourceChange[];
  leftOut: string[];
  unknown: string[];
}

function readChanges(plan: JsonObject, list: string): ReadChanges {
  const { [list]: given = [] } = plan;
  if (!Array.isArray(given)) return { read: [], leftOut: [`${list} is no list`], unknown: [] };
  const all = given.map(readChange);
  const warn = (text: string, isMeant: (change: ResourceChange | undefined) => boolean): string[] => {
    const places = all.flatMap((change, index) => (isMeant(change) ? [`${list}[${index}]`] : []));
    return warningOf(text, places);
  };
  return {
    read: all.filter((change) => change !== undefined),
    leftOut: warn("what has no actions is left out", (change) => change === undefined),
    unknown: warn("unknown actions count as updates", (change) => change?.actions.every(isKnown) === false),
  };
}

const KNOWN_ACTIONS = new Set(["no-op", "create", "read", "update", "delete", "forget"]);

function isKnown(action: string): boolean {
  return KNOWN_ACTIONS.has(action);
}

function readChange(resource: Json): ResourceChange | undefined {
  if (!isObject(resource)) return undefined;
  const change = member(resource, "change");
  const actions = actionsOf(change);
  if (!change || !actions) return undefined;
  const mode = resource["mode"] === "data" ? "data" : "managed";
  return {
    address: text(resource, "address") ?? addressOf(resource, mode),
    previousAddress: text(resource, "previous_address"),
    moduleAddress: text(resource, "module_address"),
    mode,
    type: text(resource, "type") ?? "",
    providerName: text(resource, "provider_name") ?? "",
    deposed: text(resource, "deposed"),
    actions,
    actionReason: text(resource, "action_reason"),
    importing: isObject(change["importing"]),
    before: change["before"] ?? null,
    after: change["after"] ?? null,
    replacePaths: pathsOf(change["replace_paths"]),
    differences: differencesOf(change),
  };
}

/** What OpenTofu has other names for; an ephemeral resource is opened as a data source is read. */
const OF_OPENTOFU = new Map([
  ["open", ["read"]],
  ["ForgetThenCreate", ["forget", "create"]],
]);

function actionsOf(change: JsonObject | undefined): string[] | undefined {
  const actions = change?.["actions"];
  if (!Array.isArray(actions) || actions.length === 0) return undefined;
  return actions.every((action) => typeof action === "string")
    ? actions.flatMap((action) => OF_OPENTOFU.get(action) ?? action)
    : undefined;
}

/** As Terraform would write it, of a change that has none. */
function addressOf(resource: JsonObject, mode: "managed" | "data"): string {
  const { index } = resource;
  const steps = [
    text(resource, "module_address"),
    mode === "data" && "data",
    text(resource, "type"),
    text(resource, "name"),
  ];
  const key = typeof index === "string" ? hclString(index) : JSON.stringify(index);
  const instance = index === undefined || index === null ? "" : `[${key}]`;
  return steps.filter(Boolean).join(".") + instance;
}

function pathsOf(paths: Json | undefined): Path[] {
  return Array.isArray(paths) ? paths.filter((path): path is Path => Array.isArray(path)) : [];
}

function prunedOf(plan: JsonObject): { step: string; count: number }[] {
  return members(plan, "leeway_pruned").map(({ step, count }) => ({
    step: typeof step === "string" ? step : "values",
    count: Number(count),
  }));
}
