import { given, oneOf, textOf } from "../search.ts";

export const STATUSES = ["queued", "running", "succeeded", "partial", "failed", "canceled"] as const;
export const TRIGGERS = ["manual", "schedule", "api", "webhook", "push"] as const;

/** The filters of scans, as the API has them and the address shows them. */
export function scanSearch(search: Record<string, unknown>) {
  return given({
    account_id: textOf(search["account_id"]),
    status: oneOf(STATUSES, search["status"]),
    trigger: oneOf(TRIGGERS, search["trigger"]),
  });
}
