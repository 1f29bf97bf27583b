import { given, oneOf, textOf } from "../search.ts";

export const KINDS = ["changed", "missing", "undeclared", "pending"] as const;
export const LEVELS = ["critical", "high", "medium", "low", "none"] as const;
export const DECISIONS = ["open", "acknowledged", "ignored"] as const;
const NOISES = ["exclude", "only", "include"] as const;
const VIEWS = ["new", "resolved"] as const;

/** The filters that every listing of changes has. */
function changesSearch(search: Record<string, unknown>) {
  return {
    kind: oneOf(KINDS, search["kind"]),
    risk_level: oneOf(LEVELS, search["risk_level"]),
    noise: oneOf(NOISES, search["noise"]),
  };
}

/** The filters of what differs now. */
export function driftSearch(search: Record<string, unknown>) {
  return given({
    account_id: textOf(search["account_id"]),
    disposition: oneOf(DECISIONS, search["disposition"]),
    ...changesSearch(search),
  });
}

/** Which snapshots are listed. */
export function snapshotsSearch(search: Record<string, unknown>) {
  return given({ account_id: textOf(search["account_id"]) });
}

/** What of a snapshot is shown: all its changes, or those that the one before hadn't or had. */
export function snapshotSearch(search: Record<string, unknown>) {
  return given({ view: oneOf(VIEWS, search["view"]), ...changesSearch(search) });
}
