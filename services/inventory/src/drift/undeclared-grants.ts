import { changeFlags } from "@leeway/analysis/risk/findings";
import { isObject } from "@leeway/shared/json";
import { storableJson } from "@leeway/shared/storable";

import { gcp } from "../clouds/gcp/gcp.ts";
import { inTerraform, nameOf } from "../clouds/gcp/iam.ts";
import { planOfDrift } from "./compare/compare-resource.ts";
import type { DriftOptions } from "./compare/drift-of.ts";
import { grantsBeside, type UndeclaredGrant } from "./compare/google-grants.ts";
import { partOf } from "./compare/parts.ts";
import { foundChange } from "./found-change.ts";
import type { FoundChange } from "./store/found.ts";
import type { Pair } from "./store/pairs.ts";

/** How an account's grants are judged. */
export interface GrantOptions extends DriftOptions {
  accountId: string;
  /** Exclusion rules that are switched off. */
  disabledRules: readonly string[];
}

/**
 * Roles that somebody was given on what is declared, or on what others have declared roles on, and that nothing declares.
 * Unlike other undeclared resources they change what is declared, so that they are judged as if a plan created them.
 */
export function undeclaredGrants(
  { live, parts }: Pick<Pair, "live" | "parts">,
  options: GrantOptions,
): FoundChange[] {
  const entry = gcp.catalog.byType(live.providerType);
  const changes = grantsBeside(live.properties, parts.map(partOf), entry)
    .map(({ type, grant }) => ({ type, grant: storableJson({ ...grant }) }))
    .filter((one) => !isExcluded(one, live, options))
    .map((one) => changeOf(one, live, options));
  // A policy may grant the same thing twice.
  return [...new Map(changes.map((change) => [change.fingerprint, change])).values()];
}

function isExcluded(
  { type, grant }: UndeclaredGrant,
  live: Pair["live"],
  { disabledRules }: GrantOptions,
): boolean {
  const resource = {
    provider_resource_id: idOf(live, grant),
    provider_type: type,
    terraform_type: type,
    complete: true,
  };
  const rule = gcp.exclusions.find(({ applies }) => applies(resource));
  return rule !== undefined && !disabledRules.includes(rule.id);
}

function changeOf(
  { type, grant }: UndeclaredGrant,
  live: Pair["live"],
  { accountId, profile }: GrantOptions,
): FoundChange {
  const id = idOf(live, grant);
  const change = { actions: ["create"], before: null, after: inTerraform(grant) };
  const [created] = planOfDrift({ address: id, type, provider_name: "", mode: "managed", change }).drift;
  if (!created || !isObject(created.after)) throw new Error("a plan has no part of what is created");
  const flags = changeFlags(created, { profile, outside: true });
  return foundChange({ accountId, kind: "undeclared", sourceId: type, what: id }, flags, {
    actions: ["create"],
    resource_type: type,
    provider_name: gcp.provider,
    provider_resource_id: id,
    live_resource_id: live.id,
    attribute_changes: Object.entries(created.after).map(([name, value]) => ({
      path: [name],
      before: null,
      after: value,
      before_sensitive: false,
      after_sensitive: false,
      unknown: false,
    })),
    risk_flags: flags.risk_flags,
  });
}

/** Google gives them none: that of the resource, and behind it what is granted. */
function idOf({ providerResourceId }: Pair["live"], grant: UndeclaredGrant["grant"]): string {
  return `${providerResourceId}/${nameOf(grant)}`;
}
