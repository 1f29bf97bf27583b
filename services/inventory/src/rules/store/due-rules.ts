import type { OrgStatements, Statements, Transaction } from "@leeway/shared/database/database";

interface AccountOfOrg {
  org_id: string;
  account_id: string;
}

/** Lets the current changes of all accounts be judged again. */
export async function markAllDue(tx: Transaction): Promise<void> {
  await tx`
    insert into inventory.due_rules (org_id, cloud_account_id)
    select org_id, id from inventory.cloud_accounts where org_id = ${tx.orgId} order by id
    on conflict (org_id, cloud_account_id) do update set due_at = excluded.due_at, version = due_rules.version + 1
  `;
}

/** Lets an account's changes be judged again, because the actor of one is known now, if a rule reads actors. */
export async function markActorDue(sql: OrgStatements, accountId: string): Promise<void> {
  await sql`
    insert into inventory.due_rules (org_id, cloud_account_id)
    select ${sql.orgId}, ${accountId}
     where exists (
       select from inventory.rules where org_id = ${sql.orgId} and enabled and condition like '%actor%'
     )
    on conflict (org_id, cloud_account_id) do update set due_at = excluded.due_at, version = due_rules.version + 1
  `;
}

/** Returns the organization's accounts that are due. */
export async function dueAccounts(sql: OrgStatements): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select cloud_account_id as id from inventory.due_rules where org_id = ${sql.orgId} order by cloud_account_id
  `;
  return rows.map(({ id }) => id);
}

/** Returns due accounts of all organizations. No other process gets them for `seconds`. */
export async function leaseDue(
  sql: Statements,
  { seconds, atMost }: { seconds: number; atMost: number },
): Promise<AccountOfOrg[]> {
  return sql<{ org_id: string; account_id: string }>`
    select org_id, account_id from inventory.lease_due_rules(${seconds}, ${atMost})
  `;
}

/** Returns the version of what an account is due for; undefined if it isn't due. */
export async function dueVersion(tx: Transaction, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ version: string }>`
    select version::text as version
      from inventory.due_rules
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
  `;
  return row?.version;
}

/** Marks an account as done, unless a rule has changed since `version`. Until then, changes of rules aren't blocked. */
export async function finishDue(tx: Transaction, accountId: string, version: string): Promise<void> {
  await tx`
    delete from inventory.due_rules
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and version = ${version}
  `;
}
