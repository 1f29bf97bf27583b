import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAzure } from "@ai-sdk/azure";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
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
   * key is never used for an organization.
   */
  create(settings: Settings, connection: Connection): LanguageModelV4;
  /** Default token limit. Reasoning tokens count, too. */
  usualTokens: number;
}

const USUAL_TOKENS = 4_096;
/** For models on Bedrock and self-hosted servers, which may have a small limit. */
const FEW_TOKENS = 2_000;

const PROVIDERS: Readonly<Record<Provider, ModelProvider>> = {
  anthropic: {
    address: () => "https://api.anthropic.com/v1",
    create: (settings, { model }) => createAnthropic(settings)(model),
    usualTokens: USUAL_TOKENS,
  },
  openai: {
    address: () => "https://api.openai.com/v1",
    create: (settings, { model }) => createOpenAI(settings).chat(model),
    usualTokens: USUAL_TOKENS,
  },
  google: {
    address: () => "https://generativelanguage.googleapis.com/v1beta",
    create: (settings, { model }) => createGoogle(settings)(model),
    usualTokens: USUAL_TOKENS,
  },
  bedrock: {
    address: ({ options }) => bedrockAddress(options?.region ?? ""),
    create: (settings, { model, options }) =>
      createAmazonBedrock({ ...settings, region: options?.region ?? "none" })(model),
    usualTokens: FEW_TOKENS,
  },
  azure_openai: {
    address: noAddress,
    completed: azureAddress,
    create: (settings, { model, options = {} }) =>
      createAzure({
        ...settings,
        ...(options.api_version !== undefined && {
          apiVersion: options.api_version,
          useDeploymentBasedUrls: true,
        }),
      }).chat(options.deployment ?? model),
    usualTokens: USUAL_TOKENS,
  },
  openai_compatible: {
    address: noAddress,
    create: (settings, { model }) =>
      createOpenAICompatible({ ...settings, name: "openai_compatible", supportsStructuredOutputs: true })(
        model,
      ),
    usualTokens: FEW_TOKENS,
  },
};

/** Creates the model of a connection, which only uses the given `fetch`. */
export function languageModel(connection: OpenConnection, fetch: Settings["fetch"]): LanguageModelV4 {
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
