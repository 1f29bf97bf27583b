import type { Actor } from "@leeway/shared/contracts/common";
import type { Statements, Transaction } from "@leeway/shared/database/database";

/** What somebody decided about a change. */
export interface Decided {
  status: "open" | "acknowledged" | "ignored";
  until: Date | undefined;
  reason: string | undefined;
  by: Actor;
}

/** The account that has a change of that fingerprint now. */
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

/** Whether somebody ignores it, and the time of that isn't over. */
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

/** @returns whether it is there still */
export async function noteDecision(tx: Transaction, fingerprint: string, decided: Decided): Promise<boolean> {
  const noted = await tx`
    update inventory.drift_fingerprints
       set status = ${decided.status}, ignored_until = ${decided.until ?? null}, reason = ${decided.reason ?? null},
           decided_by = ${tx.part.json(decided.by)}
     where org_id = ${tx.orgId}
       and fingerprint = ${fingerprint}
       and gone_at is null
  `;
  return noted.count > 0;
}

/** Opens what an account ignored until now or before. */
export async function openEnded(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    update inventory.drift_fingerprints
       set status = 'open'
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and status = 'ignored'
       and ignored_until <= now()
  `;
}

/** Accounts of every organization with something that isn't ignored any more. */
export async function endedIgnores(
  sql: Statements,
  atMost: number,
): Promise<{ org_id: string; account_id: string }[]> {
  return sql<{ org_id: string; account_id: string }>`
    select org_id, account_id from inventory.ended_ignores(${atMost})
  `;
}
