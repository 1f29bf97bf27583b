import { azureCatalog } from "@leeway/clouds/azure/azure-catalog";
import type { Shard } from "../connector.ts";

/** Region name of the shard for global resources, when only some regions are requested. */
const GLOBAL = "global";

interface Table {
  regional: boolean;
  /** Condition that leaves out reports and rows of other scopes. */
  filter?: (subscription: string) => string;
  /** Types that this table adds to those of `resources`. */
  types?: RegExp;
}

/** Resource Graph tables that contain resources Terraform can declare. */
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

/** Returns the types of a table that has only a few; undefined if it may have any. */
export function typesOf({ service }: Shard): string[] | undefined {
  const types = TABLES[service]?.types;
  return (
    types &&
    azureCatalog.entries.filter(({ type, listed }) => !listed && types.test(type)).map(({ type }) => type)
  );
}

/** Filters out rows of management groups, Azure's built-in definitions, and policy findings. */
function ownRows(subscription: string): string {
  return (
    ` | where type startswith 'microsoft.authorization/' and id startswith '/subscriptions/${subscription}/'` +
    " and tostring(properties.type) !~ 'BuiltInRole' and tostring(properties.policyType) !in~ ('BuiltIn', 'Static')"
  );
}

/**
 * Returns one shard per table. If only some regions are requested, a
 * regional table gets one per region and a global one.
 */
export function graphShards(regions: readonly string[]): Shard[] {
  return Object.entries(TABLES).flatMap(([service, { regional }]) =>
    regions.length === 0 || !regional
      ? [{ service }]
      : [...new Set([GLOBAL, ...regions])].map((region) => ({ service, region })),
  );
}

/** Returns a shard's region in Azure's notation; undefined for all regions or for global resources. */
export function regionOf({ region }: Shard): string | undefined {
  return region === GLOBAL || region === undefined
    ? undefined
    : region.replaceAll(/[^A-Za-z\d]/g, "").toLowerCase();
}

/**
 * Returns the KQL query that lists a shard; undefined for an unknown table. Pages are stable only when sorted by id.
 */
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
