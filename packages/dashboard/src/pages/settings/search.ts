import { given, textOf } from "../search.ts";

/** Parses the filters of the audit log. The page, not the first script, knows which actions there are. */
export function auditSearch(search: Record<string, unknown>) {
  return given({ action: textOf(search["action"]), actor_id: textOf(search["actor_id"]) });
}
