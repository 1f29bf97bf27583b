import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { keysOf } from "../../values/keys-of.ts";
import { sealed } from "../sealed.ts";
import { Timestamp, Uuid } from "../common.ts";

const ModelName = t.String({
  pattern: String.raw`^[\w.:/@+-]{1,200}$`,
  errorMessage: "must be a model name of 1 to 200 letters, digits or . _ : / @ + -",
});
const ProviderOptions = t.Object({
  region: t.Optional(
    t.String({
      pattern: "^[a-z]{2,6}(-[a-z0-9]{1,16}){1,4}$",
      description: "Region of Bedrock",
      errorMessage: "must be a region such as eu-central-1",
    }),
  ),
  deployment: t.Optional(
    t.String({
      pattern: String.raw`^[\w.-]{1,64}$`,
      description: "Azure OpenAI deployment. Default: the model's name",
      errorMessage: "must be a deployment name of 1 to 64 letters, digits or . _ -",
    }),
  ),
  api_version: t.Optional(
    t.String({
      pattern: "^[a-z0-9-]{1,32}$",
      description: "Azure OpenAI API version. Default: the v1 API",
      errorMessage: "must be a version such as 2024-10-21",
    }),
  ),
});
export type ProviderOptions = Static<typeof ProviderOptions>;

export interface ProviderRules {
  name: string;
  /** Default model; absent if the caller must name one, or a deployment. */
  model?: string;
  /** Where to find the name of a model. */
  modelHint: string;
  /** Setting that locates a provider without a default address; a base URL always does. */
  address?: "base_url" | "options.region";
  options: readonly (keyof ProviderOptions)[];
  /** Set if its servers may need no key. */
  isKeyOptional?: true;
}

/** Providers of language models. */
export const MODEL_PROVIDERS = {
  anthropic: {
    name: "Anthropic",
    model: "claude-sonnet-5-5",
    modelHint: "The latest Sonnet",
    options: [],
  },
  openai: { name: "OpenAI", model: "gpt-5.6", modelHint: "The latest GPT", options: [] },
  azure_openai: {
    name: "Azure OpenAI",
    modelHint: "The deployment’s name",
    address: "base_url",
    options: ["deployment", "api_version"],
  },
  bedrock: {
    name: "Amazon Bedrock",
    modelHint: "The model’s id",
    address: "options.region",
    options: ["region"],
  },
  google: {
    name: "Google Gemini",
    model: "gemini-flash-latest",
    modelHint: "The latest Flash",
    options: [],
  },
  openai_compatible: {
    name: "OpenAI-compatible server",
    modelHint: "The server’s name for it",
    address: "base_url",
    options: [],
    isKeyOptional: true,
  },
} as const satisfies Record<string, ProviderRules>;
export type Provider = keyof typeof MODEL_PROVIDERS;
export const PROVIDERS = keysOf(MODEL_PROVIDERS);
export const Provider = words(PROVIDERS);

/** Returns the rules of a provider. */
export function rulesOf(provider: Provider): ProviderRules {
  return MODEL_PROVIDERS[provider];
}

/** Lists the providers that fulfil a condition, in Markdown. */
export function listProviders(fulfils: (rules: ProviderRules) => boolean): string {
  return PROVIDERS.filter((provider) => fulfils(rulesOf(provider)))
    .map((provider) => `\`${provider}\``)
    .join(", ");
}

/** An organization's own key for a language model, as submitted. */
export const LlmConfigInput = t.Object({
  provider: Provider,
  api_key: sealed(
    t.String({
      pattern: "^[!-~]{1,4096}$",
      writeOnly: true,
      errorMessage: "must be 1 to 4096 visible ASCII characters without spaces",
    }),
  ),
  model: t.Optional(ModelName),
  base_url: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 500,
      description: `Public HTTPS URL that replaces the provider's own, including the version (\`https://api.openai.com/v1\`). Required for ${listProviders(({ address }) => address === "base_url")}`,
    }),
  ),
  options: t.Optional(ProviderOptions),
});
export type LlmConfigInput = Static<typeof LlmConfigInput>;

export const BREAKER_STATES = ["closed", "open", "half_open"] as const;
const Breaker = t.Object({
  state: words(BREAKER_STATES),
  consecutive_failures: t.Integer(),
  retry_at: t.Optional(
    t.String({ format: "date-time", description: "Time of the next call, if the breaker is open" }),
  ),
});

/** The visible part of an organization's own key for a language model. */
export const LlmConfig = t.Object({
  provider: Provider,
  model: t.String(),
  base_url: t.Optional(t.String()),
  options: t.Optional(ProviderOptions),
  key_hint: t.String({ description: "The last four characters of a long key" }),
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
    LlmConfigInput,
  ]),
  output: t.Composite([
    LlmConfig,
    t.Object({ created: t.Boolean({ description: "Whether the organization had no key before" }) }),
  ]),
  timeoutMs: 20_000, // longer than a provider's timeout when a key is validated
});
export const GetLlmConfig = defineRequest("quota.llm_configs.get", {
  input: t.Object({ org_id: Uuid }),
  output: LlmConfig,
});
export const DeleteLlmConfig = defineRequest("quota.llm_configs.delete", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({ provider: Provider }),
});
