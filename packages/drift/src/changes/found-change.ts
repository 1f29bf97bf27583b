import { createHash } from "node:crypto";

import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";

/** A difference between an account and its code. */
export interface FoundChange {
  kind: "changed" | "missing" | "undeclared" | "pending";
  fingerprint: string;
  riskLevel: RiskLevel;
  hidden: boolean;
  valuesHash: string;
  /** JSON of the other fields of the change. */
  content: string;
}

/** Content of a change, without its risk level, its history and its disposition. */
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

/** The place of a change. `what` identifies it among the changes of the same kind and source. */
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

/** Computes the same hash as the database function `drift_fingerprint`. */
function fingerprintOf(parts: readonly string[]): string {
  return `dc1_${createHash("sha256").update(parts.join("\u001F")).digest("hex").slice(0, 32)}`;
}
