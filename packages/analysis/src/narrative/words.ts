import type { Analysis, Path, PlanSummary } from "@leeway/shared/contracts/analyzer/analysis";

/** Such as "1 resource" or "3 resources". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Such as "a, b and c". */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

/** As people write a path: `root_block_device[0].volume_size`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/** What happens to a resource, in a word. */
export function actionText(actions: readonly string[]): string {
  if (actions.includes("delete") && actions.includes("create")) return "replace";
  return actions.join(", ") || "change";
}

const DEEDS = ["create", "update", "replace", "delete", "import", "forget", "move"] as const;

/** What a plan does to how many resources, without what it does nothing to. */
export function deedsOf(summary: PlanSummary): { verb: string; count: number }[] {
  return DEEDS.map((verb) => ({ verb, count: summary[verb] ?? 0 })).filter(({ count }) => count > 0);
}

/** What a plan would do, such as "2 to create and 1 to delete". */
export function planInWords({ errored, summary }: Pick<Analysis, "errored" | "summary">): string {
  const deeds = listed(deedsOf(summary).map(({ verb, count }) => `${count} to ${verb}`));
  if (!errored) return deeds || "nothing to change";
  return deeds === "" ? "failed" : `failed, ${deeds} so far`;
}
