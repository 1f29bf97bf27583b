import { given, oneOf, textOf } from "../search.ts";

/** Places to choose from; `other` is any other place with a listing. */
const PLACES = ["aws", "gcp", "azure", "other"] as const;
export type Place = (typeof PLACES)[number];

/** Parses the place of the account to connect. */
export function newAccountSearch(search: Record<string, unknown>) {
  return given({ place: oneOf(PLACES, search["place"]) });
}

/** Parses the step of connecting an account: replacing credentials, or a started scan. */
export function connectSearch(search: Record<string, unknown>) {
  return given({ step: oneOf(["access"] as const, search["step"]), scan: textOf(search["scan"]) });
}
