import {
  rulesOf,
  type LlmConfigInput,
  type Provider,
  type ProviderOptions,
} from "@leeway/shared/contracts/quota/llm-config";
import { invalidParameter } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

/** A provider's address, model and options, without the key. */
export interface Connection {
  provider: Provider;
  model: string;
  /** Base URL; absent for the provider's default. */
  baseUrl?: string;
  options?: ProviderOptions;
}

/**
 * Builds a connection, filling in the provider's defaults.
 * @throws {AppError} `invalid_parameter` when something is missing, or isn't valid for this provider
 */
export function connectionOf(input: Omit<LlmConfigInput, "api_key">): Connection {
  const { provider, base_url: baseUrl, options = {} } = input;
  const { model: usual = options.deployment, address } = rulesOf(provider);
  refuseStray(provider, options);
  const addresses = { base_url: baseUrl, "options.region": baseUrl ?? options.region };
  if (address && addresses[address] === undefined) throw required(address, provider);
  const model = input.model ?? usual;
  if (model === undefined) throw required("model", provider);
  const hasOptions = Object.keys(options).length > 0;
  return { provider, model, ...present({ baseUrl, options: hasOptions ? options : undefined }) };
}

function refuseStray(provider: Provider, options: ProviderOptions): void {
  const known: readonly string[] = rulesOf(provider).options;
  const stray = Object.keys(options).find((name) => !known.includes(name));
  if (stray !== undefined)
    throw invalidParameter(`options.${stray}`, `isn't an option of ${provider}; remove it`);
}

function required(field: string, provider: Provider): Error {
  return invalidParameter(field, `is required for ${provider}`, "required");
}
