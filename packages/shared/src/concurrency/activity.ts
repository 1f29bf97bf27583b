/** Time after its last request for which an organization counts as active. */
const ACTIVE_MS = 1_000;

/** The organizations that sent a request within the last second. */
export interface Activity {
  note(orgId: string): void;
  /** Returns whether an organization other than `orgId` is active. */
  isShared(orgId: string): boolean;
}

export function createActivity(): Activity {
  /** The organization of the latest request, and the latest other organization before it. */
  let latest = { orgId: "", at: Number.NEGATIVE_INFINITY };
  let before = latest;
  return {
    note(orgId) {
      if (latest.orgId !== orgId) before = latest;
      latest = { orgId, at: performance.now() };
    },
    isShared(orgId) {
      const other = latest.orgId === orgId ? before : latest;
      return performance.now() - other.at < ACTIVE_MS;
    },
  };
}
