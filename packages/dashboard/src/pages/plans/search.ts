import { given, oneOf } from "../search.ts";

export const KINDS = ["analyze", "plan_noise_fix", "drift_narrative"] as const;
export const STATUSES = ["queued", "running", "done", "error"] as const;

/** What the list shows unless it is told otherwise: the rest comes by itself, in numbers. */
export const DEFAULT_KIND = "analyze";

/** The filters of the list of jobs. */
export function plansSearch(search: Record<string, unknown>) {
  const kind = oneOf(KINDS, search["kind"]);
  return given({
    kind: kind === DEFAULT_KIND ? undefined : kind,
    status: oneOf(STATUSES, search["status"]),
  });
}
