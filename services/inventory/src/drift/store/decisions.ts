import type { Actor } from "@leeway/shared/contracts/common";
import type { Statements, Transaction } from "@leeway/shared/database/database";

/** A decision about a change. */
export interface Decided {
  status: "open" | "acknowledged" | "ignored";
  until: Date | undefined;
  reason: string | undefined;
  by: Actor;
}

/** Returns the account that has the change with this fingerprint now. */
export async function accountOfChange(tx: Transaction, fingerprint: string): Promise<string | undefined> {
  const [row] = await tx<{ cloud_account_id: string }>`
    select cloud_account_id
      from inventory.drift_fingerprints
     where org_id = ${tx.orgId}
       and fingerprint = ${fingerprint}
       and gone_at is null
  `;
  return row?.cloud_account_id;
}

/** Returns whether a change is ignored and the time of that isn't over. */
export async function isIgnored(tx: Transaction, fingerprint: string): Promise<boolean> {
  const [row] = await tx`
    select 1
      from inventory.drift_fingerprints
     where org_id = ${tx.orgId}
       and fingerprint = ${fingerprint}
       and status = 'ignored'
       and (ignored_until <= now()) is not true
  `;
  return row !== undefined;
}

/** @returns whether the change is still present */
export async function noteDecision(tx: Transaction, fingerprint: string, decided: Decided): Promise<boolean> {
  const noted = await tx`
    update inventory.drift_fingerprints
       set status = ${decided.status}, ignored_until = ${decided.until ?? null}, reason = ${decided.reason ?? null},
           decided_by = ${tx.part.json(decided.by)}, decided_at = now(), decision_id = null
     where org_id = ${tx.orgId}
       and fingerprint = ${fingerprint}
       and gone_at is null
  `;
  return noted.count > 0;
}

/** Reopens an account's ignored changes whose time is over. @returns the number of reopened changes */
export async function openEnded(tx: Transaction, accountId: string): Promise<number> {
  const opened = await tx`
    update inventory.drift_fingerprints
       set status = 'open'
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and status = 'ignored'
       and ignored_until <= now()
  `;
  return opened.count;
}

/** Returns accounts of all organizations with ignored changes whose time is over. */
export async function endedIgnores(
  sql: Statements,
  atMost: number,
): Promise<{ org_id: string; account_id: string }[]> {
  return sql<{ org_id: string; account_id: string }>`
    select org_id, account_id from inventory.ended_ignores(${atMost})
  `;
}
