import type { Database, OrgStatements, Statements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import { deleteExpiredSessions } from "./sessions.ts";
import type { Organization } from "../identity.ts";

interface Row {
  org_id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

/** Makes an organization. @returns when it was made */
export async function insertOrganization(sql: OrgStatements, name: string): Promise<Organization> {
  const [row] = await sql<Row>`
    insert into identity.organizations (org_id, name)
    values (${sql.orgId}, ${name})
    returning org_id, name, created_at, updated_at
  `;
  if (!row) throw new Error("an organization wasn't made");
  return fromRow(row);
}

/** The statements' organization; undefined when it is deleted or never was. */
export async function getOrganization(sql: OrgStatements): Promise<Organization | undefined> {
  const [row] = await sql<Row>`
    select org_id, name, created_at, updated_at
      from identity.organizations
     where org_id = ${sql.orgId}
       and deleted_at is null
  `;
  return row && fromRow(row);
}

/** Renames the statements' organization; undefined when there is none. */
export async function renameOrganization(
  sql: OrgStatements,
  name: string,
): Promise<Organization | undefined> {
  const [row] = await sql<Row>`
    update identity.organizations
       set name = ${name}, updated_at = now()
     where org_id = ${sql.orgId}
       and deleted_at is null
    returning org_id, name, created_at, updated_at
  `;
  return row && fromRow(row);
}

/** Hides the statements' organization from everybody for good. @returns whether there was one */
export async function markDeleted(sql: OrgStatements): Promise<boolean> {
  const rows = await sql`
    update identity.organizations
       set deleted_at = now()
     where org_id = ${sql.orgId}
       and deleted_at is null
    returning org_id
  `;
  return rows.length > 0;
}

/**
 * Keeps its deletion, and every other change to the organization's members and keys, waiting until the transaction ends.
 * @throws {AppError} `not_found` when it is deleted
 */
export async function lockOrganization(sql: OrgStatements): Promise<void> {
  const [row] = await sql`
    select from identity.organizations where org_id = ${sql.orgId} and deleted_at is null for update
  `;
  if (!row) throw noOrganization();
}

/** What was a member's organization a moment ago may be deleted by now. */
export function noOrganization(): AppError {
  return new AppError("not_found", "there is no such organization");
}

/** Organizations by id, in the order of their ids; those that are gone are left out. */
export async function listOrganizations(sql: Statements, ids: readonly string[]): Promise<Organization[]> {
  const rows = await sql<Row>`
    select org_id, name, created_at, updated_at from identity.list_organizations(${sql.part.json(ids)})
  `;
  return rows.map(fromRow);
}

/** Organizations that are deleted and to be forgotten, for the first or the last time; the longest deleted first. */
export async function deletedOrganizations(sql: Statements): Promise<string[]> {
  const rows = await sql<{ org_id: string }>`select org_id from identity.deleted_organizations()`;
  return rows.map(({ org_id: orgId }) => orgId);
}

/** Removes what is here of a deleted organization; its row an hour after it was deleted, and not before. */
export async function forgetOrganization(sql: Statements, orgId: string): Promise<void> {
  let isMore = true;
  while (isMore) {
    const [row] = await sql<{ more: boolean }>`select identity.forget_some(${orgId}) as more`;
    isMore = row?.more ?? false;
  }
  await sql`select identity.forget_organization(${orgId})`;
}

/**
 * Drops audit entries, idempotency keys, rate windows and sessions that are too old to be kept.
 * @returns whether there may be more of them
 */
export async function forgetExpired(database: Database): Promise<boolean> {
  await deleteExpiredSessions(database.system);
  const [row] = await database.system<{ more: boolean }>`select identity.forget_expired() as more`;
  return row?.more ?? false;
}

function fromRow({ org_id: id, name, created_at: createdAt, updated_at: updatedAt }: Row): Organization {
  return { id, name, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
