import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";

/** Returns the display name of an account; undefined if it was deleted. */
export async function nameOfAccount(sql: OrgStatements, accountId: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }>`
    select coalesce(name, external_id) as name
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${accountId}
  `;
  return row?.name;
}

/** Stores an event to publish, as JSON. */
export async function insertNotice(
  sql: OrgStatements,
  publication: string,
  fingerprints: readonly string[],
): Promise<void> {
  await sql`
    insert into inventory.notices (org_id, id, publication, fingerprints)
    values (${sql.orgId}, ${Bun.randomUUIDv7()}, ${publication}, ${[...fingerprints]}::text[])
  `;
}

/** Returns notices of all organizations. No other process gets them for `seconds`. */
export async function leaseNotices(
  sql: Statements,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`
    select org_id, id from inventory.lease_notices(${seconds}, ${limit})
  `;
}

interface NoticeRow extends Row {
  id: string;
  publication: string;
  fingerprints: string[];
  created_at: Date;
}

/** Returns an organization's oldest notices, up to the one with the id `last`. */
export async function oldestNotices(
  sql: OrgStatements,
  { last, limit }: { last: string; limit: number },
): Promise<NoticeRow[]> {
  return sql<NoticeRow>`
    select id, publication, coalesce(fingerprints, '{}') as fingerprints, created_at
      from inventory.notices
     where org_id = ${sql.orgId}
       and id <= ${last}
     order by id
     limit ${limit}
  `;
}

/** Deletes a notice that was accepted. */
export async function deleteNotice(sql: OrgStatements, id: string): Promise<void> {
  await sql`
    delete from inventory.notices
     where org_id = ${sql.orgId}
       and id = ${id}
  `;
}
