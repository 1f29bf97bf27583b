import { given, oneOf, textOf } from "../search.ts";
import { RESOURCE_TYPES } from "../words.ts";

export const MATCHES = ["matched", "undeclared", "excluded", "unchecked"] as const;
export const ENRICHMENTS = ["none", "enriched", "failed", "n/a"] as const;

/** The filters of the inventory, as the API has them and the address shows them. */
export function inventorySearch(search: Record<string, unknown>) {
  return given({
    account_id: textOf(search["account_id"]),
    match: oneOf(MATCHES, search["match"]),
    normalized_type: oneOf(RESOURCE_TYPES, search["normalized_type"]),
    provider_type: textOf(search["provider_type"]),
    enrichment_status: oneOf(ENRICHMENTS, search["enrichment_status"]),
    q: textOf(search["q"]),
    seen_since: textOf(search["seen_since"]),
  });
}
export type InventorySearch = ReturnType<typeof inventorySearch>;
