import { inTerraformWords } from "../bridged.ts";
import type { MatchedResource } from "../compare-resource.ts";
import { driftOf, type AttributeDrift } from "../drift-of.ts";
import { isThere, partIn, partOf } from "../parts.ts";
import { deletionOf, refreshDriftOf } from "../planned-drift.ts";
import { foundChange, type FoundChange } from "./found-change.ts";
import { openPairs, type Pair, type StoredPair } from "./pair.ts";
import { planFindings, type PlanFindings, type PlannedDrift } from "./plan-findings.ts";
import { undeclaredGrants, type GrantOptions } from "./undeclared-grants.ts";

/** The result of comparing some pairs. */
interface ComparedPairs {
  found: FoundChange[];
  /**
   * Grants on these pairs' live resources that the pairs don't declare. They count only if all declared grants are
   * known.
   */
  granted: FoundChange[];
  /** Ids of declared parts that their live resource no longer contains. */
  gone: string[];
  /** Ids of live resources for which anything is in `found`, `granted` or `gone`. */
  differing: string[];
  /** Attributes that live resources have shown, by their ids; see `Sightings`. */
  seen: Record<string, string>;
  /** Ids of declared resources with a refresh in a plan that this comparison didn't use. */
  left: string[];
}

/**
 * Compares the live and the declared resource of each pair, and applies `planned`, the plans' refreshes of the
 * declared resources.
 */
export function comparePairs(
  stored: readonly StoredPair[],
  planned: readonly PlannedDrift[],
  options: GrantOptions,
): ComparedPairs {
  const pairs = openPairs(stored);
  const plans = planFindings(planned, options);
  const gone: string[] = [];
  const found: FoundChange[] = [];
  const differing = new Set<string>();
  const seen: Record<string, string> = {};
  for (const pair of pairs) {
    const there = pair.isPart ? isThere(pair.live.properties, partOf(pair.declared)) : undefined;
    const changes =
      there === false
        ? goneOf(pair, options)
        : comparedWith(pair, { plans, isThere: there === true, seen }, options);
    if (there === false) {
      gone.push(pair.declared.id);
      plans.drop(pair.declared.id);
    }
    if (there === false || changes.length > 0) differing.add(pair.live.id);
    found.push(...changes);
  }
  const wholes = new Map(pairs.map((pair) => [pair.live.id, pair]));
  const granted = [...wholes.values()].flatMap((whole) => {
    const grants = undeclaredGrants(whole, options);
    if (grants.length > 0) differing.add(whole.live.id);
    return grants;
  });
  return { found, granted, gone, differing: [...differing], seen, left: plans.left() };
}

function comparedWith(
  pair: Pair,
  { plans, isThere: isSeen, seen }: { plans: PlanFindings; isThere: boolean; seen: Record<string, string> },
  options: GrantOptions,
): FoundChange[] {
  const { address, providerName } = pair.declared;
  const compared = comparedIn(pair);
  const named = { address, ...(providerName !== undefined && { providerName }) };
  const { drift, seen: shown } = driftOf({ ...compared, ...named }, options);
  if (shown !== undefined && !pair.isPart) seen[pair.live.id] = shown;
  const reported = new Set(drift?.attribute_changes.map(({ path: [name] }) => String(name)));
  const added = plans.take(pair, { live: compared.live, reported, isThere: isSeen });
  return drift ? [changeOf(pair, drift, options), ...added] : added;
}

/** The fields of a pair that are compared, in Terraform's names where they are known. */
type Compared = Pick<MatchedResource, "type" | "declared" | "live">;

function comparedIn({ live, declared: known, isPart, parts }: Pair): Compared {
  const { type, attributes: declared } = inTerraformWords(known);
  if (isPart) return { type, declared, live: { properties: partIn(live.properties, partOf(known)) } };
  // A live resource that is listed by its Terraform type has Terraform's attributes.
  if (live.providerType === type) return { type, declared, live: { attributes: live.properties } };
  const { properties, tags, seen } = live;
  const isRead = live.enrichedAt !== undefined;
  return {
    type,
    declared,
    live: { properties, ...(tags && { tags }), parts: parts.map(partOf), isRead, seen },
  };
}

/** Returns the `missing` change of a part that its live resource no longer contains. */
function goneOf({ declared }: Pair, options: GrantOptions): FoundChange[] {
  const { id, sourceId, type, address, moduleAddress, providerName } = declared;
  const drift = refreshDriftOf(deletionOf({ address, ...inTerraformWords(declared) }), undefined, options);
  if (drift?.kind !== "missing") return [];
  const change = foundChange(
    { accountId: options.accountId, kind: "missing", sourceId, what: address },
    drift,
    {
      actions: ["delete"],
      address,
      ...(moduleAddress !== undefined && { module_address: moduleAddress }),
      resource_type: type,
      provider_name: providerName ?? "",
      iac_resource_id: id,
      attribute_changes: [],
      risk_flags: drift.risk_flags,
    },
  );
  return [change];
}

function changeOf({ live, declared }: Pair, drift: AttributeDrift, { accountId }: GrantOptions): FoundChange {
  const { sourceId, type, address, moduleAddress, providerName } = declared;
  const { attribute_changes, risk_flags, noise, fingerprint } = drift;
  return foundChange({ accountId, kind: "changed", sourceId, what: fingerprint }, drift, {
    actions: ["update"],
    address,
    ...(moduleAddress !== undefined && { module_address: moduleAddress }),
    resource_type: type,
    provider_name: providerName ?? "",
    provider_resource_id: live.providerResourceId,
    live_resource_id: live.id,
    iac_resource_id: declared.id,
    attribute_changes,
    risk_flags,
    ...(noise && { noise }),
  });
}
