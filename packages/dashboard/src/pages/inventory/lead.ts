import { countOf } from "../../ui/number.ts";

/** How many there are, as far as that is known. */
export function leadText(total: number | undefined, isFiltered: boolean): string {
  if (total === undefined) return "What runs in your clouds.";
  if (total === 0 && !isFiltered) return "Nothing is known to run in your clouds.";
  return isFiltered
    ? countOf(total, "resource matches the filters.", "resources match the filters.")
    : countOf(total, "resource runs in your clouds.", "resources run in your clouds.");
}
