import { SCAN_STATUSES, SCAN_TRIGGERS } from "../../api/closed-sets.gen.ts";
import { given, oneOf, textOf } from "../search.ts";

/** Parses the filters of scans, named as in the API. */
export function scanSearch(search: Record<string, unknown>) {
  return given({
    account_id: textOf(search["account_id"]),
    status: oneOf(SCAN_STATUSES, search["status"]),
    trigger: oneOf(SCAN_TRIGGERS, search["trigger"]),
  });
}
