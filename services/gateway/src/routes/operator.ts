import { call } from "@leeway/shared/bus/request";
import { GetPlan, Plan, PlanChoice, PlanSettings, SetPlan } from "@leeway/shared/contracts/quota/plans";
import { present } from "@leeway/shared/json";
import { Type as t } from "@sinclair/typebox";

import { audited } from "../audited.ts";
import { makeApiKey } from "../auth/api-key.ts";
import { actorOf } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { ApiKeyWithSecret, Organization } from "../identity.ts";
import { API_KEY_WITH_SECRET, ORGANIZATION, PLAN_SETTINGS } from "../openapi/examples.ts";
import { getApiKey, insertApiKey, renewSecret } from "../store/api-keys.ts";
import { writeAudit } from "../store/audit-log.ts";
import { insertInvitation } from "../store/members.ts";
import { getOrganization, insertOrganization, noOrganization } from "../store/organizations.ts";
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
  summary: "Create an organization for somebody",
  description:
    "Makes an organization with an admin key, shown this once; whoever first logs in with `owner_email`, verified, becomes its owner.",
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
      // Last, so that nothing but the commit can leave a plan behind; in here, so that no organization is without its own.
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
  description: "The organization with its plan and the caps that hold for it.",
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
    "Sets the plan, and with the two integers the caps of a contract in place of the plan's: -1 unlimited, 0 hard-off.",
  who: "operator",
  body: PlanChoice,
  bodyExample: { plan: "enterprise", hourly_platform_llm_limit: 200 },
  success: {
    status: 200,
    description: "The plan with the caps that hold",
    schema: PlanSettings,
    example: { ...PLAN_SETTINGS, plan: "enterprise", hourly_platform_llm_limit: 200 },
  },
  errors: ["not_found", "unavailable"],
  async handle({ orgId, caller, body }, gateway) {
    await existing(gateway, orgId);
    const change = { caller, orgId, action: "organization.set_plan", targetId: orgId } as const;
    const settings = await audited(
      gateway,
      change,
      () => call(gateway.bus, SetPlan, { org_id: orgId, ...body }),
      (set) => ({ details: set }),
    );
    return json(settings);
  },
});

/** There only for whoever runs Leeway, and only when they have set a token. */
export const operator: readonly Endpoint[] = [create, get, setPlan];

async function existing({ database }: Gateway, orgId: string): Promise<Organization> {
  const organization = await getOrganization(database.org(orgId));
  if (!organization) throw noOrganization();
  return organization;
}
