import { replaces, type ResourceChange } from "../plan/model.ts";
import { leafAt } from "../plan/leaves.ts";
import { lossOf } from "./loss.ts";
import type { RuleCase, RuleMatch } from "./rule.ts";
import type { Subject } from "./subject.ts";
import { changesText } from "./values.ts";

/** Reports a deletion or replacement and its consequence. */
export function destroyed(subject: Subject, found: RuleCase, consequence: string): RuleMatch {
  return {
    case: found,
    paths: [...subject.change.replacePaths],
    message: `${destroying(subject)}: ${consequence}`,
  };
}

/** Returns whether a change replaces a resource that serves requests. */
export function replacesServing({ change, type }: Subject): boolean {
  return replaces(change) && lossOf(type, change.before) === "serving";
}

/** Returns whether a replacement is created before the old resource is destroyed. */
export function createsFirst({ actions }: ResourceChange): boolean {
  return actions.indexOf("create") <= actions.indexOf("delete");
}

/** Returns `Deletes it` or `Replaces it`, with the attributes that force a replacement. */
export function destroying({ change, what, outside }: Subject): string {
  if (outside) return "Deleted outside code";
  return replaces(change) ? `Replaces ${what}${reasonOf(change)}` : `Deletes ${what}`;
}

/** Returns why Terraform replaces a resource, in brackets; empty if the plan doesn't include it. */
function reasonOf(change: ResourceChange): string {
  const forcing = changesText(
    change.replacePaths
      .slice(0, MAX_FORCING)
      .map((path) => leafAt(change, path))
      .filter(({ name }) => name),
  );
  const reason = forcing || REASONS[change.actionReason ?? ""];
  return reason ? ` (${reason})` : "";
}

const MAX_FORCING = 20;
const REASONS: Readonly<Record<string, string>> = {
  replace_because_tainted: "it is tainted",
  replace_by_request: "requested with -replace",
  replace_by_triggers: "replace_triggered_by",
};
