import { given, oneOf, textOf } from "../search.ts";
import { ACTIONS } from "./audit-words.ts";

/** Parses the filters of the audit log. */
export function auditSearch(search: Record<string, unknown>) {
  return given({ action: oneOf(ACTIONS, search["action"]), actor_id: textOf(search["actor_id"]) });
}
