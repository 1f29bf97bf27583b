import { call as ask } from "@leeway/shared/bus/request";
import {
  ChangeNoise,
  FixNoise,
  FixInput,
  GetNoise,
  ListNoise,
  NoiseChanges,
} from "@leeway/shared/contracts/analyzer/noise";
import { Uuid } from "@leeway/shared/contracts/common";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { JOB_ANSWERS, jobAnswer } from "../http/job-answer.ts";
import { relay } from "../http/relay.ts";
import { FIX_INPUT, PLAN_NOISE } from "../examples/analyzer.ts";
import { pageOf } from "../examples/common.ts";

const TAG = "Plan noise";
const COLLECTION = "/api/v2/orgs/:id/plan-noise";

const list = relay(ListNoise, {
  method: "GET",
  path: COLLECTION,
  operationId: "listPlanNoise",
  tag: TAG,
  summary: "List plan noise",
  description:
    "Lists differences that appear in the organization's plans again and again although nothing changes.",
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
  description: "Returns where and how often the noise was seen, with a sample.",
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
    "`muted` hides the noise in all plans, until `until` if given. `active` shows it again. Without a new `reason` or `until`, the existing ones are kept.",
  who: "admin",
  body: NoiseChanges,
  bodyExample: { status: "muted", reason: "the provider fixes it" },
  success: {
    status: 200,
    description: "The kind of noise",
    schema: ChangeNoise.output,
    example: { ...PLAN_NOISE, status: "muted", muted_reason: "the provider fixes it" },
  },
});

const fix = endpoint({
  method: "POST",
  path: "/api/v2/plan-noise/:fingerprint/fix",
  operationId: "fixPlanNoise",
  tag: TAG,
  summary: "Fix a kind of plan noise",
  description: `Queues a fix: the smallest code change that ends the noise. Poll the job at \`poll_url\`. If a fix is already in progress, the response is 409 with its \`job_id\`. The organization is the API key's; people who belong to several choose one with \`org_id\` or \`X-Org-Id\`. Membership and role are checked after the body.`,
  who: "member",
  params: t.Object({ fingerprint: FixNoise.input.properties.fingerprint }),
  body: t.Object({ org_id: t.Optional(Uuid), ...FixInput.properties }),
  bodyExample: FIX_INPUT,
  ...JOB_ANSWERS,
  errors: ["conflict", "repository_mismatch"],
  creates: true,
  checksRepository: true,
  async handle({ orgId, caller, params, body, attemptId }, { bus }) {
    const { repository: path } = body;
    requireSpeaksFor(caller.speaksFor, path === undefined ? undefined : { path }, "the fix");
    const input = { ...body, ...params, org_id: orgId, job_id: attemptId, requested_by: actorOf(caller) };
    return jobAnswer(orgId, await ask(bus, FixNoise, input));
  },
});

export const planNoise: readonly Endpoint[] = [list, get, change, fix];
