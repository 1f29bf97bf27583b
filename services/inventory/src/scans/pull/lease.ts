import type { OrgStatements } from "@leeway/shared/database/database";

import { beat, type Claim, type Progress } from "./store/claims.ts";

const BEAT_MS = 500;

/** The scan no longer belongs to this process: it was canceled, deleted, or given to another. */
export class LostScan extends Error {
  override readonly name = "LostScan";
}

/** A process's hold on a scan. */
export interface Lease {
  /** Aborted with a `LostScan` soon after the scan is lost. */
  signal: AbortSignal;
  release(): void;
}

/** Holds a scan with heartbeats. While the database is down, no other process can take the scan either. */
export function holdLease(sql: OrgStatements, claim: Claim, progress: () => Progress): Lease {
  const lost = new AbortController();
  let beating = false;
  const timer = setInterval(() => {
    if (beating) return;
    beating = true;
    void beat(sql, claim, progress())
      .then((held) => held || lost.abort(new LostScan()))
      .catch(() => undefined)
      .finally(() => {
        beating = false;
      });
  }, BEAT_MS);
  return { signal: lost.signal, release: () => clearInterval(timer) };
}
