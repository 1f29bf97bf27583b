import { ENRICHMENT_STATUSES, MATCH_STATUSES, NORMALIZED_TYPES } from "../../api/closed-sets.gen.ts";
import { given, oneOf, textOf } from "../search.ts";

/** Parses the inventory's filters, named as in the API. */
export function inventorySearch(search: Record<string, unknown>) {
  return given({
    account_id: textOf(search["account_id"]),
    match: oneOf(MATCH_STATUSES, search["match"]),
    excluded: oneOf(["exclude"] as const, search["excluded"]),
    normalized_type: oneOf(NORMALIZED_TYPES, search["normalized_type"]),
    provider_type: textOf(search["provider_type"]),
    enrichment_status: oneOf(ENRICHMENT_STATUSES, search["enrichment_status"]),
    q: textOf(search["q"]),
    seen_since: textOf(search["seen_since"]),
  });
}
export type InventorySearch = ReturnType<typeof inventorySearch>;
