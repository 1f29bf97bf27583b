import type { Input } from "@leeway/shared/contracts/contract";
import type { ListResources } from "@leeway/shared/contracts/inventory/resources";

import type { ResourceFilter } from "./store.ts";

/** Converts the filters of a request. */
export function resourceFilter(
  input: Omit<Input<typeof ListResources>, "org_id" | "limit" | "cursor" | "total">,
): ResourceFilter {
  return {
    accountId: input.account_id,
    normalizedType: input.normalized_type,
    providerType: input.provider_type,
    region: input.region,
    tag: input.tag,
    moduleAddress: input.module_address,
    match: input.match,
    isCounted: input.excluded === "exclude",
    enrichmentStatus: input.enrichment_status,
    q: input.q,
    seenSince: input.seen_since,
    firstSeenSince: input.first_seen_since,
  };
}
