import type { OrgStatements } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";
import { AppError } from "@leeway/shared/values/errors";

import type { Role } from "../roles.ts";
import type { Member } from "../../identity.ts";

interface Row {
  id: string;
  email: string | null;
  person_id: string | null;
  role: Role;
  created_at: Date;
  joined_at: Date | null;
}

/** Adds the founder of an organization as a member. */
export async function insertFounder(
  sql: OrgStatements,
  { personId, email, role }: { personId: string; email: string | undefined; role: Role },
): Promise<void> {
  await sql`
    insert into identity.members (org_id, id, person_id, email, role, joined_at)
    values (${sql.orgId}, ${Bun.randomUUIDv7()}, ${personId}, ${email ?? null}, ${role}, now())
  `;
}

/** Maximum of members and invitations per organization. */
const MAX_MEMBERS = 10_000;

/**
 * Invites the owner of an address.
 * @throws {AppError} `conflict` if the address is invited or a member's already, or there are too many
 */
export async function insertInvitation(
  sql: OrgStatements,
  { id = Bun.randomUUIDv7(), email, role }: { id?: string; email: string; role: Role },
): Promise<Member> {
  try {
    const [row] = await sql<Row>`
      insert into identity.members (org_id, id, email, role)
      select ${sql.orgId}, ${id}::uuid, ${email}, ${role}
       where (select count(*) from identity.members where org_id = ${sql.orgId}) < ${MAX_MEMBERS}
      returning id, email, person_id, role, created_at, joined_at
    `;
    if (!row)
      throw new AppError(
        "conflict",
        `the organization already has ${MAX_MEMBERS} members and invitations; remove unused ones`,
      );
    return fromRow(row);
  } catch (error) {
    if (!isDuplicate(error, "members_email")) throw error;
    throw new AppError("conflict", "a member or invitation with this address already exists", {
      cause: error,
    });
  }
}

/** Returns a page of members and invitations after `after`, oldest first. */
export async function listMembers(
  sql: OrgStatements,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Member[]> {
  const rows = await sql<Row>`
    select id, email, person_id, role, created_at, joined_at
      from identity.members
     where org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or id > ${after ?? null})
     order by id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Returns one member or invitation; undefined if there is no such id. */
export async function getMember(sql: OrgStatements, id: string): Promise<Member | undefined> {
  const [row] = await sql<Row>`
    select id, email, person_id, role, created_at, joined_at
      from identity.members
     where org_id = ${sql.orgId}
       and id = ${id}
  `;
  return row && fromRow(row);
}

/** Returns a person's membership; undefined if the person isn't a member. */
export async function getMembershipOf(sql: OrgStatements, personId: string): Promise<Member | undefined> {
  const [row] = await sql<Row>`
    select id, email, person_id, role, created_at, joined_at
      from identity.members
     where org_id = ${sql.orgId}
       and person_id = ${personId}
  `;
  return row && fromRow(row);
}

/** Returns the addresses, in lower case, that belong to members and are verified by the identity provider. */
export async function verifiedAmong(sql: OrgStatements, addresses: readonly string[]): Promise<string[]> {
  const rows = await sql<{ email: string }>`
    select lower(p.email collate "C") as email
      from identity.members m
      join identity.people p on p.id = m.person_id
     where m.org_id = ${sql.orgId}
       and p.email_verified
       and lower(p.email collate "C") = any (${[...addresses]}::text[])
  `;
  return rows.map(({ email }) => email);
}

/** Counts owners who have joined, without invitations. */
export async function countOwners(sql: OrgStatements): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count
      from identity.members
     where org_id = ${sql.orgId}
       and role = 'owner'
       and person_id is not null
  `;
  return row?.count ?? 0;
}

/** Changes a member's role; returns undefined if there is no such member. */
export async function updateRole(sql: OrgStatements, id: string, role: Role): Promise<Member | undefined> {
  const [row] = await sql<Row>`
    update identity.members
       set role = ${role}
     where org_id = ${sql.orgId}
       and id = ${id}
    returning id, email, person_id, role, created_at, joined_at
  `;
  return row && fromRow(row);
}

export async function deleteMember(sql: OrgStatements, id: string): Promise<void> {
  await sql`delete from identity.members where org_id = ${sql.orgId} and id = ${id}`;
}

function fromRow(row: Row): Member {
  const { id, email, person_id: personId, role, created_at: createdAt, joined_at: joinedAt } = row;
  return {
    id,
    ...(email !== null && { email }),
    ...(personId !== null && { person_id: personId }),
    role,
    status: joinedAt === null ? "invited" : "active",
    created_at: createdAt.toISOString(),
    ...(joinedAt !== null && { joined_at: joinedAt.toISOString() }),
  };
}
