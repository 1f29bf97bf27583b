import type { Transaction } from "@leeway/shared/database/database";

import { driftOf, type DriftOptions } from "./compare/drift-of.ts";
import type { LiveAttributes, LiveProperties } from "./compare/projected.ts";
import { foundChange } from "./found-change.ts";
import { planFindings } from "./plan-findings.ts";
import { addFound, addMissing, addUndeclared, beginFinding, type FoundChange } from "./store/found.ts";
import { pairsOf, type Pair } from "./store/pairs.ts";
import { plannedIn } from "./store/planned.ts";

/** Puts all that differs between an account and its code into `drift_found`, a few resources at a time. */
export async function findChanges(tx: Transaction, accountId: string, options: DriftOptions): Promise<void> {
  await beginFinding(tx);
  const plans = planFindings(accountId, await plannedIn(tx, accountId), options);
  for await (const pairs of pairsOf(tx, accountId)) {
    await addFound(
      tx,
      pairs.flatMap((pair) => {
        const live = liveOf(pair);
        return plans.take(pair, live) ?? changeIn(pair, live, { accountId, options });
      }),
    );
  }
  await addFound(tx, plans.rest());
  await addMissing(tx, accountId);
  await addUndeclared(tx, accountId);
}

/** Whoever lists a resource by its Terraform type writes it down as Terraform does. */
function liveOf({ live, declared }: Pair): LiveAttributes | LiveProperties {
  if (live.providerType === declared.type) return { attributes: live.properties };
  return { properties: live.properties, ...(live.tags && { tags: live.tags }) };
}

function changeIn(
  { live: { id, providerResourceId }, declared }: Pair,
  live: LiveAttributes | LiveProperties,
  { accountId, options }: { accountId: string; options: DriftOptions },
): FoundChange[] {
  const { sourceId, type, address, moduleAddress, providerName, attributes } = declared;
  const named = { type, address, ...(providerName !== undefined && { providerName }) };
  const { drift } = driftOf({ ...named, declared: attributes, live }, options);
  if (!drift) return [];
  const { attribute_changes, risk_flags, noise } = drift;
  return [
    foundChange({ accountId, kind: "changed", sourceId, what: drift.fingerprint }, drift, {
      actions: ["update"],
      address,
      ...(moduleAddress !== undefined && { module_address: moduleAddress }),
      resource_type: type,
      provider_name: providerName ?? "",
      provider_resource_id: providerResourceId,
      live_resource_id: id,
      iac_resource_id: declared.id,
      attribute_changes,
      risk_flags,
      ...(noise && { noise }),
    }),
  ];
}
