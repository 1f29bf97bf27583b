import { countOf } from "../../ui/number.ts";

/** Describes how many resources there are, if that is known. */
export function leadText(total: number | undefined, isFiltered: boolean): string {
  if (total === undefined) return "The resources in your clouds.";
  if (total === 0 && !isFiltered) return "No resources in your clouds yet.";
  return isFiltered
    ? countOf(total, "resource matches the filters.", "resources match the filters.")
    : countOf(total, "resource in your clouds.", "resources in your clouds.");
}
