import { optional, optionalUrl, type Variable } from "@leeway/shared/config";
import { PROVIDERS, type Provider } from "@leeway/shared/contracts/quota/llm-config";
import { AppError } from "@leeway/shared/errors";
import { present } from "@leeway/shared/json";

import { connectionOf, type Connection } from "../domain/connection.ts";
import type { OpenConnection } from "./language-model.ts";

const PLATFORM_LLM_PROVIDER: Variable<Provider | undefined> = {
  describe: `The platform's own language model: ${PROVIDERS.map((name) => `\`${name}\``).join(", ")}; none is offered without it`,
  fallback: "none",
  parse: (raw) => {
    const found = PROVIDERS.find((name) => name === raw);
    if (raw !== undefined && found === undefined) throw new Error(`must be one of ${PROVIDERS.join(", ")}`);
    return found;
  },
};

/** Where the platform's own model is. */
export const PLATFORM_LLM_VARIABLES = {
  PLATFORM_LLM_PROVIDER,
  PLATFORM_LLM_MODEL: optional("Which model; of Azure OpenAI, which deployment"),
  PLATFORM_LLM_API_KEY: optional("Its key; only `openai_compatible` can do without"),
  PLATFORM_LLM_BASE_URL: optionalUrl(
    "Takes the place of the provider's own address; `azure_openai`, `bedrock` and `openai_compatible` need it",
  ),
};

type Values = {
  [K in keyof typeof PLATFORM_LLM_VARIABLES]: ReturnType<(typeof PLATFORM_LLM_VARIABLES)[K]["parse"]>;
};

/** Which variable is to blame for a member that is missing. */
const VARIABLE_OF: Readonly<Record<string, keyof Values>> = {
  model: "PLATFORM_LLM_MODEL",
  base_url: "PLATFORM_LLM_BASE_URL",
  "options.region": "PLATFORM_LLM_BASE_URL",
};

/**
 * The platform's own model, or undefined when none is configured.
 * @throws {Error} that names the variable that is missing, never a value
 */
export function platformModel(values: Values): OpenConnection | undefined {
  const { PLATFORM_LLM_PROVIDER: provider, PLATFORM_LLM_API_KEY: apiKey } = values;
  if (!provider) {
    if (values.PLATFORM_LLM_MODEL ?? apiKey ?? values.PLATFORM_LLM_BASE_URL)
      throw missing("PLATFORM_LLM_PROVIDER", "the other PLATFORM_LLM_ variables");
    return undefined;
  }
  if (!apiKey && provider !== "openai_compatible") throw missing("PLATFORM_LLM_API_KEY", provider);
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
