import { optional, optionalUrl, type Variable } from "@leeway/shared/platform/config";
import { listProviders, PROVIDERS, rulesOf, type Provider } from "@leeway/shared/contracts/quota/llm-config";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import { connectionOf, type Connection } from "./connection.ts";
import type { OpenConnection } from "./language-model.ts";

const PLATFORM_LLM_PROVIDER: Variable<Provider | undefined> = {
  describe: `Provider of the platform's language model: ${listProviders(() => true)}; without it, there is no platform model`,
  fallback: "none",
  parse: (raw) => {
    const found = PROVIDERS.find((name) => name === raw);
    if (raw !== undefined && found === undefined) throw new Error(`must be one of ${PROVIDERS.join(", ")}`);
    return found;
  },
};

/** Variables for the platform's own model. */
export const PLATFORM_LLM_VARIABLES = {
  PLATFORM_LLM_PROVIDER,
  PLATFORM_LLM_MODEL: optional("Model; for Azure OpenAI, the deployment"),
  PLATFORM_LLM_API_KEY: optional(
    `API key; optional only for ${listProviders(({ isKeyOptional = false }) => isKeyOptional)}`,
  ),
  PLATFORM_LLM_BASE_URL: optionalUrl(
    `Replaces the provider's own URL; required for ${listProviders(({ address }) => address !== undefined)}`,
  ),
};

type Values = {
  [K in keyof typeof PLATFORM_LLM_VARIABLES]: ReturnType<(typeof PLATFORM_LLM_VARIABLES)[K]["parse"]>;
};

/** Variables by the missing member that they set. */
const VARIABLE_OF: Readonly<Record<string, keyof Values>> = {
  model: "PLATFORM_LLM_MODEL",
  base_url: "PLATFORM_LLM_BASE_URL",
  "options.region": "PLATFORM_LLM_BASE_URL",
};

/**
 * Returns the platform's own model, or undefined if none is configured.
 * @throws {Error} that names the missing variable, never a value
 */
export function platformModel(values: Values): OpenConnection | undefined {
  const { PLATFORM_LLM_PROVIDER: provider, PLATFORM_LLM_API_KEY: apiKey } = values;
  if (!provider) {
    if (values.PLATFORM_LLM_MODEL ?? apiKey ?? values.PLATFORM_LLM_BASE_URL)
      throw missing("PLATFORM_LLM_PROVIDER", "the other PLATFORM_LLM_ variables");
    return undefined;
  }
  if (!apiKey && !rulesOf(provider).isKeyOptional) throw missing("PLATFORM_LLM_API_KEY", provider);
  return { ...connectionTo(provider, values), apiKey };
}

function connectionTo(
  provider: Provider,
  { PLATFORM_LLM_MODEL: model, PLATFORM_LLM_BASE_URL: address }: Values,
): Connection {
  try {
    return connectionOf({ provider, ...present({ model, base_url: address?.replace(/\/+$/, "") }) });
  } catch (error) {
    const field = error instanceof AppError ? error.details?.[0]?.field : undefined;
    throw missing(VARIABLE_OF[field ?? ""] ?? "PLATFORM_LLM_PROVIDER", provider);
  }
}

function missing(variable: keyof Values, needer: string): Error {
  return new Error(`configuration: ${variable} is required for ${needer}`);
}
