import type { LiveResource } from "@leeway/shared/contracts/inventory/resources";

/** What asking to enrich a resource leads to. */
type EnrichmentStep = "keep" | "mark_not_applicable" | "fetch";

/** The interface's table of states: what is to be done with a resource of `status`. */
export function enrichmentStep(
  status: LiveResource["enrichment_status"],
  hasEnricher: boolean,
): EnrichmentStep {
  if (status === "n/a") return "keep";
  if (!hasEnricher) return "mark_not_applicable";
  return status === "enriched" ? "keep" : "fetch";
}
