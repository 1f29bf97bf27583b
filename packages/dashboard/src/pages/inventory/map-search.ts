import { given, oneOf } from "../search.ts";

/** Parses the grouping of the map. */
export function mapSearch(search: Record<string, unknown>) {
  return given({ by: oneOf(["type", "account"] as const, search["by"]) });
}
