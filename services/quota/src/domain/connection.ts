import type { LlmConfigWish, Provider, ProviderOptions } from "@leeway/shared/contracts/quota/llm-config";
import { invalidParameter } from "@leeway/shared/errors";
import { present } from "@leeway/shared/json";

/** Where a model is and how it is asked, but for the key. */
export interface Connection {
  provider: Provider;
  model: string;
  /** Absent where the provider's own address is meant. */
  baseUrl?: string;
  options?: ProviderOptions;
}

interface Rules {
  /** Taken where none is named. */
  model?: string;
  /** What says where a provider is that has no address of its own; a base URL always does. */
  address?: "base_url" | "options.region";
  options: readonly string[];
}

const RULES: Readonly<Record<Provider, Rules>> = {
  anthropic: { model: "claude-sonnet-5-5", options: [] },
  openai: { model: "gpt-5.6", options: [] },
  google: { model: "gemini-flash-latest", options: [] },
  azure_openai: { address: "base_url", options: ["deployment", "api_version"] },
  bedrock: { address: "options.region", options: ["region"] },
  openai_compatible: { address: "base_url", options: [] },
};

/**
 * What a wish comes to, with what its provider takes for granted.
 * @throws {AppError} `invalid_parameter` when something is missing, or isn't of this provider
 */
export function connectionOf(wish: Omit<LlmConfigWish, "api_key">): Connection {
  const { provider, base_url: baseUrl, options = {} } = wish;
  const { model: usual = options.deployment, address } = RULES[provider];
  refuseStray(provider, options);
  const addresses = { base_url: baseUrl, "options.region": baseUrl ?? options.region };
  if (address && addresses[address] === undefined) throw required(address, provider);
  const model = wish.model ?? usual;
  if (model === undefined) throw required("model", provider);
  const hasOptions = Object.keys(options).length > 0;
  return { provider, model, ...present({ baseUrl, options: hasOptions ? options : undefined }) };
}

function refuseStray(provider: Provider, options: ProviderOptions): void {
  const stray = Object.keys(options).find((name) => !RULES[provider].options.includes(name));
  if (stray !== undefined) throw invalidParameter(`options.${stray}`, `is no option of ${provider}`);
}

function required(field: string, provider: Provider): Error {
  return invalidParameter(field, `is required for ${provider}`, "required");
}
