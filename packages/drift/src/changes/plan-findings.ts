import { hashOf, type DriftOptions } from "../drift-of.ts";
import { isDeletion, refreshDriftOf, type KnownResource } from "../planned-drift.ts";
import { PendingChange } from "@leeway/shared/contracts/inventory/plans";
import { decode } from "@leeway/shared/values/decode";
import type { JsonObject } from "@leeway/shared/values/json";

import { foundChange, type FoundChange } from "./found-change.ts";
import type { Pair } from "./pair.ts";

/** A difference that a plan's refresh found in a resource of an account. */
export interface PlannedDrift extends PlannedPlace {
  /** JSON: an element of the plan's `resource_drift`. */
  content: string;
}

/** A change that a plan is about to make to a resource of an account. */
export interface PlannedChange extends PlannedPlace {
  /** JSON: a `PendingChange`. */
  content: string;
}

/** A resource in a plan, and the known resources that it refers to. */
export interface PlannedPlace {
  sourceId: string;
  address: string;
  plannedAt: Date;
  /** When the account was last listed. */
  listedAt: Date;
  /** Undefined if the stored state lacks the resource. */
  declared: { id: string; status: "matched" | "missing" | "unobserved" } | undefined;
  live: { id: string; providerResourceId: string } | undefined;
}

/** Options for judging an account's plans. */
interface PlanOptions extends DriftOptions {
  accountId: string;
}

/** A parsed refresh: `resource` is an element of a plan's `resource_drift`. */
interface Refreshed extends PlannedPlace {
  resource: JsonObject;
}

/** Findings of an account's plans. */
export interface PlanFindings {
  /**
   * Returns the changes that a plan adds to the comparison of a pair. Live attributes that are newer than the plan
   * override it, and so does a part that its newer live resource contains (`isThere`). `reported` names the
   * attributes that the comparison already reports.
   */
  take(
    pair: Pair,
    compared: { live: KnownResource["since"]; reported: KnownResource["reported"]; isThere: boolean },
  ): FoundChange[];
  /** Drops the refresh of a declared resource. */
  drop(declaredId: string): void;
  /** Returns the ids of declared resources whose refresh wasn't used. */
  left(): string[];
}

export function planFindings(planned: readonly PlannedDrift[], options: PlanOptions): PlanFindings {
  const left = new Map(heeded(planned).map((one) => [one.declared?.id, one]));
  const byDeclared = new Map(left);
  return {
    take(pair, { live, reported, isThere }) {
      const { id } = pair.declared;
      const one = byDeclared.get(id);
      if (!one) return [];
      const isSince = (pair.live.enrichedAt ?? one.listedAt) > one.plannedAt;
      if (isDeletion(one.resource)) {
        if (isThere && isSince) left.delete(id);
        return [];
      }
      left.delete(id);
      return refreshFinding(one, { known: { since: isSince ? live : undefined, reported }, options });
    },
    drop: (declaredId) => void left.delete(declaredId),
    left: () => [...left.keys()].filter((id) => id !== undefined),
  };
}

/** Judges refreshes of resources that no comparison covers. */
export function judgeRefreshes(planned: readonly PlannedDrift[], options: PlanOptions): FoundChange[] {
  return heeded(planned).flatMap((one) => refreshFinding(one, { known: undefined, options }));
}

function heeded(planned: readonly PlannedDrift[]): Refreshed[] {
  return planned
    .map(({ content, ...place }) => ({ ...place, resource: JSON.parse(content) }))
    .filter(isHeeded);
}

/**
 * Returns whether a refresh still counts. The listing itself reports missing resources, and overrides an older
 * refresh that found a resource deleted.
 */
function isHeeded({ declared, resource, plannedAt, listedAt }: Refreshed): boolean {
  if (declared?.status === "missing") return false;
  return !(isDeletion(resource) && declared?.status === "matched" && listedAt > plannedAt);
}

function refreshFinding(
  { sourceId, resource, declared, live }: Refreshed,
  { known, options }: { known: KnownResource | undefined; options: PlanOptions },
): FoundChange[] {
  const { accountId } = options;
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

/** Returns the pending changes that plans announce. */
export function judgePending(planned: readonly PlannedChange[], accountId: string): FoundChange[] {
  return planned.map((one) => pendingFinding(one, accountId));
}

function pendingFinding({ sourceId, content, ...known }: PlannedChange, accountId: string): FoundChange {
  const change = decode(PendingChange, JSON.parse(content));
  const { fingerprint: what, risk_level, hidden, ...reported } = change;
  return foundChange(
    { accountId, kind: "pending", sourceId, what },
    { risk_level, hidden, values_hash: hashOf(reported.attribute_changes) },
    { ...reported, ...idsOf(known) },
  );
}

function idsOf({ declared, live }: Pick<PlannedPlace, "declared" | "live">) {
  return {
    ...(live && { provider_resource_id: live.providerResourceId, live_resource_id: live.id }),
    ...(declared && { iac_resource_id: declared.id }),
  };
}
