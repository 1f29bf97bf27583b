import type { Analysis, Path, PlanSummary } from "@leeway/shared/contracts/analyzer/analysis";

/** Joins items such as "a, b and c". */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

/** Writes a path as people do: `root_block_device[0].volume_size`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/** Returns a one-word description of the actions on a resource. */
export function actionText(actions: readonly string[]): string {
  if (actions.includes("delete") && actions.includes("create")) return "replace";
  return actions.join(", ") || "change";
}

const ACTIONS = ["create", "update", "replace", "delete", "import", "forget", "move"] as const;

/** Returns how many resources a plan creates, changes or deletes, omitting zeros. */
export function plannedActions(summary: PlanSummary): { verb: string; count: number }[] {
  return ACTIONS.map((verb) => ({ verb, count: summary[verb] ?? 0 })).filter(({ count }) => count > 0);
}

/** Summarizes a plan, such as "2 to create and 1 to delete". */
export function planInWords({ errored, summary }: Pick<Analysis, "errored" | "summary">): string {
  const actions = listed(plannedActions(summary).map(({ verb, count }) => `${count} to ${verb}`));
  if (!errored) return actions || "nothing to change";
  return actions === "" ? "failed" : `failed, ${actions} so far`;
}
