import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { Timestamp, Uuid } from "../common.ts";

export const PROVIDERS = [
  "anthropic",
  "openai",
  "azure_openai",
  "bedrock",
  "google",
  "openai_compatible",
] as const;
export const Provider = words(PROVIDERS);
export type Provider = Static<typeof Provider>;

const ModelName = t.String({
  pattern: String.raw`^[\w.:/@+-]{1,200}$`,
  errorMessage: "must be the name of a model",
});
const ProviderOptions = t.Object({
  region: t.Optional(
    t.String({
      pattern: "^[a-z]{2,6}(-[a-z0-9]{1,16}){1,4}$",
      description: "Of Bedrock",
      errorMessage: "must be a region",
    }),
  ),
  deployment: t.Optional(
    t.String({
      pattern: String.raw`^[\w.-]{1,64}$`,
      description: "Of Azure OpenAI; the model's name where it is left out",
      errorMessage: "must be the name of a deployment",
    }),
  ),
  api_version: t.Optional(
    t.String({
      pattern: "^[a-z0-9-]{1,32}$",
      description: "Of Azure OpenAI; its v1 API where it is left out",
      errorMessage: "must be a version such as 2024-10-21",
    }),
  ),
});
export type ProviderOptions = Static<typeof ProviderOptions>;

/** An organization's own key for a language model, as it is given. */
export const LlmConfigWish = t.Object({
  provider: Provider,
  api_key: t.String({
    pattern: "^[!-~]{1,4096}$",
    writeOnly: true,
    errorMessage: "must be of at most 4096 visible ASCII characters, without blanks",
  }),
  model: t.Optional(ModelName),
  base_url: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 500,
      description:
        "Public https. Takes the place of the provider's own, version included (`https://api.openai.com/v1`); `azure_openai` and `openai_compatible` need it",
    }),
  ),
  options: t.Optional(ProviderOptions),
});
export type LlmConfigWish = Static<typeof LlmConfigWish>;

export const BREAKER_STATES = ["closed", "open", "half_open"] as const;
const Breaker = t.Object({
  state: words(BREAKER_STATES),
  consecutive_failures: t.Integer(),
  retry_at: t.Optional(
    t.String({ format: "date-time", description: "No call is made before, once the breaker has opened" }),
  ),
});

/** An organization's own key for a language model, as far as it is shown. */
export const LlmConfig = t.Object({
  provider: Provider,
  model: t.String(),
  base_url: t.Optional(t.String()),
  options: t.Optional(ProviderOptions),
  key_hint: t.String({ description: "The key's last four characters, of a long one" }),
  key_fingerprint: t.String({ description: "`sha256:` and the first 8 hex digits of the key's SHA-256" }),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_used_at: t.Optional(Timestamp),
  breaker: Breaker,
});
export type LlmConfig = Static<typeof LlmConfig>;

export const PutLlmConfig = defineRequest("quota.llm_configs.put", {
  input: t.Composite([
    t.Object({ org_id: Uuid, validate: t.Optional(t.Boolean({ default: true })) }),
    LlmConfigWish,
  ]),
  output: t.Composite([
    LlmConfig,
    t.Object({ created: t.Boolean({ description: "Whether the organization had none before" }) }),
  ]),
  timeoutMs: 20_000, // longer than a provider may take to answer for a key
});
export const GetLlmConfig = defineRequest("quota.llm_configs.get", {
  input: t.Object({ org_id: Uuid }),
  output: LlmConfig,
});
export const DeleteLlmConfig = defineRequest("quota.llm_configs.delete", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({ provider: Provider }),
});
