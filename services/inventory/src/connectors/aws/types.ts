import { GLOBAL_SERVICES, isGlobal, serviceOf } from "../../clouds/aws/global-types.ts";
import { catalog } from "../../clouds/aws/types.ts";
import type { CatalogEntry } from "../../clouds/catalog.ts";
import type { Shard } from "../connector.ts";

const byShard = Map.groupBy(
  catalog.entries.filter(({ type, listed }) => listed && !type.includes(".")),
  ({ type }) => shardKey(serviceOf(type), isGlobal(type)),
);

/** The services that Cloud Control is asked for, everywhere at once or in each region. */
export const GLOBAL_SHARDS = servicesOf("global");
export const REGIONAL_SHARDS = servicesOf("regional");

/** The types of a service that are listed in a shard of it. */
export function typesOf({ service, region }: Shard): readonly CatalogEntry[] {
  return byShard.get(shardKey(service, region === undefined)) ?? [];
}

/** The region to ask for what is of a type and in no region. */
export function regionOfGlobal(type: string, home: string): string {
  return regionOfService(serviceOf(type), home);
}

/** The region to ask for a service that is nowhere. */
export function regionOfService(service: string, home: string): string {
  return home === "us-east-1" ? (GLOBAL_SERVICES[service] ?? home) : home;
}

function servicesOf(scope: "global" | "regional"): string[] {
  return [...byShard.keys()]
    .filter((key) => key.endsWith(` ${scope}`))
    .map((key) => key.split(" ", 1)[0] ?? "");
}

function shardKey(service: string, isGlobal: boolean): string {
  return `${service} ${isGlobal ? "global" : "regional"}`;
}
