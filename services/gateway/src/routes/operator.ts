import { call } from "@leeway/shared/bus/request";
import { GetPlan, Plan, PlanChoice, PlanSettings, SetPlan } from "@leeway/shared/contracts/quota/plans";
import { present } from "@leeway/shared/values/json";
import { Type as t } from "@sinclair/typebox";

import { makeApiKey } from "../auth/api-key.ts";
import { actorOf } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { ApiKeyWithSecret, Organization } from "../identity.ts";
import { API_KEY_WITH_SECRET, ORGANIZATION, PLAN_SETTINGS } from "../examples/common.ts";
import { getApiKey, insertApiKey, renewSecret } from "../auth/store/api-keys.ts";
import { writeAudit } from "../audit/store/audit-log.ts";
import { insertInvitation } from "../auth/store/members.ts";
import { getOrganization, insertOrganization, noOrganization } from "../organizations/store.ts";
import { createKey, NewApiKey } from "./api-keys.ts";
import { Email } from "./members.ts";
import { OrganizationName } from "./organizations.ts";

const TAG = "Operator";
const COLLECTION = "/operator/orgs";
const ONE = `${COLLECTION}/:id`;
const OPERATOR_KEY = {
  ...API_KEY_WITH_SECRET,
  name: "operator",
  role: "admin",
  created_by: { type: "operator", id: "operator" },
};

const create = endpoint({
  method: "POST",
  path: COLLECTION,
  operationId: "operatorCreateOrganization",
  tag: TAG,
  summary: "Create an organization for someone",
  description:
    "Creates an organization with an admin key, which is shown only once. The first person who signs in with the verified `owner_email` becomes its owner.",
  who: "operator",
  body: t.Object({ name: OrganizationName, owner_email: t.Optional(Email), plan: t.Optional(Plan) }),
  bodyExample: { name: ORGANIZATION.name, owner_email: "ada@example.com", plan: "team" },
  success: {
    status: 201,
    description: "The organization and its key",
    schema: t.Object({ org: Organization, api_key: ApiKeyWithSecret }),
    example: { org: ORGANIZATION, api_key: OPERATOR_KEY },
  },
  creates: true,
  async handle({ caller, body, attemptId: orgId }, { database, bus }) {
    const { name, owner_email: email, plan } = body;
    const actor = actorOf(caller);
    const secret = { ...makeApiKey(), attemptId: orgId };
    const made = await database.transaction(orgId, async (tx) => {
      if (await renewSecret(tx, orgId, secret)) {
        return {
          org: await getOrganization(tx),
          api_key: { ...(await getApiKey(tx, orgId)), key: secret.key },
        };
      }
      const org = await insertOrganization(tx, name);
      if (email !== undefined) await insertInvitation(tx, { email, role: "owner" });
      const newKey = {
        id: orgId,
        name: "operator",
        role: "admin",
        expiresAt: undefined,
        createdBy: actor,
        secret,
      } as const;
      const key = await insertApiKey(tx, newKey);
      const details = present({ name, owner_email: email, plan });
      await writeAudit(tx, { actor, action: "organization.create", targetId: orgId, details });
      // Last, so that only a failed commit can leave a plan behind; in the transaction, so that every organization
      // has its plan.
      if (plan !== undefined) await call(bus, SetPlan, { org_id: orgId, plan });
      return { org, api_key: { ...key, key: secret.key } };
    });
    return json(made, 201, { location: `${COLLECTION}/${orgId}` });
  },
});

const get = endpoint({
  method: "GET",
  path: ONE,
  operationId: "operatorGetOrganization",
  tag: TAG,
  summary: "Get any organization",
  description: "Returns the organization with its plan and effective caps.",
  who: "operator",
  success: {
    status: 200,
    description: "The organization",
    schema: t.Composite([Organization, PlanSettings]),
    example: { ...ORGANIZATION, ...PLAN_SETTINGS },
  },
  errors: ["not_found", "unavailable"],
  async handle({ orgId }, gateway) {
    const organization = await existing(gateway, orgId);
    return json({ ...organization, ...(await call(gateway.bus, GetPlan, { org_id: orgId })) });
  },
});

const setPlan = endpoint({
  method: "PUT",
  path: `${ONE}/plan`,
  operationId: "operatorSetPlan",
  tag: TAG,
  summary: "Set an organization's plan",
  description:
    "Sets the plan. The two integers override the plan's caps for a contract: -1 is unlimited, 0 is hard-off.",
  who: "operator",
  body: PlanChoice,
  bodyExample: { plan: "enterprise", hourly_platform_llm_limit: 200 },
  success: {
    status: 200,
    description: "The plan with its effective caps",
    schema: PlanSettings,
    example: { ...PLAN_SETTINGS, plan: "enterprise", hourly_platform_llm_limit: 200 },
  },
  errors: ["not_found", "unavailable"],
  async handle({ orgId, body }, gateway) {
    await existing(gateway, orgId);
    return json(await call(gateway.bus, SetPlan, { org_id: orgId, ...body }));
  },
});

const createApiKey = endpoint({
  method: "POST",
  path: `${ONE}/api-keys`,
  operationId: "operatorCreateApiKey",
  tag: TAG,
  summary: "Create an API key for an organization",
  description:
    "Creates a key where nobody can sign in. The response contains the key, which is shown only once and stored as a hash.",
  who: "operator",
  body: NewApiKey,
  bodyExample: { name: "pipelines", role: "member" },
  success: {
    status: 201,
    description: "The key",
    schema: ApiKeyWithSecret,
    example: { ...OPERATOR_KEY, name: "pipelines", role: "member" },
  },
  errors: ["conflict", "not_found"],
  creates: true,
  async handle(request, gateway) {
    await existing(gateway, request.orgId);
    return createKey(request, gateway);
  },
});

/** Routes of the operator; they exist only if an operator token is set. */
export const operator: readonly Endpoint[] = [create, get, setPlan, createApiKey];

async function existing({ database }: Gateway, orgId: string): Promise<Organization> {
  const organization = await getOrganization(database.org(orgId));
  if (!organization) throw noOrganization();
  return organization;
}
