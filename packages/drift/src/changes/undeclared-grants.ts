import { changeFlags } from "@leeway/analysis/risk/findings";
import { gcp } from "@leeway/clouds/gcp/gcp";
import { inTerraform, nameOf } from "@leeway/clouds/gcp/iam";
import { planOfDrift } from "../compare-resource.ts";
import type { DriftOptions } from "../drift-of.ts";
import { grantsBeside, type UndeclaredGrant } from "../google-grants.ts";
import { partOf } from "../parts.ts";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { storableJson } from "@leeway/shared/values/storable";

import { foundChange, type FoundChange } from "./found-change.ts";
import type { Pair } from "./pair.ts";

/** Options for judging an account's grants. */
export interface GrantOptions extends DriftOptions {
  accountId: string;
  /** Disabled exclusion rules. */
  disabledRules: readonly string[];
}

/**
 * Returns undeclared grants on declared resources, and on resources with declared grants. Unlike other undeclared
 * resources they change a declared resource, so they are judged as if a plan created them.
 */
export function undeclaredGrants(
  { live, parts }: Pick<Pair, "live" | "parts">,
  options: GrantOptions,
): FoundChange[] {
  const changes = grantsOn({ live, parts }, options).map((one) => changeOf(one, live, options));
  // A policy may grant the same thing twice.
  return [...new Map(changes.map((change) => [change.fingerprint, change])).values()];
}

/**
 * Returns the grants in a resource's policy that its parts don't declare, with their attributes in a plan that
 * creates them.
 */
export function grantsOn(
  { live, parts }: { live: LiveSide; parts: Pair["parts"] },
  options: GrantOptions,
): (UndeclaredGrant & { attributes: JsonObject })[] {
  return grantsBeside(live.properties, parts.map(partOf), gcp.catalog.byType(live.providerType))
    .map(({ type, grant }) => ({ type, grant: storableJson({ ...grant }) }))
    .filter((one) => !isExcluded(one, live, options))
    .map((one) => ({ ...one, attributes: inTerraform(one.grant) }));
}

/** The fields of a live resource that its grants depend on. */
type LiveSide = Pick<Pair["live"], "providerType" | "providerResourceId" | "properties">;

function isExcluded(
  { type, grant }: UndeclaredGrant,
  live: LiveSide,
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
  { type, grant, attributes: after }: ReturnType<typeof grantsOn>[number],
  live: Pair["live"],
  { accountId, profile }: GrantOptions,
): FoundChange {
  const id = idOf(live, grant);
  const change = { actions: ["create"], before: null, after };
  const [created] = planOfDrift({ address: id, type, provider_name: "", mode: "managed", change }).drift;
  if (!created || !isObject(created.after)) throw new Error("the created grant isn't in its own plan");
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

/** Returns an id for a grant, which has none in Google Cloud: the resource's id and the grant's name. */
function idOf(
  { providerResourceId }: Pick<LiveSide, "providerResourceId">,
  grant: UndeclaredGrant["grant"],
): string {
  return `${providerResourceId}/${nameOf(grant)}`;
}
