import { call } from "@leeway/shared/bus/request";
import {
  DeleteLlmConfig,
  GetLlmConfig,
  LlmConfig,
  LlmConfigInput,
  PutLlmConfig,
} from "@leeway/shared/contracts/quota/llm-config";
import { Type as t } from "@sinclair/typebox";

import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { LLM_CONFIG } from "../examples/quota.ts";

const TAG = "Language models";
const PATH = "/api/v2/orgs/:id/llm-config";

const put = endpoint({
  method: "PUT",
  path: PATH,
  operationId: "putLlmConfig",
  tag: TAG,
  summary: "Set the organization's own model key",
  description:
    "Sets the key for the organization's model calls, which then don't count against the plan. The key is first tried with a request for one token; if that fails, it isn't saved. It is stored encrypted and never returned. Setting it closes its breaker.",
  who: "admin",
  query: t.Object({
    validate: t.Boolean({ default: true, description: "Whether to try the key first" }),
  }),
  body: LlmConfigInput,
  bodyExample: { provider: LLM_CONFIG.provider, api_key: "sk-ant-example", model: LLM_CONFIG.model },
  success: { status: 200, description: "The config", schema: LlmConfig, example: LLM_CONFIG },
  errors: ["credential_rejected", "provider_unavailable"],
  limit: ({ trialLimit }) => trialLimit,
  async handle({ orgId, query, body }, gateway) {
    const input = { org_id: orgId, ...query, ...body };
    const { created: _, ...config } = await call(gateway.bus, PutLlmConfig, input);
    return json(config);
  },
});

const get = relay(GetLlmConfig, {
  method: "GET",
  path: PATH,
  operationId: "getLlmConfig",
  tag: TAG,
  summary: "Get the organization's own model key",
  description:
    "Returns the provider, hints to recognize the key, and the state of its breaker. After five consecutive failures no call is made until `retry_at`; then one call tests the key.",
  who: "viewer",
  success: { status: 200, description: "The config", schema: GetLlmConfig.output, example: LLM_CONFIG },
  errors: ["llm_config_not_found"],
});

const remove = relay(DeleteLlmConfig, {
  method: "DELETE",
  path: PATH,
  operationId: "deleteLlmConfig",
  tag: TAG,
  summary: "Delete the organization's own model key",
  description:
    "Deletes the key for good. Model calls then use the platform's model, within the plan's quota.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
  errors: ["llm_config_not_found"],
});

export const llmConfig: readonly Endpoint[] = [put, get, remove];
