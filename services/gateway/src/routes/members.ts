import { page, Uuid } from "@leeway/shared/contracts/common";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import { Role } from "../auth/roles.ts";
import type { Gateway } from "../gateway.ts";
import { json, NO_CONTENT } from "../http/answer.ts";
import { endpoint, type Call, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { Member } from "../identity.ts";
import { INVITATION, MEMBER, pageOf } from "../examples/common.ts";
import { writeAudit } from "../audit/store/audit-log.ts";
import {
  countOwners,
  deleteMember,
  getMember,
  getMembershipOf,
  insertInvitation,
  listMembers,
  updateRole,
} from "../auth/store/members.ts";
import { lockOrganization } from "../organizations/store.ts";

const TAG = "Members";
const COLLECTION = "/api/v2/orgs/:id/members";
const ONE = `${COLLECTION}/:member_id`;
const OWN = `${COLLECTION}/me`;
const MemberId = t.Object({ member_id: Uuid });

export const Email = t.String({
  format: "email",
  maxLength: 254,
  errorMessage: "must be an e-mail address",
  examples: ["ada@example.com"],
});

const list = endpoint({
  method: "GET",
  path: COLLECTION,
  operationId: "listMembers",
  tag: TAG,
  summary: "List members",
  description: "Lists members and open invitations, oldest first.",
  who: "viewer",
  query: t.Object(ListQuery),
  success: { status: 200, description: "The members", schema: page(Member), example: pageOf(MEMBER) },
  errors: ["invalid_cursor"],
  async handle(call, gateway) {
    const after = pageStart(gateway, call, "members");
    const rows = await listMembers(gateway.database.org(call.orgId), { after, limit: call.query.limit + 1 });
    return pageAnswer(gateway, call, { collection: "members", rows });
  },
});

const create = endpoint({
  method: "POST",
  path: COLLECTION,
  operationId: "inviteMember",
  tag: TAG,
  summary: "Invite a member",
  description:
    "The first person who signs in with this address, verified by the identity provider, becomes the member. If that person is already a member, the role is unchanged and the invitation ends. Only owners can invite owners.",
  who: "admin",
  only: "person",
  body: t.Object({ email: Email, role: Role }),
  bodyExample: { email: INVITATION.email, role: INVITATION.role },
  success: { status: 201, description: "The invitation", schema: Member, example: INVITATION },
  errors: ["conflict"],
  creates: true,
  async handle(call, { database, authenticator }) {
    const { orgId, caller, body, attemptId: id } = call;
    if (body.role === "owner") requireOwner(call);
    const made = await database.transaction(orgId, async (tx) => {
      await lockOrganization(tx);
      const known = await getMember(tx, id);
      if (known) return known;
      const invitation = await insertInvitation(tx, { ...body, id });
      const details = { email: body.email, role: body.role };
      await writeAudit(tx, {
        actor: actorOf(caller),
        action: "member.create",
        targetId: invitation.id,
        details,
      });
      return invitation;
    });
    authenticator.forget();
    return json(made, 201, { location: `/api/v2/orgs/${orgId}/members/${made.id}` });
  },
});

const get = endpoint({
  method: "GET",
  path: ONE,
  operationId: "getMember",
  tag: TAG,
  summary: "Get a member",
  description: "Returns a member or an open invitation.",
  who: "viewer",
  params: MemberId,
  success: { status: 200, description: "The member", schema: Member, example: MEMBER },
  async handle({ orgId, params }, { database }) {
    const member = await getMember(database.org(orgId), params.member_id);
    if (!member) throw noMember();
    return json(member);
  },
});

const update = endpoint({
  method: "PATCH",
  path: ONE,
  operationId: "updateMember",
  tag: TAG,
  summary: "Change a member's role",
  description:
    "Only owners can make someone an owner or change an owner's role. The last owner can't be changed.",
  who: "admin",
  only: "person",
  params: MemberId,
  body: t.Object({ role: Role }),
  bodyExample: { role: MEMBER.role },
  success: { status: 200, description: "The updated member", schema: Member, example: MEMBER },
  errors: ["conflict", "empty_update"],
  async handle(call, { database, authenticator }) {
    const { orgId, caller, params, body } = call;
    const { role } = body;
    if (role === "owner") requireOwner(call);
    const changed = await database.transaction(orgId, async (tx) => {
      const before = await locked(tx, (tx) => getMember(tx, params.member_id));
      if (role !== "owner") await releaseOwner(tx, call, before);
      const member = await updateRole(tx, before.id, role);
      const details = { from: before.role, to: role };
      await writeAudit(tx, { actor: actorOf(caller), action: "member.update", targetId: before.id, details });
      return member ?? before;
    });
    authenticator.forget();
    return json(changed);
  },
});

const remove = endpoint({
  method: "DELETE",
  path: ONE,
  operationId: "deleteMember",
  tag: TAG,
  summary: "Remove a member",
  description:
    "Ends a membership or an invitation. Only owners can remove owners. The last owner can't be removed.",
  who: "admin",
  only: "person",
  params: MemberId,
  success: { status: 204, description: "Removed" },
  errors: ["conflict"],
  async handle(call, gateway) {
    await end(call, gateway, (tx) => getMember(tx, call.params.member_id));
    return NO_CONTENT;
  },
});

const leave = endpoint({
  method: "DELETE",
  path: OWN,
  operationId: "leaveOrganization",
  tag: TAG,
  summary: "Leave the organization",
  description: "Ends the caller's own membership, whatever the role. The last owner can't leave.",
  who: "viewer",
  only: "person",
  success: { status: 204, description: "You left the organization" },
  errors: ["conflict"],
  async handle(call, gateway) {
    await end(call, gateway, (tx) => getMembershipOf(tx, call.caller.id));
    return NO_CONTENT;
  },
});

export const members: readonly Endpoint[] = [list, create, get, update, remove, leave];

type Find = (tx: OrgStatements) => Promise<Member | undefined>;

/** Returns a member, and locks all members against other changes. @throws {AppError} `not_found` */
async function locked(tx: OrgStatements, find: Find): Promise<Member> {
  await lockOrganization(tx);
  const member = await find(tx);
  if (!member) throw noMember();
  return member;
}

/** Deletes a membership or an invitation. */
async function end(call: Call, { database, authenticator }: Gateway, find: Find): Promise<void> {
  await database.transaction(call.orgId, async (tx) => {
    const member = await locked(tx, find);
    await releaseOwner(tx, call, member);
    const { id: targetId, email, role } = member;
    const details = present({ email, role });
    // Written before the deletion, because the actor's name comes from the membership.
    await writeAudit(tx, { actor: actorOf(call.caller), action: "member.delete", targetId, details });
    await deleteMember(tx, member.id);
  });
  authenticator.forget();
}

function noMember(): AppError {
  return new AppError("not_found", "the member doesn't exist");
}

/**
 * Checks that an owner may lose the role. @throws {AppError} `forbidden` if the caller isn't an owner; `conflict` for
 * the last one
 */
async function releaseOwner(tx: OrgStatements, call: Call, { role, status }: Member): Promise<void> {
  if (role !== "owner") return;
  requireOwner(call);
  if (status === "active" && (await countOwners(tx)) < 2) {
    throw new AppError("conflict", "the last owner can't leave; make another member an owner first");
  }
}

function requireOwner({ caller, orgId }: Pick<Call, "caller" | "orgId">): void {
  if (caller.roles.get(orgId) !== "owner")
    throw new AppError("forbidden", "only owners can do this to owners");
}
