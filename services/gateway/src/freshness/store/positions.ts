import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/**
 * Returns the position up to which everything is written. PostgreSQL shows a commit once it is flushed, unless
 * `synchronous_commit` is off.
 */
export async function currentPosition(sql: Statements): Promise<string> {
  const [row] = await sql<{ position: string }>`select pg_current_wal_flush_lsn()::text as position`;
  if (!row) throw new Error("the server has no position");
  return row.position;
}

/** Notes that the organization was shown what is written until now. */
export async function notePosition(sql: OrgStatements): Promise<void> {
  // Read again under the row's lock, so that it never goes back.
  await sql`
    insert into identity.positions (org_id, position)
    values (${sql.orgId}, pg_current_wal_flush_lsn())
    on conflict (org_id) do update set position = pg_current_wal_flush_lsn()
  `;
}

/**
 * Returns the position that the organization was shown last, at least `floor`. Without a row it is the current one.
 * Undefined if another process is noting the first.
 */
export async function positionSince(sql: OrgStatements, floor: string): Promise<string | undefined> {
  const [row] = await sql<{ position: string }>`
    with first as (
      insert into identity.positions (org_id, position)
      values (${sql.orgId}, pg_current_wal_flush_lsn())
      on conflict (org_id) do nothing
      returning position
    )
    select greatest(position, ${floor}::pg_lsn)::text as position
      from (
        select position from first
        union all
        select position from identity.positions where org_id = ${sql.orgId}
      ) known
  `;
  return row?.position;
}
