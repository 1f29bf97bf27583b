import type { OrgStatements, Transaction } from "@leeway/shared/database/database";

const CHANGES_AT_ONCE = 1_000;

/** What a plan says of one resource. */
export interface PlanChange {
  kind: "drift" | "pending";
  address: string;
  /** JSON. */
  content: string;
}

/** A source as plans have told of it. */
export interface PlannedSource {
  id: string;
  /** When the state was last another one, or the latest plan of it was submitted. */
  knownSince: Date | undefined;
  hash: Buffer | undefined;
}

export async function isSourceKnown(sql: OrgStatements, names: readonly string[]): Promise<boolean> {
  const [row] = await sql`
    select 1 from inventory.iac_sources where org_id = ${sql.orgId} and name = any (${[...names]}::text[]) limit 1
  `;
  return row !== undefined;
}

/** The first source there is of these names, held until the transaction ends. */
export async function holdPlanned(
  tx: Transaction,
  names: readonly string[],
): Promise<PlannedSource | undefined> {
  const [row] = await tx<{ id: string; known_since: Date | null; plan_hash: Buffer | null }>`
    select id, greatest(pushed_at, planned_at) as known_since, plan_hash
      from inventory.iac_sources
     where org_id = ${tx.orgId}
       and name = any (${[...names]}::text[])
     order by array_position(${[...names]}::text[], name)
     limit 1
       for update
  `;
  return row && { id: row.id, knownSince: row.known_since ?? undefined, hash: row.plan_hash ?? undefined };
}

export async function notePlan(
  tx: Transaction,
  sourceId: string,
  { plannedAt, hash }: { plannedAt: string; hash: Buffer },
): Promise<void> {
  await tx`
    update inventory.iac_sources
       set planned_at = ${plannedAt}, plan_hash = ${hash}
     where org_id = ${tx.orgId}
       and id = ${sourceId}
  `;
}

/** Makes `changes` all that a plan says of the source. */
export async function replacePlanned(
  tx: Transaction,
  sourceId: string,
  changes: readonly PlanChange[],
): Promise<void> {
  await tx`delete from inventory.plan_changes where org_id = ${tx.orgId} and source_id = ${sourceId}`;
  for (let start = 0; start < changes.length; start += CHANGES_AT_ONCE) {
    const some = changes.slice(start, start + CHANGES_AT_ONCE);
    await tx`
      insert into inventory.plan_changes (org_id, source_id, place, kind, address, content)
      select ${tx.orgId}, ${sourceId}, ${start}::integer + place, kind, address, content
        from unnest(
               ${some.map(({ kind }) => kind)}::text[],
               ${some.map(({ address }) => address)}::text[],
               ${some.map(({ content }) => content)}::text[]
             ) with ordinality as c (kind, address, content, place)
    `;
  }
}

/** Forgets what a plan said of the source: its state is another one now, or gone. */
export async function forgetPlan(tx: Transaction, sourceId: string): Promise<void> {
  await tx`delete from inventory.plan_changes where org_id = ${tx.orgId} and source_id = ${sourceId}`;
  await tx`update inventory.iac_sources set plan_hash = null where org_id = ${tx.orgId} and id = ${sourceId}`;
}

/**
 * Accounts that were listed, after a time where one is given, and that something counts for of what a plan says of the
 * source.
 */
export async function plannedAccounts(
  tx: Transaction,
  sourceId: string,
  listedAfter = new Date(0),
): Promise<string[]> {
  const rows = await tx<{ id: string }>`
    select a.id
      from inventory.cloud_accounts a
     where a.org_id = ${tx.orgId}
       and a.swept_at > ${listedAfter}
       and exists (
         select
           from inventory.plan_changes p
           join inventory.iac_sources s on s.org_id = p.org_id and s.id = p.source_id
           left join inventory.declared_resources d
             on d.org_id = p.org_id and d.source_id = p.source_id and d.address = p.address
          where p.org_id = ${tx.orgId}
            and p.source_id = ${sourceId}
            and coalesce(d.cloud_account_id, s.cloud_account_id) = a.id
       )
  `;
  return rows.map(({ id }) => id);
}
