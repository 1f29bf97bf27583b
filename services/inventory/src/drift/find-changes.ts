import type { Transaction } from "@leeway/shared/database/database";

import { disabledRules } from "../exclusions/store.ts";
import { inTerraformWords } from "./compare/bridged.ts";
import type { MatchedResource } from "./compare/compare-resource.ts";
import { driftOf, type AttributeDrift, type DriftOptions } from "./compare/drift-of.ts";
import { isThere, partIn, partOf } from "./compare/parts.ts";
import { deletionOf, refreshDriftOf } from "./compare/planned-drift.ts";
import { foundChange } from "./found-change.ts";
import { pendingFinding, planFindings } from "./plan-findings.ts";
import { addFound, addMissing, addUndeclared, beginFinding, type FoundChange } from "./store/found.ts";
import { pairsOf, type Pair } from "./store/pairs.ts";
import { gatherParts } from "./store/parts.ts";
import { areGrantsKnown } from "./store/grants.ts";
import { gatherPlanned, plannedChanges, plannedDrift } from "./store/planned.ts";
import { undeclaredGrants } from "./undeclared-grants.ts";

/** Puts all that differs between an account and its code into `drift_found`, a few resources at a time. */
export async function findChanges(tx: Transaction, accountId: string, options: DriftOptions): Promise<void> {
  await beginFinding(tx);
  await gatherPlanned(tx, accountId);
  await gatherParts(tx, accountId);
  const refreshed = (await Array.fromAsync(plannedDrift(tx))).flat();
  const plans = planFindings(accountId, refreshed, options);
  const gone = new Set<string>();
  const grants = { ...options, accountId, disabledRules: await disabledRules(tx) };
  let areKnown: Promise<boolean> | undefined;
  for await (const pairs of pairsOf(tx, accountId)) {
    const wholes = new Map(pairs.map((pair) => [pair.live.id, pair]));
    const granted = [...wholes.values()].flatMap((whole) => undeclaredGrants(whole, grants));
    if (granted.length > 0 && (await (areKnown ??= areGrantsKnown(tx)))) await addFound(tx, granted);
    await addFound(
      tx,
      pairs.flatMap((pair) => {
        const { id, address, providerName } = pair.declared;
        const there = pair.isPart ? isThere(pair.live.properties, partOf(pair.declared)) : undefined;
        if (there === false) {
          gone.add(id);
          plans.drop(id);
          return goneOf(accountId, pair, options);
        }
        const compared = comparedIn(pair);
        const named = { address, ...(providerName !== undefined && { providerName }) };
        const { drift } = driftOf({ ...compared, ...named }, options);
        const told = new Set(drift?.attribute_changes.map(({ path: [name] }) => String(name)));
        const added = plans.take(pair, { live: compared.live, told, isThere: there === true });
        return drift ? [changeOf(accountId, pair, drift), ...added] : added;
      }),
    );
  }
  for (const found of plans.rest()) await addFound(tx, found);
  for await (const changes of plannedChanges(tx)) {
    await addFound(
      tx,
      changes.map((change) => pendingFinding(accountId, change)),
    );
  }
  await addMissing(tx, accountId, [...gone]);
  await addUndeclared(tx, accountId);
}

/** What is compared of a pair, in the words of Terraform where they can be found. */
type Compared = Pick<MatchedResource, "type" | "declared" | "live">;

function comparedIn({ live, declared: known, isPart, parts }: Pair): Compared {
  const { type, attributes: declared } = inTerraformWords(known);
  if (isPart) return { type, declared, live: { properties: partIn(live.properties, partOf(known)) } };
  // Whoever lists a resource by its Terraform type writes it down as Terraform does.
  if (live.providerType === type) return { type, declared, live: { attributes: live.properties } };
  const { properties, tags } = live;
  return { type, declared, live: { properties, ...(tags && { tags }), parts: parts.map(partOf) } };
}

/** A part that isn't in its whole any more. */
function goneOf(accountId: string, { declared }: Pair, options: DriftOptions): FoundChange[] {
  const { id, sourceId, type, address, moduleAddress, providerName } = declared;
  const drift = refreshDriftOf(deletionOf({ address, ...inTerraformWords(declared) }), undefined, options);
  if (drift?.kind !== "missing") return [];
  const change = foundChange({ accountId, kind: "missing", sourceId, what: address }, drift, {
    actions: ["delete"],
    address,
    ...(moduleAddress !== undefined && { module_address: moduleAddress }),
    resource_type: type,
    provider_name: providerName ?? "",
    iac_resource_id: id,
    attribute_changes: [],
    risk_flags: drift.risk_flags,
  });
  return [change];
}

function changeOf(accountId: string, { live, declared }: Pair, drift: AttributeDrift): FoundChange {
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
