import { ENRICHMENT_STATUSES, MATCH_STATUSES, NORMALIZED_TYPES } from "../../api/closed-sets.gen.ts";
import type { Viewed } from "../views/view.ts";
import { given, oneOf, severalOf, textOf } from "../search.ts";

/** Parses the inventory's filters, named as in the API. */
export function inventorySearch(search: Record<string, unknown>) {
  return given({
    account_id: severalOf(search["account_id"]),
    match: severalOf(search["match"], MATCH_STATUSES),
    excluded: oneOf(["exclude"] as const, search["excluded"]),
    normalized_type: severalOf(search["normalized_type"], NORMALIZED_TYPES),
    provider_type: severalOf(search["provider_type"]),
    region: severalOf(search["region"]),
    module_address: severalOf(search["module_address"]),
    tag: severalOf(search["tag"]),
    enrichment_status: severalOf(search["enrichment_status"], ENRICHMENT_STATUSES),
    q: textOf(search["q"]),
    seen_since: textOf(search["seen_since"]),
    first_seen_since: textOf(search["first_seen_since"]),
  });
}
export type InventorySearch = ReturnType<typeof inventorySearch>;

export const RESOURCE_VIEWS: Viewed = {
  page: "resources",
  path: "/inventory",
  filterOf: inventorySearch,
  searchOf: inventorySearch,
};
