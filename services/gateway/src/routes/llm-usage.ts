import { GetUsage, GetUsageHistory } from "@leeway/shared/contracts/quota/usage";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { pageOf } from "../examples/common.ts";
import { LLM_USAGE, LLM_USAGE_DAY } from "../examples/quota.ts";

const USAGE = "/api/v2/orgs/:id/llm-usage";

const get = relay(GetUsage, {
  method: "GET",
  path: USAGE,
  operationId: "getLlmUsage",
  tag: "Platform model",
  summary: "Get the platform model's usage",
  description:
    "Returns the usage of the platform's language model in the current week and hour, the caps, and the times at which they reset: Monday 00:00 and the full hour (UTC). A cap of -1 is unlimited, and its usage isn't counted. If `byok_configured` is true, the caps are advisory. Without an own key and without a platform model (`platform_model_configured`), no model is called.",
  who: "viewer",
  success: { status: 200, description: "The usage", schema: GetUsage.output, example: LLM_USAGE },
});

const history = relay(GetUsageHistory, {
  method: "GET",
  path: `${USAGE}/history`,
  operationId: "getLlmUsageHistory",
  tag: "Platform model",
  summary: "Get the platform model's usage by day",
  description:
    "Returns one row for each of the last `days`, including today, oldest first. Each row counts slots by final state, for the day (UTC) they were taken. Always one page.",
  who: "viewer",
  success: {
    status: 200,
    description: "The days",
    schema: GetUsageHistory.output,
    example: pageOf(LLM_USAGE_DAY),
  },
});

export const llmUsage: readonly Endpoint[] = [get, history];
