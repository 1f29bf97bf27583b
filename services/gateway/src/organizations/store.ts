import { RETENTION, RETENTION_BATCH } from "@leeway/shared/contracts/retention";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { forgetCiTokens } from "../auth/store/ci-identities.ts";
import { deleteExpiredSessions } from "../auth/store/sessions.ts";
import type { Organization } from "../identity.ts";

interface Row {
  org_id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

/** Creates an organization. @returns the organization with its times */
export async function insertOrganization(sql: OrgStatements, name: string): Promise<Organization> {
  const [row] = await sql<Row>`
    insert into identity.organizations (org_id, name)
    values (${sql.orgId}, ${name})
    returning org_id, name, created_at, updated_at
  `;
  if (!row) throw new Error("the organization wasn't created");
  return fromRow(row);
}

/** Returns the organization of `sql`; undefined if it was deleted or never existed. */
export async function getOrganization(sql: OrgStatements): Promise<Organization | undefined> {
  const [row] = await sql<Row>`
    select org_id, name, created_at, updated_at
      from identity.organizations
     where org_id = ${sql.orgId}
       and deleted_at is null
  `;
  return row && fromRow(row);
}

/** Renames the organization of `sql`; returns undefined if there is none. */
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

/** Marks the organization of `sql` as deleted, which hides it permanently. @returns whether there was one */
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
 * Locks the organization against deletion and against changes to its members and keys until the transaction ends.
 * @throws {AppError} `not_found` if it was deleted
 */
export async function lockOrganization(sql: OrgStatements): Promise<void> {
  const [row] = await sql`
    select from identity.organizations where org_id = ${sql.orgId} and deleted_at is null for update
  `;
  if (!row) throw noOrganization();
}

/** Returns the error for an organization that was deleted a moment ago. */
export function noOrganization(): AppError {
  return new AppError("not_found", "the organization doesn't exist");
}

/** Returns organizations by id, sorted by id; deleted ones are left out. */
export async function listOrganizations(sql: Statements, ids: readonly string[]): Promise<Organization[]> {
  const rows = await sql<Row>`
    select org_id, name, created_at, updated_at from identity.list_organizations(${sql.part.json(ids)})
  `;
  return rows.map(fromRow);
}

/**
 * Returns deleted organizations whose data must be deleted, for the first or the last time; earliest deletion first.
 */
export async function deletedOrganizations(sql: Statements): Promise<string[]> {
  const rows = await sql<{ org_id: string }>`select org_id from identity.deleted_organizations()`;
  return rows.map(({ org_id: orgId }) => orgId);
}

/** Deletes a deleted organization's data in this service, and its row an hour after the deletion. */
export async function forgetOrganization(sql: Statements, orgId: string): Promise<void> {
  let isMore = true;
  while (isMore) {
    const [row] = await sql<{ more: boolean }>`select identity.forget_some(${orgId}) as more`;
    isMore = row?.more ?? false;
  }
  await sql`select identity.forget_organization(${orgId})`;
}

/**
 * Deletes expired audit entries, idempotency keys, rate windows, sessions and CI tokens.
 * @returns whether there may be more
 */
export async function forgetExpired(sql: Statements): Promise<boolean> {
  await deleteExpiredSessions(sql);
  const isMoreOfJobs = await forgetCiTokens(sql);
  const { auditLog, people, idempotencyKeys } = RETENTION;
  const [row] = await sql<{ more: boolean }>`
    select identity.forget_expired(
             ${auditLog.days}, ${people.days}, ${idempotencyKeys.days * 24}, ${RETENTION_BATCH}
           ) as more
  `;
  return isMoreOfJobs || (row?.more ?? false);
}

function fromRow({ org_id: id, name, created_at: createdAt, updated_at: updatedAt }: Row): Organization {
  return { id, name, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
