import { given, oneOf, textOf } from "../search.ts";

/** Where accounts are, as they are to be chosen from; `other` is whatever else can be listed. */
const PLACES = ["aws", "gcp", "azure", "other"] as const;
export type Place = (typeof PLACES)[number];

/** The place whose account is to be connected. */
export function newAccountSearch(search: Record<string, unknown>) {
  return given({ place: oneOf(PLACES, search["place"]) });
}

/** How far the way into an account has come: credentials that are to be given anew, or the scan that was started. */
export function connectSearch(search: Record<string, unknown>) {
  return given({ step: oneOf(["access"] as const, search["step"]), scan: textOf(search["scan"]) });
}
