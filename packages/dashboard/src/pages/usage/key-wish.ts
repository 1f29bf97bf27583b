import type { Body } from "../../api/client.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { given } from "../search.ts";
import { PROVIDERS, type Provider } from "./providers.ts";

/** A key and what it is for, as it stands in a form. */
export interface KeyWish {
  provider: Provider;
  key: string;
  model: string;
  address: string;
  options: NonNullable<LlmConfig["options"]>;
}

/** What is set, to be changed, but for the key, which nobody knows any more. */
export function wishOf(config: LlmConfig | undefined): KeyWish {
  if (!config) return { provider: "anthropic", key: "", model: "", address: "", options: {} };
  const { provider, model, base_url: address = "", options = {} } = config;
  return { provider, key: "", model, address, options };
}

/** What the API is sent: only what is filled in, and no option of another provider. */
export function bodyOf({
  provider,
  key,
  model,
  address,
  options,
}: KeyWish): Body<"PUT /orgs/{id}/llm-config"> {
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
