import type { LlmConfig } from "../../api/openapi.gen.ts";

export type Provider = LlmConfig["provider"];

interface Rules {
  name: string;
  /** Whether it has no address of its own. */
  needsAddress?: boolean;
  /** Whether it takes no model for granted. */
  needsModel?: boolean;
  model: string;
  options: readonly (keyof NonNullable<LlmConfig["options"]>)[];
}

/** What each provider has to be told. */
export const PROVIDERS: Readonly<Record<Provider, Rules>> = {
  anthropic: { name: "Anthropic", model: "The latest Sonnet", options: [] },
  openai: { name: "OpenAI", model: "The latest GPT", options: [] },
  google: { name: "Google Gemini", model: "The latest Flash", options: [] },
  azure_openai: {
    name: "Azure OpenAI",
    needsAddress: true,
    model: "The deployment’s name",
    options: ["deployment", "api_version"],
  },
  bedrock: { name: "Amazon Bedrock", needsModel: true, model: "The model’s id", options: ["region"] },
  openai_compatible: {
    name: "OpenAI-compatible server",
    needsAddress: true,
    needsModel: true,
    model: "As the server calls it",
    options: [],
  },
};

/** Them as a person chooses among them. */
export const PROVIDER_OPTIONS: [value: Provider, text: string][] = [
  ["anthropic", PROVIDERS.anthropic.name],
  ["openai", PROVIDERS.openai.name],
  ["google", PROVIDERS.google.name],
  ["azure_openai", PROVIDERS.azure_openai.name],
  ["bedrock", PROVIDERS.bedrock.name],
  ["openai_compatible", PROVIDERS.openai_compatible.name],
];
