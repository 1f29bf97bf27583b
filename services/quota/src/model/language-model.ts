import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Provider } from "@leeway/shared/contracts/quota/llm-config";
import { invalidParameter } from "@leeway/shared/values/errors";

import type { Connection } from "./connection.ts";

/** A connection with its key; some self-hosted servers need none. */
export interface OpenConnection extends Connection {
  apiKey: string | undefined;
}

type Settings = { baseURL: string; apiKey: string; fetch: typeof fetch };

/** Everything that differs between providers when a model is called. */
interface ModelProvider {
  /** Returns the address of the API for a connection without a base URL. */
  address(connection: Connection): string;
  /** Completes a given base URL. */
  completed?(baseUrl: string): string;
  /**
   * Creates the model. Sets every option that a library would otherwise read from the environment, so that a platform
   * key is never used for an organization. Loads the provider's library on first use; all of them take 17 MB.
   */
  create(settings: Settings, connection: Connection): Promise<LanguageModelV4>;
  /** Default token limit. Reasoning tokens count, too. */
  usualTokens: number;
}

const USUAL_TOKENS = 4_096;
/** For models on Bedrock and self-hosted servers, which may have a small limit. */
const FEW_TOKENS = 2_000;

const PROVIDERS: Readonly<Record<Provider, ModelProvider>> = {
  anthropic: {
    address: () => "https://api.anthropic.com/v1",
    create: async (settings, { model }) =>
      (await import("@ai-sdk/anthropic")).createAnthropic(settings)(model),
    usualTokens: USUAL_TOKENS,
  },
  openai: {
    address: () => "https://api.openai.com/v1",
    create: async (settings, { model }) =>
      (await import("@ai-sdk/openai")).createOpenAI(settings).chat(model),
    usualTokens: USUAL_TOKENS,
  },
  google: {
    address: () => "https://generativelanguage.googleapis.com/v1beta",
    create: async (settings, { model }) => (await import("@ai-sdk/google")).createGoogle(settings)(model),
    usualTokens: USUAL_TOKENS,
  },
  bedrock: {
    address: ({ options }) => bedrockAddress(options?.region ?? ""),
    create: async (settings, { model, options }) => {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      return createAmazonBedrock({ ...settings, region: options?.region ?? "none" })(model);
    },
    usualTokens: FEW_TOKENS,
  },
  azure_openai: {
    address: noAddress,
    completed: azureAddress,
    create: async (settings, { model, options = {} }) => {
      const { createAzure } = await import("@ai-sdk/azure");
      const { api_version: apiVersion, deployment = model } = options;
      const versioned = apiVersion !== undefined && { apiVersion, useDeploymentBasedUrls: true };
      return createAzure({ ...settings, ...versioned }).chat(deployment);
    },
    usualTokens: USUAL_TOKENS,
  },
  openai_compatible: {
    address: noAddress,
    create: async (settings, { model }) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const name = "openai_compatible";
      return createOpenAICompatible({ ...settings, name, supportsStructuredOutputs: true })(model);
    },
    usualTokens: FEW_TOKENS,
  },
};

/** Creates the model of a connection, which only uses the given `fetch`. */
export async function languageModel(
  connection: OpenConnection,
  fetch: Settings["fetch"],
): Promise<LanguageModelV4> {
  const { provider, apiKey = "none", baseUrl } = connection;
  const { address, completed, create } = PROVIDERS[provider];
  const given = baseUrl === undefined ? address(connection) : (completed?.(baseUrl) ?? baseUrl);
  return create({ baseURL: given, apiKey, fetch }, connection);
}

/** Returns a provider's default limit on tokens. */
export function usualTokens({ provider }: Connection): number {
  return PROVIDERS[provider].usualTokens;
}

function noAddress({ provider }: Connection): never {
  throw invalidParameter("base_url", `is required for ${provider}`, "required");
}

function bedrockAddress(region: string): string {
  const suffix = region.startsWith("cn-")
    ? "amazonaws.com.cn"
    : region.startsWith("eusc-")
      ? "amazonaws.eu"
      : "amazonaws.com";
  return `https://bedrock-runtime.${region}.${suffix}`;
}

/** Adds the API's path, because Azure's portal shows the resource's address without it. */
function azureAddress(baseUrl: string): string {
  const { hostname, pathname } = new URL(baseUrl);
  return hostname.endsWith(".azure.com") && pathname === "/" ? `${baseUrl}/openai` : baseUrl;
}
