import { given, textOf } from "../search.ts";

/** Parses the built-in rule that the page was opened for. */
export function rulesSearch(search: Record<string, unknown>) {
  return given({ rule: textOf(search["rule"]) });
}
