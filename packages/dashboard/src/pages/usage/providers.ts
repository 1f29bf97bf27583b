import { MODEL_PROVIDERS } from "../../api/later-sets.gen.ts";
import type { LlmConfig } from "../../api/openapi.gen.ts";
import { entriesOf } from "../entries-of.ts";

export type Provider = LlmConfig["provider"];

interface Rules {
  name: string;
  /** Default model. */
  model?: string;
  modelHint: string;
  /** Setting that is required, because the provider has no default address. */
  address?: "base_url" | "options.region";
  options: readonly (keyof NonNullable<LlmConfig["options"]>)[];
}

/** Settings that each provider needs. */
export const PROVIDERS: Readonly<Record<Provider, Rules>> = MODEL_PROVIDERS;

/** Returns whether a model must be named: there is no default and no deployment that names one. */
export function needsModel({ model, options }: Rules): boolean {
  return model === undefined && !options.includes("deployment");
}

/** Providers as options of a select. Providers without a required address come first. */
export const PROVIDER_OPTIONS: readonly (readonly [value: Provider, text: string])[] = entriesOf(PROVIDERS)
  .toSorted(([, a], [, b]) => Number(a.address !== undefined) - Number(b.address !== undefined))
  .map(([provider, { name }]) => [provider, name]);
