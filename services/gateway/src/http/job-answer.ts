import { words } from "@leeway/shared/contracts/contract";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import { Timestamp } from "@leeway/shared/contracts/common";
import { Provider } from "@leeway/shared/contracts/quota/llm-config";
import { Type as t } from "@sinclair/typebox";

import { DENIALS, JOB_TAKEN } from "../examples/analyzer.ts";
import { json, type Answer } from "./answer.ts";
import type { Answered } from "./endpoint.ts";
import { denialAnswer, grantHeaders } from "./slot-answer.ts";

/** Time after which a result may be ready. */
const RETRY_AFTER_SECONDS = 2;

const { kind, status, created_at } = LlmJob.properties;
export const JobTaken = t.Object({
  job_id: LlmJob.properties.id,
  kind,
  status,
  poll_url: t.String(),
  created_at,
});

const PlanCode = words(["plan_weekly_quota_exhausted", "plan_hard_off"]);
const HourlyCode = words(["plan_hourly_rate_limit"]);
const ByokCode = words(["byok_rate_limited"]);
const Denied = {
  message: t.String(),
  byok_config_url: t.String({ description: "Path of the organization's llm-config" }),
};
const Counted = { used: t.Integer(), cap: t.Integer() };

/** The plan's calls of the platform's model are used up. */
export const PlanDenial = t.Object({
  code: PlanCode,
  error: PlanCode,
  ...Denied,
  required_plan: t.String(),
  bucket: words(["weekly", "hourly"]),
  ...Counted,
  week_resets_at: Timestamp,
  hour_resets_at: t.Optional(Timestamp),
});

/** The hour's calls of the platform's model are used up. */
export const HourlyDenial = t.Object({
  code: HourlyCode,
  error: HourlyCode,
  ...Denied,
  ...Counted,
  hour_resets_at: Timestamp,
});

/** The organization's own key keeps failing, so it isn't used for a while. */
export const ByokDenied = t.Object({
  code: ByokCode,
  error: ByokCode,
  ...Denied,
  provider: Provider,
  retry_at: Timestamp,
  consecutive_failures: t.Integer(),
});

/** Documented answers of operations that create a job. */
export const JOB_ANSWERS: { success: Answered; otherwise: readonly Answered[] } = {
  success: {
    status: 202,
    description: "The queued job. `RateLimit` also shows the remaining quota of the platform's model",
    schema: JobTaken,
    example: JOB_TAKEN,
    headers: ["Location", "Retry-After"],
  },
  otherwise: [
    {
      status: 402,
      description: "The plan's quota of platform AI analyses is used up, or they are disabled",
      schema: PlanDenial,
      examples: { plan_weekly_quota_exhausted: DENIALS.weekly, plan_hard_off: DENIALS.off },
    },
    {
      status: 429,
      description:
        "The hourly limit of platform AI analyses is reached, or the organization's own key keeps failing",
      schema: t.Union([HourlyDenial, ByokDenied]),
      examples: { plan_hourly_rate_limit: DENIALS.hourly, byok_rate_limited: DENIALS.byok },
      headers: ["Retry-After"],
    },
  ],
};

/** Answers a request that creates a job: with the job's location, or with the denial by a gate. */
export function jobAnswer(orgId: string, submitted: Submitted): Answer {
  if (!submitted.accepted) return denialAnswer(orgId, submitted.denial);
  const { job_id: id, kind, status, created_at, grant } = submitted;
  const url = `/api/v2/orgs/${orgId}/llm-jobs/${id}`;
  return json({ job_id: id, kind, status, poll_url: url, created_at }, 202, {
    location: url,
    "retry-after": String(RETRY_AFTER_SECONDS),
    ...(grant && grantHeaders(grant)),
  });
}
