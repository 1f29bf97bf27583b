import type { Body } from "../../api/client.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { given } from "../search.ts";
import { PROVIDERS, type Provider } from "./providers.ts";

/** A key and its settings in a form. */
export interface KeyForm {
  provider: Provider;
  key: string;
  model: string;
  address: string;
  options: NonNullable<LlmConfig["options"]>;
}

/** Returns the current settings for editing, without the key, which isn't known. */
export function keyFormOf(config: LlmConfig | undefined): KeyForm {
  if (!config) return { provider: "anthropic", key: "", model: "", address: "", options: {} };
  const { provider, model, base_url: address = "", options = {} } = config;
  return { provider, key: "", model, address, options };
}

/** Builds the request body from the filled fields, without options of other providers. */
export function bodyOf({
  provider,
  key,
  model,
  address,
  options,
}: KeyForm): Body<"PUT /orgs/{id}/llm-config"> {
  const filled = PROVIDERS[provider].options.flatMap((name) => {
    const value = options[name]?.trim();
    return value ? [[name, value] as const] : [];
  });
  return {
    provider,
    api_key: key.trim(),
    ...given({
      model: model.trim() || undefined,
      base_url: address.trim() || undefined,
      options: filled.length > 0 ? Object.fromEntries(filled) : undefined,
    }),
  };
}
