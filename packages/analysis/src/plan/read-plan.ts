import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/json";
import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

import { differencesOf } from "./differences.ts";
import type { Plan, ResourceChange } from "./model.ts";

/** Reads a masked plan (see `maskPlan`). Nothing in it makes this fail: what can't be read is a warning. */
export function readPlan(plan: JsonObject): Plan {
  const warnings: string[] = [];
  const read = (list: string): ResourceChange[] =>
    readChanges(plan, list, (warning) => warnings.push(warning));
  const [changes, drift] = [read("resource_changes"), read("resource_drift")];
  const errored = plan["errored"] === true;
  if (errored) warnings.push("the plan ended with an error: what it says isn't all");
  for (const { step, count } of prunedOf(plan))
    warnings.push(`the plan was reduced before it was sent: ${step} of ${count} changes`);
  return {
    warnings,
    errored,
    terraformVersion: text(plan, "terraform_version"),
    changes,
    drift,
    unchangedLeftOut: prunedOf(plan).find(({ step }) => step === "unchanged_resources")?.count ?? 0,
    relevantAttributes: new Set(
      members(plan, "relevant_attributes").map((relevant) =>
        relevanceKey(text(relevant, "resource") ?? "", firstStep(relevant["attribute"])),
      ),
    ),
  };
}

function firstStep(attribute: Json | undefined): Json | undefined {
  return Array.isArray(attribute) ? attribute[0] : undefined;
}

/** How {@link Plan.relevantAttributes} names an attribute. */
export function relevanceKey(address: string, step: Json | undefined): string {
  return `${address} ${JSON.stringify(step ?? null)}`;
}

function readChanges(plan: JsonObject, list: string, warn: (warning: string) => void): ResourceChange[] {
  const given = plan[list];
  if (given !== undefined && !Array.isArray(given)) warn(`${list} is no list`);
  return members(plan, list).flatMap((resource, index) => {
    const change = member(resource, "change");
    const actions = actionsOf(change);
    if (change && actions) return [readChange(resource, change, actions)];
    warn(`${list}[${index}] has no actions and is left out`);
    return [];
  });
}

function readChange(resource: JsonObject, change: JsonObject, actions: string[]): ResourceChange {
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

function actionsOf(change: JsonObject | undefined): string[] | undefined {
  const actions = change?.["actions"];
  if (!Array.isArray(actions) || actions.length === 0) return undefined;
  return actions.every((action) => typeof action === "string") ? actions : undefined;
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
  const instance = index === undefined || index === null ? "" : `[${JSON.stringify(index)}]`;
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
