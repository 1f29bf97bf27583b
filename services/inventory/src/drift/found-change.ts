import { createHash } from "node:crypto";

import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";

import type { FoundChange } from "./store/found.ts";

/** What is told of a change beside how bad it is and what became of it. */
export type ChangeContent = Omit<
  DriftChange,
  | "id"
  | "cloud_account_id"
  | "kind"
  | "risk_level"
  | "fingerprint"
  | "first_seen_at"
  | "seen_count"
  | "disposition"
>;

/** Where a change is: `what` tells it from others of its kind in the same source. */
interface Place {
  accountId: string;
  kind: FoundChange["kind"];
  sourceId: string;
  what: string;
}

export function foundChange(
  { accountId, kind, sourceId, what }: Place,
  {
    risk_level: riskLevel,
    hidden = false,
    values_hash: valuesHash = "",
  }: { risk_level: RiskLevel; hidden?: boolean; values_hash?: string },
  content: ChangeContent,
): FoundChange {
  const fingerprint = fingerprintOf([accountId, kind, sourceId, what]);
  return { kind, fingerprint, riskLevel, hidden, valuesHash, content: JSON.stringify(content) };
}

/** As the database function `drift_fingerprint`. */
function fingerprintOf(parts: readonly string[]): string {
  return `dc1_${createHash("sha256").update(parts.join("\u001F")).digest("hex").slice(0, 32)}`;
}
