import { GetUsage, GetUsageHistory } from "@leeway/shared/contracts/quota/usage";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { pageOf } from "../openapi/examples.ts";
import { LLM_USAGE, LLM_USAGE_DAY } from "../openapi/quota-examples.ts";

const USAGE = "/api/v2/orgs/:id/llm-usage";

const get = relay(GetUsage, {
  method: "GET",
  path: USAGE,
  operationId: "getLlmUsage",
  tag: "Platform model",
  summary: "Get the platform model's usage",
  description:
    "What the organization has used of the platform's language model in the current week and hour, its caps, and when each starts anew: Monday 00:00 and the full hour, UTC. A gate whose cap is -1 is skipped and counts nothing. With a key of its own (`byok_configured`) the caps are advisory. Without one, and without a model of the platform (`platform_model_configured`), no model is asked.",
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
    "A row for each of the last `days`, today included, oldest first: how many slots were taken on it (UTC), by what became of them. Always one page.",
  who: "viewer",
  success: {
    status: 200,
    description: "The days",
    schema: GetUsageHistory.output,
    example: pageOf(LLM_USAGE_DAY),
  },
});

export const llmUsage: readonly Endpoint[] = [get, history];
