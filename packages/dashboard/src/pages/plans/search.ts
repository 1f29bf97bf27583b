import { given, oneOf } from "../search.ts";

export const KINDS = ["analyze", "plan_noise_fix", "drift_narrative"] as const;
export const STATUSES = ["queued", "running", "done", "error"] as const;

/** The filters of the list of jobs. */
export function plansSearch(search: Record<string, unknown>) {
  return given({ kind: oneOf(KINDS, search["kind"]), status: oneOf(STATUSES, search["status"]) });
}
