import type { ByokDenial, SlotDenial, SlotGrant, SlotLimit } from "@leeway/shared/contracts/quota/slots";

import { json, type Answer } from "./answer.ts";

const WINDOW_SECONDS: Readonly<Record<SlotLimit["gate"], number>> = { weekly: 604_800, hourly: 3_600 };

/** Answers a denial with 402 or 429. No other code maps denials to statuses. */
export function denialAnswer(orgId: string, denial: SlotDenial | ByokDenial): Answer {
  const byok = { byok_config_url: `/api/v2/orgs/${orgId}/llm-config` };
  if (denial.reason === "byok_rate_limited") return byokAnswer(denial, byok);
  const { gate, cap, used, week_resets_at, hour_resets_at } = denial;
  const counted = { used, cap };
  const upgrade = { required_plan: "team", bucket: gate, ...counted, week_resets_at };
  switch (denial.reason) {
    case "weekly_exhausted": {
      const message = `this week's quota of ${cap} platform AI analyses is used up; it resets at ${week_resets_at}`;
      return json({ ...coded("plan_weekly_quota_exhausted", message), ...upgrade, ...byok }, 402);
    }
    case "hard_off": {
      const hour = gate === "hourly" && { hour_resets_at };
      const message = "platform AI analyses are disabled for the plan";
      return json({ ...coded("plan_hard_off", message), ...upgrade, ...hour, ...byok }, 402);
    }
    case "hourly_exhausted": {
      const message = `this hour's limit of ${cap} platform AI analyses is reached; it resets at ${hour_resets_at}`;
      const body = { ...coded("plan_hourly_rate_limit", message), ...counted, hour_resets_at, ...byok };
      return json(body, 429, { "retry-after": String(denial.retry_after_seconds) });
    }
  }
}

function byokAnswer(denial: ByokDenial, byok: { byok_config_url: string }): Answer {
  const { reason, provider, retry_at, retry_after_seconds, consecutive_failures } = denial;
  const message = `${provider} failed ${consecutive_failures} times in a row; the organization's own key can be used again at ${retry_at}`;
  const body = { ...coded(reason, message), provider, retry_at, consecutive_failures, ...byok };
  return json(body, 429, { "retry-after": String(retry_after_seconds) });
}

/** Repeats the code as `error`, for older clients that only know that member. */
function coded(code: string, message: string): { code: string; error: string; message: string } {
  return { code, error: code, message };
}

/** Returns the headers about the gates for an answer that took a slot (draft-ietf-httpapi-ratelimit-headers-10). */
export function grantHeaders({ limits }: SlotGrant): Record<string, string> {
  if (limits.length === 0) return {};
  const listed = (item: (limit: SlotLimit) => string): string =>
    limits.map((limit) => `"llm_${limit.gate}";${item(limit)}`).join(", ");
  return {
    "ratelimit-policy": listed(({ gate, cap }) => `q=${cap};w=${WINDOW_SECONDS[gate]}`),
    ratelimit: listed(({ cap, used, resets_in_seconds: t }) => `r=${Math.max(0, cap - used)};t=${t}`),
  };
}
