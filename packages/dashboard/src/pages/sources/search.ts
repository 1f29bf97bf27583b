import { given, oneOf } from "../search.ts";

export const FOUND = ["matched", "missing", "unobserved"] as const;

/** Which of the resources that a source declares are listed. */
export function sourceSearch(search: Record<string, unknown>) {
  return given({ match: oneOf(FOUND, search["match"]) });
}
