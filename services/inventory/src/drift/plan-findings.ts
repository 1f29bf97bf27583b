import { hashOf, type DriftOptions } from "./compare/drift-of.ts";
import { isDeletion, refreshDriftOf, type KnownResource } from "./compare/planned-drift.ts";
import { foundChange } from "./found-change.ts";
import type { FoundChange } from "./store/found.ts";
import type { Pair } from "./store/pairs.ts";
import type { Planned } from "./store/planned.ts";

type Refreshed = Extract<Planned, { kind: "drift" }>;
type Pending = Extract<Planned, { kind: "pending" }>;

/** What plans say of an account's resources. */
export interface PlanFindings {
  /**
   * What a plan adds to how a pair is seen to differ. What is live has the last word where it is newer, and `told`
   * attributes differ by it already.
   */
  take(pair: Pair, compared: { live: KnownResource["since"]; told: KnownResource["told"] }): FoundChange[];
  /** What they tell of all else; each change once. */
  rest(): FoundChange[];
}

export function planFindings(
  accountId: string,
  planned: readonly Planned[],
  options: DriftOptions,
): PlanFindings {
  // A plan tells of a resource once; what it has beside that is of deposed ones.
  const refreshed = [
    ...new Map(
      planned.flatMap((one) =>
        one.kind === "drift" ? [[`${one.sourceId} ${one.address}`, one] as const] : [],
      ),
    ).values(),
  ].filter(isHeeded);
  const left = new Set(refreshed);
  const byDeclared = new Map(refreshed.map((one) => [one.declared?.id, one]));
  return {
    take(pair, { live, told }) {
      const one = byDeclared.get(pair.declared.id);
      if (!one || isDeletion(one.resource)) return [];
      left.delete(one);
      const isSince = (pair.live.enrichedAt ?? one.listedAt) > one.plannedAt;
      return refreshFinding(accountId, one, { known: { since: isSince ? live : undefined, told }, options });
    },
    rest() {
      const found = [
        ...[...left].flatMap((one) => refreshFinding(accountId, one, { known: undefined, options })),
        ...planned.filter((one) => one.kind === "pending").map((one) => pendingFinding(accountId, one)),
      ];
      return [...new Map(found.map((one) => [one.fingerprint, one])).values()];
    },
  };
}

/** A listing tells by itself what is missing; what it shows later than a plan isn't. */
function isHeeded({ declared, resource, plannedAt, listedAt }: Refreshed): boolean {
  if (declared?.status === "missing") return false;
  return !(isDeletion(resource) && declared?.status === "matched" && listedAt > plannedAt);
}

function refreshFinding(
  accountId: string,
  { sourceId, resource, declared, live }: Refreshed,
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

function pendingFinding(accountId: string, { sourceId, change, ...known }: Pending): FoundChange {
  const { fingerprint: what, risk_level, hidden, ...content } = change;
  const values_hash = hashOf(content.attribute_changes);
  return foundChange(
    { accountId, kind: "pending", sourceId, what },
    { risk_level, hidden, values_hash },
    { ...content, ...idsOf(known) },
  );
}

function idsOf({ declared, live }: Pick<Planned, "declared" | "live">) {
  return {
    ...(live && { provider_resource_id: live.providerResourceId, live_resource_id: live.id }),
    ...(declared && { iac_resource_id: declared.id }),
  };
}
