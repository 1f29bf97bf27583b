import { call } from "@leeway/shared/bus/request";
import { nameUpTo, page } from "@leeway/shared/contracts/common";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { Type as t } from "@sinclair/typebox";

import { actorOf, type Caller } from "../auth/caller.ts";
import type { Role } from "../auth/roles.ts";
import { json, NO_CONTENT } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { OwnOrganization, type Organization } from "../identity.ts";
import { ORGANIZATION, OWN_ORGANIZATION, pageOf } from "../examples/common.ts";
import { writeAudit } from "../audit/store/audit-log.ts";
import { insertFounder } from "../auth/store/members.ts";
import {
  getOrganization,
  insertOrganization,
  listOrganizations,
  markDeleted,
  noOrganization,
  renameOrganization,
} from "../organizations/store.ts";
import { emailOf, noteFounding } from "../auth/store/people.ts";

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
  description: "Lists the caller's organizations, with the role in each. A key has one.",
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
    // Reads all of them: a deleted organization must not replace the extra row that shows that another page follows.
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
    "Creates an organization with the caller as owner. Requires a person's token, not an API key. Only a person's first organizations get the free plan's narratives, three unless the operator changed the limit.",
  who: "caller",
  only: "person",
  body: NameBody,
  bodyExample: { name: ORGANIZATION.name },
  success: {
    status: 201,
    description: "The new organization",
    schema: OwnOrganization,
    example: OWN_ORGANIZATION,
  },
  limit: ({ foundingLimit }) => foundingLimit,
  errors: ["unavailable"],
  creates: true,
  async handle({ caller, body, attemptId: orgId }, { database, bus, authenticator, freeOrganizations }) {
    const email = await emailOf(database.system, caller.id);
    const made = await database.transaction(orgId, async (tx) => {
      const known = await getOrganization(tx);
      if (known) return known;
      const organization = await insertOrganization(tx, body.name);
      await insertFounder(tx, { personId: caller.id, email, role: "owner" });
      await writeAudit(tx, { actor: actorOf(caller), action: "organization.create", targetId: orgId });
      // Last, so that only a failed commit can leave a plan behind.
      if (!(await noteFounding(tx, caller.id, freeOrganizations))) {
        await call(bus, SetPlan, { org_id: orgId, plan: "free", weekly_platform_llm_quota: 0 });
      }
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
  description: "Returns the organization, with the caller's role.",
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
  description: "Changes the organization's name.",
  who: "admin",
  body: NameBody,
  bodyExample: { name: ORGANIZATION.name },
  success: {
    status: 200,
    description: "The updated organization",
    schema: OwnOrganization,
    example: OWN_ORGANIZATION,
  },
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
    "Deletes the organization. It is hidden and its keys stop working immediately; its data is deleted soon after. This can't be undone.",
  who: "owner",
  success: { status: 204, description: "Deleted" },
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
