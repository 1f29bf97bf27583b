import type { LiveResource } from "@leeway/shared/contracts/inventory/resources";

/** Action for a request to enrich a resource. */
type EnrichmentStep = "keep" | "mark_not_applicable" | "fetch";

/** Returns the action for a resource of `status`, by the interface's table of states. */
export function enrichmentStep(
  status: LiveResource["enrichment_status"],
  hasEnricher: boolean,
): EnrichmentStep {
  if (status === "n/a") return "keep";
  if (!hasEnricher) return "mark_not_applicable";
  return status === "enriched" ? "keep" : "fetch";
}
