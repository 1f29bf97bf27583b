import { ApiFailure } from "../../api/failure.ts";

/** A form field, by its path in the body. */
export type KeyField =
  | "api_key"
  | "model"
  | "base_url"
  | "options.region"
  | "options.deployment"
  | "options.api_version";

const WORDS: Readonly<Record<string, string>> = {
  "base_url not_public":
    "The address must be public HTTPS on the standard port. The operator of this server can allow an address in your network.",
  "base_url unreachable": "This host doesn’t exist. Check the address.",
  "api_key unpaid": "The provider accepts this key, but its account has no credit left.",
  "model unknown":
    "The provider doesn’t know this model, or the key has no access to it. If you set an address, check that too.",
};

/** Returns why a field was rejected; undefined if it wasn't. */
export function keyRefusal(error: unknown, field: KeyField): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const refused = error.fields.find((one) => one.field === field);
  if (!refused) {
    const isTurnedAway = error.code === "credential_rejected" && error.fields.length === 0;
    return isTurnedAway && field === "api_key"
      ? "The provider rejects this key. Check that you copied all of it."
      : undefined;
  }
  return WORDS[`${field} ${refused.code}`] ?? `It ${refused.message}.`;
}

/** Returns whether a failure needs a general message, because it doesn't belong to a field. */
export function needsGeneralMessage(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return true;
  return error.code !== "credential_rejected" && error.fields.length === 0;
}

/** Returns whether only the trial of the key failed, so that it can still be saved. */
export function hasFailedTrial(error: unknown): boolean {
  return error instanceof ApiFailure && ["credential_rejected", "provider_unavailable"].includes(error.code);
}
