import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAzure } from "@ai-sdk/azure";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";

import type { Connection } from "../domain/connection.ts";

/** A connection with its key; some servers of one's own want none. */
export interface OpenConnection extends Connection {
  apiKey: string | undefined;
}

type Settings = { baseURL: string; apiKey: string; fetch: typeof fetch };
type Create = (settings: Settings, connection: Connection) => LanguageModelV4;

/**
 * How each provider's model is made. Every setting for which a library would else look into the environment
 * is given: a key of the platform must never go out for an organization.
 */
const CREATE: Readonly<Record<Connection["provider"], Create>> = {
  anthropic: (settings, { model }) => createAnthropic(settings)(model),
  openai: (settings, { model }) => createOpenAI(settings).chat(model),
  google: (settings, { model }) => createGoogle(settings)(model),
  bedrock: (settings, { model, options }) =>
    createAmazonBedrock({ ...settings, region: options?.region ?? "none" })(model),
  azure_openai: (settings, { model, options = {} }) =>
    createAzure({
      ...settings,
      ...(options.api_version !== undefined && {
        apiVersion: options.api_version,
        useDeploymentBasedUrls: true,
      }),
    }).chat(options.deployment ?? model),
  openai_compatible: (settings, { model }) =>
    createOpenAICompatible({ ...settings, name: "openai_compatible" })(model),
};

/** The model of a connection, which is reached by `fetch` and in no other way. */
export function languageModel(connection: OpenConnection, fetch: Settings["fetch"]): LanguageModelV4 {
  const { provider, apiKey = "none" } = connection;
  return CREATE[provider]({ baseURL: addressOf(connection), apiKey, fetch }, connection);
}

const ADDRESSES: Partial<Readonly<Record<Connection["provider"], string>>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};

/** What paths are appended to. */
function addressOf({ provider, baseUrl, options }: Connection): string {
  if (baseUrl !== undefined) return provider === "azure_openai" ? azureAddress(baseUrl) : baseUrl;
  return ADDRESSES[provider] ?? bedrockAddress(options?.region ?? "");
}

function bedrockAddress(region: string): string {
  const suffix = region.startsWith("cn-")
    ? "amazonaws.com.cn"
    : region.startsWith("eusc-")
      ? "amazonaws.eu"
      : "amazonaws.com";
  return `https://bedrock-runtime.${region}.${suffix}`;
}

/** Azure's portal shows the resource's address without the path of its API. */
function azureAddress(baseUrl: string): string {
  const { hostname, pathname } = new URL(baseUrl);
  return hostname.endsWith(".azure.com") && pathname === "/" ? `${baseUrl}/openai` : baseUrl;
}
