import { nameUpTo, page } from "@leeway/shared/contracts/common";
import { Type as t } from "@sinclair/typebox";

import { actorOf, type Caller } from "../auth/caller.ts";
import type { Role } from "../auth/roles.ts";
import { json, NO_CONTENT } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { OwnOrganization, type Organization } from "../identity.ts";
import { ORGANIZATION, OWN_ORGANIZATION, pageOf } from "../openapi/examples.ts";
import { writeAudit } from "../store/audit-log.ts";
import { insertFounder } from "../store/members.ts";
import {
  getOrganization,
  insertOrganization,
  listOrganizations,
  markDeleted,
  noOrganization,
  renameOrganization,
} from "../store/organizations.ts";
import { emailOf } from "../store/people.ts";

const TAG = "Organizations";
const COLLECTION = "/api/v2/orgs";
const ONE = `${COLLECTION}/:id`;

export const OrganizationName = nameUpTo(200, "Example Ltd");
const NameBody = t.Object({ name: OrganizationName });

const list = endpoint({
  method: "GET",
  path: COLLECTION,
  operationId: "listOrganizations",
  tag: TAG,
  summary: "List your organizations",
  description: "The organizations that the caller is a member of, with the role there. A key has one.",
  who: "caller",
  query: t.Object(ListQuery),
  success: {
    status: 200,
    description: "Your organizations",
    schema: page(OwnOrganization),
    example: pageOf(OWN_ORGANIZATION),
  },
  errors: ["invalid_cursor"],
  async handle(call, gateway) {
    const after = pageStart(gateway, call, "organizations") ?? "";
    const ids = [...call.caller.roles.keys()].toSorted().filter((id) => id > after);
    // All of them: one that has just been deleted must not stand for the one that says that a page follows.
    const found = await listOrganizations(gateway.database.system, ids);
    const rows = found.map((organization) => withRole(organization, call.caller));
    return pageAnswer(gateway, call, { collection: "organizations", rows });
  },
});

const create = endpoint({
  method: "POST",
  path: COLLECTION,
  operationId: "createOrganization",
  tag: TAG,
  summary: "Create an organization",
  description:
    "Makes an organization whose owner is the caller. Takes the token of a person, not an API key.",
  who: "caller",
  only: "person",
  body: NameBody,
  bodyExample: { name: ORGANIZATION.name },
  success: { status: 201, description: "It is made", schema: OwnOrganization, example: OWN_ORGANIZATION },
  limit: ({ foundingLimit }) => foundingLimit,
  creates: true,
  async handle({ caller, body, attemptId: orgId }, { database, authenticator }) {
    const email = await emailOf(database.system, caller.id);
    const made = await database.transaction(orgId, async (tx) => {
      const known = await getOrganization(tx);
      if (known) return known;
      const organization = await insertOrganization(tx, body.name);
      await insertFounder(tx, { personId: caller.id, email, role: "owner" });
      await writeAudit(tx, { actor: actorOf(caller), action: "organization.create", targetId: orgId });
      return organization;
    });
    authenticator.forget();
    return json({ ...made, role: "owner" }, 201, { location: `${COLLECTION}/${orgId}` });
  },
});

const get = endpoint({
  method: "GET",
  path: ONE,
  operationId: "getOrganization",
  tag: TAG,
  summary: "Get an organization",
  description: "The organization, with the caller's role in it.",
  who: "viewer",
  success: {
    status: 200,
    description: "The organization",
    schema: OwnOrganization,
    example: OWN_ORGANIZATION,
  },
  async handle({ orgId, caller }, { database }) {
    const organization = await getOrganization(database.org(orgId));
    if (!organization) throw noOrganization();
    return json(withRole(organization, caller));
  },
});

const update = endpoint({
  method: "PATCH",
  path: ONE,
  operationId: "updateOrganization",
  tag: TAG,
  summary: "Rename an organization",
  description: "Changes the name.",
  who: "admin",
  body: NameBody,
  bodyExample: { name: ORGANIZATION.name },
  success: { status: 200, description: "It is changed", schema: OwnOrganization, example: OWN_ORGANIZATION },
  errors: ["empty_update"],
  async handle({ orgId, caller, body: { name } }, { database }) {
    const changed = await database.transaction(orgId, async (tx) => {
      const organization = await renameOrganization(tx, name);
      if (!organization) throw noOrganization();
      await writeAudit(tx, {
        actor: actorOf(caller),
        action: "organization.update",
        targetId: orgId,
        details: { name },
      });
      return organization;
    });
    return json(withRole(changed, caller));
  },
});

const remove = endpoint({
  method: "DELETE",
  path: ONE,
  operationId: "deleteOrganization",
  tag: TAG,
  summary: "Delete an organization",
  description:
    "Nobody sees it from then on and its keys are dead; everything it had is removed soon after. This can't be undone.",
  who: "owner",
  success: { status: 204, description: "It is gone" },
  async handle({ orgId, caller }, { database, authenticator, purge }) {
    await database.transaction(orgId, async (tx) => {
      if (!(await markDeleted(tx))) throw noOrganization();
      await writeAudit(tx, { actor: actorOf(caller), action: "organization.delete", targetId: orgId });
    });
    authenticator.forget();
    purge();
    return NO_CONTENT;
  },
});

export const organizations: readonly Endpoint[] = [list, create, get, update, remove];

function withRole(organization: Organization, { roles }: Caller): Organization & { role?: Role } {
  const role = roles.get(organization.id);
  return { ...organization, ...(role && { role }) };
}
