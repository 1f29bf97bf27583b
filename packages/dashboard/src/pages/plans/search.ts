import { JOB_KINDS, JOB_STATUSES } from "../../api/closed-sets.gen.ts";
import { given, oneOf, textOf } from "../search.ts";

/** Kind listed by default: other kinds run automatically, in large numbers. */
export const DEFAULT_KIND = "analyze";

/** Parses the filters of the job list. */
export function plansSearch(search: Record<string, unknown>) {
  const kind = oneOf(JOB_KINDS, search["kind"]);
  return given({
    kind: kind === DEFAULT_KIND ? undefined : kind,
    status: oneOf(JOB_STATUSES, search["status"]),
    ref: textOf(search["ref"]),
    q: textOf(search["q"]),
  });
}
