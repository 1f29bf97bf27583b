import { page, Uuid } from "@leeway/shared/contracts/common";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import { CiClaims, readClaims } from "../auth/ci-claims.ts";
import { withoutSlash } from "../auth/oidc.ts";
import { CiRole } from "../auth/roles.ts";
import { json, NO_CONTENT } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { CiIdentity } from "../identity.ts";
import { CI_IDENTITY, pageOf } from "../examples/common.ts";
import { writeAudit } from "../audit/store/audit-log.ts";
import {
  deleteCiIdentity,
  getCiIdentity,
  insertCiIdentity,
  listCiIdentities,
} from "../auth/store/ci-identities.ts";
import { lockOrganization } from "../organizations/store.ts";

const TAG = "CI identities";
const COLLECTION = "/api/v2/orgs/:id/ci-identities";

const list = endpoint({
  method: "GET",
  path: COLLECTION,
  operationId: "listCiIdentities",
  tag: TAG,
  summary: "List CI identities",
  description: "Lists the CI jobs that may call for the organization, oldest first.",
  who: "viewer",
  query: t.Object(ListQuery),
  success: {
    status: 200,
    description: "The identities",
    schema: page(CiIdentity),
    example: pageOf(CI_IDENTITY),
  },
  errors: ["invalid_cursor"],
  async handle(call, gateway) {
    const after = pageStart(gateway, call, "ci_identities");
    const sql = gateway.database.org(call.orgId);
    const rows = await listCiIdentities(sql, { after, limit: call.query.limit + 1 });
    return pageAnswer(gateway, call, { collection: "ci_identities", rows });
  },
});

const create = endpoint({
  method: "POST",
  path: COLLECTION,
  operationId: "createCiIdentity",
  tag: TAG,
  summary: "Add a CI identity",
  description:
    "Allows CI jobs with these claims to call for their own repository without a key; see `exchangeCiToken`. `*` matches any characters, including `/`. GitLab's merge request pipelines match no `ref`.",
  who: "admin",
  only: "person",
  body: t.Object({
    issuer: t.String({ maxLength: 500, description: "One of the operator's `CI_ISSUERS`" }),
    claims: CiClaims,
    role: CiRole,
  }),
  bodyExample: { issuer: CI_IDENTITY.issuer, claims: CI_IDENTITY.claims, role: CI_IDENTITY.role },
  success: {
    status: 201,
    description: "The identity",
    schema: CiIdentity,
    example: CI_IDENTITY,
    headers: ["Location"],
  },
  errors: ["conflict"],
  creates: true,
  async handle({ orgId, caller, body, attemptId: id }, { database, ciVerifier }) {
    const { claims, role } = body;
    const issuer = withoutSlash(body.issuer);
    if (!ciVerifier.issuers.includes(issuer)) throw unknownIssuer(ciVerifier.issuers);
    const { namespace } = readClaims(claims);
    const actor = actorOf(caller);
    const made = await database.transaction(orgId, async (tx) => {
      await lockOrganization(tx);
      const before = await getCiIdentity(tx, id);
      if (before) return before;
      await insertCiIdentity(tx, { id, issuer, namespace, claims, role, created_by: actor });
      const details = { issuer, ...claims, role };
      await writeAudit(tx, { actor, action: "ci_identity.create", targetId: id, details });
      return getCiIdentity(tx, id);
    });
    return json(made, 201, { location: `/api/v2/orgs/${orgId}/ci-identities/${id}` });
  },
});

const remove = endpoint({
  method: "DELETE",
  path: `${COLLECTION}/:identity_id`,
  operationId: "deleteCiIdentity",
  tag: TAG,
  summary: "Delete a CI identity",
  description: "Deletes the identity and its tokens. They are rejected everywhere within one second.",
  who: "admin",
  only: "person",
  params: t.Object({ identity_id: Uuid }),
  success: { status: 204, description: "Deleted" },
  async handle({ orgId, caller, params: { identity_id: id } }, { database, authenticator }) {
    await database.transaction(orgId, async (tx) => {
      const identity = await getCiIdentity(tx, id);
      if (!identity || !(await deleteCiIdentity(tx, id)))
        throw new AppError("not_found", "the CI identity doesn't exist");
      const details = { issuer: identity.issuer, ...identity.claims, role: identity.role };
      await writeAudit(tx, { actor: actorOf(caller), action: "ci_identity.delete", targetId: id, details });
    });
    authenticator.forget();
    return NO_CONTENT;
  },
});

function unknownIssuer(issuers: readonly string[]): AppError {
  const known =
    issuers.length > 0 ? `must be one of ${issuers.join(", ")}` : "isn't available on this server";
  return invalidParameter("issuer", `${known}; the operator can add issuers to CI_ISSUERS`);
}

export const ciIdentities: readonly Endpoint[] = [list, create, remove];
