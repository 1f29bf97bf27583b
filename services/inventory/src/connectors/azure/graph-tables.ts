import type { Shard } from "../connector.ts";

/** The shard of what has no region, when only some regions are wished. */
const GLOBAL = "global";

/** Resource Graph's tables of what can be declared, with what of them is no report or another scope's. */
const TABLES: Readonly<Record<string, { filter?: (subscription: string) => string; regional: boolean }>> = {
  resources: { regional: true },
  resourcecontainers: { regional: true },
  dnsresources: { regional: false },
  authorizationresources: { regional: false, filter: ownRows },
  policyresources: { regional: false, filter: ownRows },
};

/** Assignments of management groups are listed too, and so are Azure's own definitions and all findings. */
function ownRows(subscription: string): string {
  return (
    ` | where type startswith 'microsoft.authorization/' and id startswith '/subscriptions/${subscription}/'` +
    " and tostring(properties.type) !~ 'BuiltInRole' and tostring(properties.policyType) !in~ ('BuiltIn', 'Static')"
  );
}

/** A table each; where only some regions are wished, regional tables once for each and once for what has none. */
export function graphShards(regions: readonly string[]): Shard[] {
  return Object.entries(TABLES).flatMap(([service, { regional }]) =>
    regions.length === 0 || !regional
      ? [{ service }]
      : [...new Set([GLOBAL, ...regions])].map((region) => ({ service, region })),
  );
}

/** The query (KQL) that lists a shard; undefined for no shard of ours. Sorted by id, since only so pages hold still. */
export function queryOf({ service, region }: Shard, subscription: string): string | undefined {
  const table = TABLES[service];
  if (table === undefined) return undefined;
  return `${service}${table.filter?.(subscription) ?? ""}${within(region)} | order by id asc`;
}

/** Resource Graph writes `westeurope`, people `West Europe` too. */
function within(region: string | undefined): string {
  if (region === undefined) return "";
  if (region === GLOBAL) return " | where isempty(location) or location =~ 'global'";
  return ` | where location =~ '${region.replaceAll(/[^A-Za-z\d]/g, "").toLowerCase()}'`;
}
