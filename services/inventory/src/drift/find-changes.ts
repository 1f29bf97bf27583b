import { createHash } from "node:crypto";

import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";
import type { Transaction } from "@leeway/shared/database/database";

import { inTerraformWords } from "./compare/bridged.ts";
import { driftOf, type AttributeDrift, type DriftOptions } from "./compare/drift-of.ts";
import { addChanged, addMissing, addUndeclared, beginFinding, type FoundChange } from "./store/found.ts";
import { pairsOf, type Pair } from "./store/pairs.ts";

/** Puts all that differs between an account and its code into `drift_found`, a few resources at a time. */
export async function findChanges(tx: Transaction, accountId: string, options: DriftOptions): Promise<void> {
  await beginFinding(tx);
  for await (const pairs of pairsOf(tx, accountId)) {
    await addChanged(
      tx,
      pairs.flatMap((pair) => changeIn(pair, accountId, options)),
    );
  }
  await addMissing(tx, accountId);
  await addUndeclared(tx, accountId);
}

function changeIn(pair: Pair, accountId: string, options: DriftOptions): FoundChange[] {
  const { live, declared } = pair;
  const { address, providerName } = declared;
  const { type, attributes } = inTerraformWords(declared);
  // Whoever lists a resource by its Terraform type writes it down as Terraform does.
  const isInItsWords = live.providerType === type;
  const { drift } = driftOf(
    {
      type,
      address,
      ...(providerName !== undefined && { providerName }),
      declared: attributes,
      live: isInItsWords
        ? { attributes: live.properties }
        : { properties: live.properties, ...(live.tags && { tags: live.tags }) },
    },
    options,
  );
  if (!drift) return [];
  return [
    {
      fingerprint: fingerprintOf([accountId, "changed", declared.sourceId, drift.fingerprint]),
      riskLevel: drift.risk_level,
      hidden: drift.hidden,
      valuesHash: drift.values_hash,
      content: JSON.stringify(contentOf(pair, drift)),
    },
  ];
}

/** As the database function `drift_fingerprint`. */
function fingerprintOf(parts: readonly string[]): string {
  return `dc1_${createHash("sha256").update(parts.join("\u001F")).digest("hex").slice(0, 32)}`;
}

type Content = Omit<
  DriftChange,
  | "id"
  | "cloud_account_id"
  | "kind"
  | "risk_level"
  | "fingerprint"
  | "first_seen_at"
  | "seen_count"
  | "disposition"
>;

function contentOf(
  { live, declared }: Pair,
  { attribute_changes, risk_flags, noise }: AttributeDrift,
): Content {
  return {
    actions: ["update"],
    address: declared.address,
    ...(declared.moduleAddress !== undefined && { module_address: declared.moduleAddress }),
    resource_type: declared.type,
    provider_name: declared.providerName ?? "",
    provider_resource_id: live.providerResourceId,
    live_resource_id: live.id,
    iac_resource_id: declared.id,
    attribute_changes,
    risk_flags,
    ...(noise && { noise }),
  };
}
