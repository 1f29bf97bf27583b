import { hclString } from "@leeway/shared/values/hcl-string";
import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";
import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { formatVersion } from "./mask-plan.ts";

import { differencesOf } from "./differences.ts";
import { stays, type Plan, type ResourceChange } from "./model.ts";

/** Reads a masked plan (see `maskPlan`). Never throws: unreadable parts become warnings. */
export function readPlan(plan: JsonObject): Plan {
  const [changes, drift] = [readChanges(plan, "resource_changes"), readChanges(plan, "resource_drift")];
  const leftOut = [...changes.leftOut, ...drift.leftOut];
  const warnings = [...leftOut, ...changes.unknown, ...drift.unknown];
  if (changes.read.some((change) => !stays(change)) && isOld(plan)) warnings.push(OLD_FORMAT);
  const errored = plan["errored"] === true;
  if (errored) warnings.push("the plan ended with an error; it may make more changes than these");
  else if (plan["complete"] === false)
    warnings.push("the plan is incomplete: deferred and untargeted resources aren't judged");
  warnings.push(...warningOf("checks fail", failingChecks(plan)));
  warnings.push(...warningOf("the plan invokes actions, which no rule judges", invokedActions(plan)));
  for (const { step, count } of prunedOf(plan))
    warnings.push(`the plan was shortened before it was sent: ${step} of ${count} resources`);
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

const OLD_FORMAT = "this plan was made by Terraform 1.0 or older; some details may be missing";

function isOld(plan: JsonObject): boolean {
  return formatVersion(plan)?.startsWith("0.") ?? false;
}

const NAMELESS = "an unnamed one";

/** Returns the names of failing check conditions, which don't stop the plan. */
function failingChecks(plan: JsonObject): string[] {
  return members(plan, "checks")
    .filter(({ status }) => status === "fail" || status === "error")
    .map((check) => text(member(check, "address"), "to_display") ?? NAMELESS);
}

/** Returns the provider actions that a plan invokes besides resource changes, such as stopping an instance. */
function invokedActions(plan: JsonObject): string[] {
  return members(plan, "action_invocations").map((invocation) => text(invocation, "address") ?? NAMELESS);
}

/** Returns a warning that names the first item and counts the rest; none if there are no items. */
function warningOf(warning: string, [first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [`${warning}: ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`];
}

function firstStep(attribute: Json | undefined): Json | undefined {
  return Array.isArray(attribute) ? attribute[0] : undefined;
}

/** Returns an attribute's key in {@link Plan.relevantAttributes}. */
export function relevanceKey(address: string, step: Json | undefined): string {
  return `${address} ${JSON.stringify(step ?? null)}`;
}

/** Changes of a list, and warnings about unreadable ones and unknown actions. */
interface ReadChanges {
  read: ResourceChange[];
  leftOut: string[];
  unknown: string[];
}

function readChanges(plan: JsonObject, list: string): ReadChanges {
  const { [list]: given = [] } = plan;
  if (!Array.isArray(given))
    return { read: [], leftOut: [`${list} isn't a list, so it is skipped`], unknown: [] };
  const all = given.map(readChange);
  const warn = (text: string, isMeant: (change: ResourceChange | undefined) => boolean): string[] => {
    const places = all.flatMap((change, index) => (isMeant(change) ? [`${list}[${index}]`] : []));
    return warningOf(text, places);
  };
  return {
    read: all.filter((change) => change !== undefined),
    leftOut: warn("entries without actions are skipped", (change) => change === undefined),
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

/** Actions that OpenTofu names differently. Opening an ephemeral resource is like reading a data source. */
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

/** Builds a missing address as Terraform would write it. */
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
