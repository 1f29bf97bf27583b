import { DECLARED_STATUSES } from "../../api/closed-sets.gen.ts";
import { given, oneOf } from "../search.ts";

/** Parses the filter of a source's resources. */
export function sourceSearch(search: Record<string, unknown>) {
  return given({ match: oneOf(DECLARED_STATUSES, search["match"]) });
}
