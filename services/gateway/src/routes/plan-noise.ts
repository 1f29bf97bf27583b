import { call as ask } from "@leeway/shared/bus/request";
import {
  ChangeNoise,
  FixNoise,
  FixWish,
  GetNoise,
  ListNoise,
  NoiseChanges,
} from "@leeway/shared/contracts/analyzer/noise";
import { Uuid } from "@leeway/shared/contracts/common";
import { Type as t } from "@sinclair/typebox";

import { factsOf } from "../audited.ts";
import { actorOf } from "../auth/caller.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { JOB_ANSWERS, jobAnswer } from "../http/job-answer.ts";
import { relay } from "../http/relay.ts";
import { FIX_WISH, PLAN_NOISE } from "../openapi/analyzer-examples.ts";
import { pageOf } from "../openapi/examples.ts";

const TAG = "Plan noise";
const COLLECTION = "/api/v2/orgs/:id/plan-noise";

const list = relay(ListNoise, {
  method: "GET",
  path: COLLECTION,
  operationId: "listPlanNoise",
  tag: TAG,
  summary: "List plan noise",
  description: "Differences that the organization's plans show again and again though nothing changes.",
  who: "viewer",
  success: {
    status: 200,
    description: "The kinds of noise",
    schema: ListNoise.output,
    example: pageOf(PLAN_NOISE),
  },
  errors: ["invalid_cursor"],
});

const get = relay(GetNoise, {
  method: "GET",
  path: `${COLLECTION}/:fingerprint`,
  operationId: "getPlanNoise",
  tag: TAG,
  summary: "Get a kind of plan noise",
  description: "Where it was seen, how often, and what it looks like.",
  who: "viewer",
  success: { status: 200, description: "The kind of noise", schema: GetNoise.output, example: PLAN_NOISE },
});

const change = relay(ChangeNoise, {
  method: "PATCH",
  path: `${COLLECTION}/:fingerprint`,
  operationId: "changePlanNoise",
  tag: TAG,
  summary: "Mute a kind of plan noise",
  description:
    "Muted noise counts as hidden in every plan, until `until` or until further notice; `active` ends that. A reason, or an end that is to come, stays where none is given.",
  who: "admin",
  body: NoiseChanges,
  bodyExample: { status: "muted", reason: "the provider fixes it" },
  success: {
    status: 200,
    description: "The kind of noise",
    schema: ChangeNoise.output,
    example: { ...PLAN_NOISE, status: "muted", muted_reason: "the provider fixes it" },
  },
  audit: "plan_noise.update",
  auditDetails: factsOf("status", "muted_reason", "muted_until"),
});

const fix = endpoint({
  method: "POST",
  path: "/api/v2/plan-noise/:fingerprint/fix",
  operationId: "fixPlanNoise",
  tag: TAG,
  summary: "Fix a kind of plan noise",
  description: `Has a fix made: the narrowest change to the code that ends the noise. The job is at \`poll_url\`; while one is at it already, the
answer is 409 with its \`job_id\`. The organization is the API key's own; of a person who belongs to several, the one in \`org_id\` or
\`X-Org-Id\`. Membership and role are checked after the body.`,
  who: "member",
  params: t.Object({ fingerprint: FixNoise.input.properties.fingerprint }),
  body: t.Object({ org_id: t.Optional(Uuid), ...FixWish.properties }),
  bodyExample: FIX_WISH,
  ...JOB_ANSWERS,
  errors: ["conflict"],
  creates: true,
  async handle({ orgId, caller, params, body, attemptId }, { bus }) {
    const input = { ...body, ...params, org_id: orgId, job_id: attemptId, requested_by: actorOf(caller) };
    return jobAnswer(orgId, await ask(bus, FixNoise, input));
  },
});

export const planNoise: readonly Endpoint[] = [list, get, change, fix];
