import { hashOf, type DriftOptions } from "./compare/drift-of.ts";
import { isDeletion, refreshDriftOf, type KnownResource } from "./compare/planned-drift.ts";
import { foundChange } from "./found-change.ts";
import type { FoundChange } from "./store/found.ts";
import type { Pair } from "./store/pairs.ts";
import type { PlannedChange, PlannedDrift, PlannedPlace } from "./store/planned.ts";

/** Few enough that nobody waits long while they are judged. */
const CHANGES_A_BATCH = 250;

/** What plans say of an account's resources. */
export interface PlanFindings {
  /**
   * What a plan adds to how a pair is seen to differ. What is live has the last word where it is newer, a part that its
   * whole lists as well, and `told` attributes differ by it already.
   */
  take(
    pair: Pair,
    compared: { live: KnownResource["since"]; told: KnownResource["told"]; isThere: boolean },
  ): FoundChange[];
  /** Leaves out what they say of a declared resource. */
  drop(declaredId: string): void;
  /** What they tell of all else, batch by batch. */
  rest(): Generator<FoundChange[]>;
}

export function planFindings(
  accountId: string,
  planned: readonly PlannedDrift[],
  options: DriftOptions,
): PlanFindings {
  const refreshed = planned.filter(isHeeded);
  const left = new Set(refreshed);
  const byDeclared = new Map(refreshed.map((one) => [one.declared?.id, one]));
  return {
    take(pair, { live, told, isThere }) {
      const one = byDeclared.get(pair.declared.id);
      if (!one) return [];
      const isSince = (pair.live.enrichedAt ?? one.listedAt) > one.plannedAt;
      if (isDeletion(one.resource)) {
        if (isThere && isSince) left.delete(one);
        return [];
      }
      left.delete(one);
      return refreshFinding(accountId, one, { known: { since: isSince ? live : undefined, told }, options });
    },
    drop(declaredId) {
      const one = byDeclared.get(declaredId);
      if (one) left.delete(one);
    },
    *rest() {
      const all = [...left];
      for (let start = 0; start < all.length; start += CHANGES_A_BATCH) {
        const batch = all.slice(start, start + CHANGES_A_BATCH);
        yield batch.flatMap((one) => refreshFinding(accountId, one, { known: undefined, options }));
      }
    },
  };
}

/** A listing tells by itself what is missing; what it shows later than a plan isn't. */
function isHeeded({ declared, resource, plannedAt, listedAt }: PlannedDrift): boolean {
  if (declared?.status === "missing") return false;
  return !(isDeletion(resource) && declared?.status === "matched" && listedAt > plannedAt);
}

function refreshFinding(
  accountId: string,
  { sourceId, resource, declared, live }: PlannedDrift,
  { known, options }: { known: KnownResource | undefined; options: DriftOptions },
): FoundChange[] {
  const found = refreshDriftOf(resource, known, options);
  if (!found) return [];
  const { address, moduleAddress, type, providerName } = found.of;
  const about = {
    address,
    ...(moduleAddress !== undefined && { module_address: moduleAddress }),
    resource_type: type,
    provider_name: providerName,
    ...idsOf({ declared, live }),
  };
  if (found.kind === "missing") {
    return [
      foundChange({ accountId, kind: "missing", sourceId, what: address }, found, {
        ...about,
        actions: ["delete"],
        attribute_changes: [],
        risk_flags: found.risk_flags,
      }),
    ];
  }
  const { attribute_changes, risk_flags, noise, fingerprint } = found.drift;
  return [
    foundChange({ accountId, kind: "changed", sourceId, what: fingerprint }, found.drift, {
      ...about,
      actions: ["update"],
      attribute_changes,
      risk_flags,
      ...(noise && { noise }),
    }),
  ];
}

export function pendingFinding(
  accountId: string,
  { sourceId, change, ...known }: PlannedChange,
): FoundChange {
  const { fingerprint: what, risk_level, hidden, ...content } = change;
  const values_hash = hashOf(content.attribute_changes);
  return foundChange(
    { accountId, kind: "pending", sourceId, what },
    { risk_level, hidden, values_hash },
    { ...content, ...idsOf(known) },
  );
}

function idsOf({ declared, live }: Pick<PlannedPlace, "declared" | "live">) {
  return {
    ...(live && { provider_resource_id: live.providerResourceId, live_resource_id: live.id }),
    ...(declared && { iac_resource_id: declared.id }),
  };
}
