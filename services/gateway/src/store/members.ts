import type { OrgStatements } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";
import { AppError } from "@leeway/shared/errors";

import type { Role } from "../auth/roles.ts";
import type { Member } from "../identity.ts";

interface Row {
  id: string;
  email: string | null;
  person_id: string | null;
  role: Role;
  created_at: Date;
  joined_at: Date | null;
}

/** Makes a person a member. */
export async function insertFounder(
  sql: OrgStatements,
  { personId, email, role }: { personId: string; email: string | undefined; role: Role },
): Promise<void> {
  await sql`
    insert into identity.members (org_id, id, person_id, email, role, joined_at)
    values (${sql.orgId}, ${Bun.randomUUIDv7()}, ${personId}, ${email ?? null}, ${role}, now())
  `;
}

/** An organization that has so many, invited ones among them, gets no more. */
const MOST_MEMBERS = 10_000;

/**
 * Invites whoever has this address.
 * @throws {AppError} `conflict` when the address is invited or a member already, or where there are too many
 */
export async function insertInvitation(
  sql: OrgStatements,
  { id = Bun.randomUUIDv7(), email, role }: { id?: string; email: string; role: Role },
): Promise<Member> {
  try {
    const [row] = await sql<Row>`
      insert into identity.members (org_id, id, email, role)
      select ${sql.orgId}, ${id}::uuid, ${email}, ${role}
       where (select count(*) from identity.members where org_id = ${sql.orgId}) < ${MOST_MEMBERS}
      returning id, email, person_id, role, created_at, joined_at
    `;
    if (!row)
      throw new AppError("conflict", `the organization has ${MOST_MEMBERS} members and invitations already`);
    return fromRow(row);
  } catch (error) {
    if (!isDuplicate(error, "members_email")) throw error;
    throw new AppError("conflict", "this address is a member's, or invited already", { cause: error });
  }
}

/** Members and invitations after `after`, in the order of their making. */
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

/** One member or invitation; undefined when there is none of this id. */
export async function getMember(sql: OrgStatements, id: string): Promise<Member | undefined> {
  const [row] = await sql<Row>`
    select id, email, person_id, role, created_at, joined_at
      from identity.members
     where org_id = ${sql.orgId}
       and id = ${id}
  `;
  return row && fromRow(row);
}

/** A person's own membership; undefined when they are no member. */
export async function getMembershipOf(sql: OrgStatements, personId: string): Promise<Member | undefined> {
  const [row] = await sql<Row>`
    select id, email, person_id, role, created_at, joined_at
      from identity.members
     where org_id = ${sql.orgId}
       and person_id = ${personId}
  `;
  return row && fromRow(row);
}

/** How many owners have joined; invitations don't count. */
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

/** Gives a member another role; undefined when there is none of this id. */
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
