import { ApiFailure } from "../../api/failure.ts";

/** A field of the form, by its path in the body. */
export type KeyField =
  | "api_key"
  | "model"
  | "base_url"
  | "options.region"
  | "options.deployment"
  | "options.api_version";

const WORDS: Readonly<Record<string, string>> = {
  "base_url not_public":
    "The address must be public https, at its usual port. One inside your network only whoever runs Leeway can let through.",
  "base_url unreachable": "There is no such host. Check the address.",
  "api_key unpaid": "The provider knows this key, but its account has no credit left.",
  "model unknown":
    "The provider doesn’t know this model, or the key may not use it; or the address, where one is set, isn’t that of its API.",
};

/** Why a field was refused; undefined where it wasn't. */
export function keyRefusal(error: unknown, field: KeyField): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const refused = error.fields.find((one) => one.field === field);
  if (!refused) {
    const isTurnedAway = error.code === "credential_rejected" && error.fields.length === 0;
    return isTurnedAway && field === "api_key"
      ? "The provider turns this key away. Was it copied whole?"
      : undefined;
  }
  return WORDS[`${field} ${refused.code}`] ?? `It ${refused.message}.`;
}

/** Whether a failure is told as a whole, and not at a field. */
export function isToldWhole(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return true;
  return error.code !== "credential_rejected" && error.fields.length === 0;
}

/** Whether the key could be kept all the same: it was the trial that failed. */
export function hasFailedTrial(error: unknown): boolean {
  return error instanceof ApiFailure && ["credential_rejected", "provider_unavailable"].includes(error.code);
}
