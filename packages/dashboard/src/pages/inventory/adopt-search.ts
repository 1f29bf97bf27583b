import { given, textOf } from "../search.ts";

/** Parses the filters of the resources to adopt, named as in the API. */
export function adoptSearch(search: Record<string, unknown>) {
  return given({
    account_id: textOf(search["account_id"]),
  });
}
