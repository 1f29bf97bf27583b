import type { ReadError, ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { IacSource } from "@leeway/shared/contracts/inventory/sources";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import { codeColumns, codeIn, type CodeRow } from "./bindings.ts";
import { declaredCounts } from "./declared-counts.ts";

interface SourceRow extends Row, CodeRow {
  id: string;
  name: string;
  kind: NonNullable<IacSource["kind"]> | null;
  cloud_account_id: string | null;
  serial: string | null;
  lineage: string | null;
  resource_count: number;
  pushed_at: Date | null;
  planned_at: Date | null;
  backend: ShownBackend | null;
  read_at: Date | null;
  read_error: ReadError | null;
  created_at: Date;
  updated_at: Date;
  matched_count: number;
  missing_count: number;
  unobserved_count: number;
}

function fromRow(row: SourceRow): IacSource {
  return {
    id: row.id,
    name: row.name,
    ...present({
      kind: row.kind,
      cloud_account_id: row.cloud_account_id,
      repository: codeIn(row),
      last_serial: row.serial === null ? null : Number(row.serial),
      lineage: row.lineage,
      pushed_at: row.pushed_at?.toISOString(),
      planned_at: row.planned_at?.toISOString(),
      backend: row.backend,
      read_at: row.read_at?.toISOString(),
      last_error: row.read_error,
    }),
    resource_count: row.resource_count,
    matched_count: row.matched_count,
    missing_count: row.missing_count,
    unobserved_count: row.unobserved_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Selects sources with the counts of their resources. */
const select = (sql: OrgStatements) => sql.part`
  select s.id, s.name, s.kind, s.cloud_account_id, ${codeColumns(sql)}, s.serial, s.lineage,
         s.resource_count, s.pushed_at, s.planned_at, s.backend, s.read_at, s.read_error, s.created_at, s.updated_at,
         c.matched_count, c.missing_count, c.unobserved_count
    from inventory.iac_sources s
   cross join lateral (
     select coalesce(sum(matched), 0)::integer as matched_count,
            coalesce(sum(missing), 0)::integer as missing_count,
            coalesce(sum(unobserved), 0)::integer as unobserved_count
       from (${declaredCounts(sql)}) stands
      where stands.source_id = s.id
   ) c
`;

export async function getSource(sql: OrgStatements, sourceId: string): Promise<IacSource | undefined> {
  const [row] = await sql<SourceRow>`
    ${select(sql)}
     where s.org_id = ${sql.orgId}
       and s.id = ${sourceId}
  `;
  return row && fromRow(row);
}

/** Returns a page of sources, oldest first. */
export async function listSources(
  sql: OrgStatements,
  { accountId }: { accountId: string | undefined },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<IacSource[]> {
  const rows = await sql<SourceRow>`
    ${select(sql)}
     where s.org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or s.id > ${after ?? null})
       and (${accountId ?? null}::uuid is null or s.cloud_account_id = ${accountId ?? null})
     order by s.id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Returns the ids of an account's sources. */
export async function sourcesOf(sql: OrgStatements, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id
      from inventory.iac_sources
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
     order by id
  `;
  return rows.map(({ id }) => id);
}

export async function sourceNamed(sql: OrgStatements, name: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>`
    select id from inventory.iac_sources where org_id = ${sql.orgId} and name = ${name}
  `;
  return row?.id;
}

/** Limit of sources in an organization. */
const MAX_SOURCES = 10_000;

/**
 * Inserts a source; false if the organization has one with this name.
 * @throws {AppError} `conflict` if there are too many
 */
export async function createSource(
  sql: OrgStatements,
  { id, name, accountId }: { id: string; name: string; accountId: string | undefined },
): Promise<boolean> {
  try {
    const made = await sql`
      insert into inventory.iac_sources (org_id, id, name, cloud_account_id)
      select ${sql.orgId}, ${id}, ${name}, ${accountId ?? null}::uuid
       where (select count(*) from inventory.iac_sources where org_id = ${sql.orgId}) < ${MAX_SOURCES}
      returning id
    `;
    if (made.count === 0)
      throw new AppError(
        "conflict",
        `the organization already has ${MAX_SOURCES} IaC sources; delete one first`,
      );
    return true;
  } catch (error) {
    if (isDuplicate(error, "iac_sources_unique")) return false;
    throw error;
  }
}

/**
 * Renames a source or changes its account (null: none). Returns `taken` if another source has the name, and `absent`
 * if the source doesn't exist.
 */
export async function updateSource(
  tx: Transaction,
  sourceId: string,
  { name, accountId }: { name: string | undefined; accountId: string | null | undefined },
): Promise<"done" | "taken" | "absent"> {
  try {
    const updated = await tx`
      update inventory.iac_sources
         set name = coalesce(${name ?? null}, name),
             cloud_account_id = case
               when ${accountId !== undefined} then ${accountId ?? null}::uuid
               else cloud_account_id
             end,
             updated_at = now()
       where org_id = ${tx.orgId}
         and id = ${sourceId}
    `;
    return updated.count > 0 ? "done" : "absent";
  } catch (error) {
    if (isDuplicate(error, "iac_sources_unique")) return "taken";
    throw error;
  }
}

/** Deletes a source and its declarations; false if it doesn't exist. */
export async function deleteSource(tx: Transaction, sourceId: string): Promise<boolean> {
  await tx`
    delete from inventory.declared_attributes a
     using inventory.iac_resources r
     where a.org_id = ${tx.orgId}
       and r.org_id = ${tx.orgId}
       and r.source_id = ${sourceId}
       and r.id = a.iac_resource_id
  `;
  await tx`delete from inventory.iac_resources where org_id = ${tx.orgId} and source_id = ${sourceId}`;
  await tx`delete from inventory.plan_changes where org_id = ${tx.orgId} and source_id = ${sourceId}`;
  const gone = await tx`delete from inventory.iac_sources where org_id = ${tx.orgId} and id = ${sourceId}`;
  return gone.count > 0;
}
