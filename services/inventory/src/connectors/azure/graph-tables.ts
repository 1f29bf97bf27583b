import { azureCatalog } from "../../clouds/azure/azure-catalog.ts";
import type { Shard } from "../connector.ts";

/** The shard of what has no region, when only some regions are wished. */
const GLOBAL = "global";

interface Table {
  regional: boolean;
  /** What of it is no report or another scope's, where it has more. */
  filter?: (subscription: string) => string;
  /** Types that it has, of those that the table of all others lacks. */
  types?: RegExp;
}

/** Resource Graph's tables of what can be declared. */
const TABLES: Readonly<Record<string, Table>> = {
  resources: { regional: true },
  resourcecontainers: { regional: true, types: /^Microsoft\.(?:Resources|Management)\// },
  dnsresources: { regional: false, types: /^Microsoft\.Network\/(?:dns|privateDns)Zones\// },
  authorizationresources: {
    regional: false,
    filter: ownRows,
    types: /^Microsoft\.Authorization\/role/,
  },
  policyresources: { regional: false, filter: ownRows, types: /^Microsoft\.Authorization\/policy/ },
};

/** The types of a table that has a few; undefined for any. */
export function typesOf({ service }: Shard): string[] | undefined {
  const types = TABLES[service]?.types;
  return (
    types &&
    azureCatalog.entries.filter(({ type, listed }) => !listed && types.test(type)).map(({ type }) => type)
  );
}

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

/** The region of a shard, as Azure writes it; undefined for a shard of all, or of what has none. */
export function regionOf({ region }: Shard): string | undefined {
  return region === GLOBAL || region === undefined
    ? undefined
    : region.replaceAll(/[^A-Za-z\d]/g, "").toLowerCase();
}

/** The query (KQL) that lists a shard; undefined for no shard of ours. Sorted by id, since only so pages hold still. */
export function queryOf(shard: Shard, subscription: string): string | undefined {
  const { service } = shard;
  const table = TABLES[service];
  if (table === undefined) return undefined;
  return `${service}${table.filter?.(subscription) ?? ""}${within(shard)} | order by id asc`;
}

function within(shard: Shard): string {
  if (shard.region === undefined) return "";
  const region = regionOf(shard);
  if (region === undefined) return " | where isempty(location) or location =~ 'global'";
  return ` | where location =~ '${region}'`;
}
