import { call } from "@leeway/shared/bus/request";
import {
  DeleteLlmConfig,
  GetLlmConfig,
  LlmConfig,
  LlmConfigWish,
  PutLlmConfig,
} from "@leeway/shared/contracts/quota/llm-config";
import { AppError } from "@leeway/shared/errors";
import { Type as t } from "@sinclair/typebox";

import { audited, factsOf } from "../audited.ts";
import type { Gateway } from "../gateway.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { LLM_CONFIG } from "../openapi/quota-examples.ts";
import type { AuditAction } from "../identity.ts";

const TAG = "Language models";
const PATH = "/api/v2/orgs/:id/llm-config";

const put = endpoint({
  method: "PUT",
  path: PATH,
  operationId: "putLlmConfig",
  tag: TAG,
  summary: "Set the organization's own model key",
  description:
    "From then on models are called with it and no call counts against the plan. The key is tried on its provider with a request for one token first; nothing is kept if that fails. It is stored encrypted, and never shown. Setting it again closes its breaker.",
  who: "admin",
  query: t.Object({
    validate: t.Boolean({ default: true, description: "Whether the key is tried first" }),
  }),
  body: LlmConfigWish,
  bodyExample: { provider: LLM_CONFIG.provider, api_key: "sk-ant-example", model: LLM_CONFIG.model },
  success: { status: 200, description: "The config", schema: LlmConfig, example: LLM_CONFIG },
  errors: ["credential_rejected", "provider_unavailable"],
  limit: ({ trialLimit }) => trialLimit,
  async handle({ orgId, caller, query, body }, gateway) {
    const action = await likelyAction(gateway, orgId);
    const change = { caller, orgId, action, details: { provider: body.provider } };
    const { created: _, ...config } = await audited(
      gateway,
      change,
      () => call(gateway.bus, PutLlmConfig, { org_id: orgId, ...query, ...body }),
      (set) => ({ action: set.created ? "llm_config.create" : "llm_config.update" }),
    );
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
    "What it is for, enough of it to be recognised, and its breaker: after five failures in a row no call is made until `retry_at`, and then one to try.",
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
  description: "Nothing of it is kept. From then on the platform's model is called, within the plan.",
  who: "admin",
  success: { status: 204, description: "It is gone" },
  errors: ["llm_config_not_found"],
  audit: "llm_config.delete",
  auditDetails: factsOf("provider"),
});

export const llmConfig: readonly Endpoint[] = [put, get, remove];

/** What setting a key will be, unless somebody else sets or deletes one meanwhile. */
async function likelyAction({ bus }: Gateway, orgId: string): Promise<AuditAction> {
  try {
    await call(bus, GetLlmConfig, { org_id: orgId });
    return "llm_config.update";
  } catch (error) {
    if (error instanceof AppError && error.code === "llm_config_not_found") return "llm_config.create";
    throw error;
  }
}
