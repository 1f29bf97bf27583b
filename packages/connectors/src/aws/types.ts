import { GLOBAL_SERVICES, isGlobal, serviceOf } from "@leeway/clouds/aws/global-types";
import { catalog } from "@leeway/clouds/aws/types";
import type { CatalogEntry } from "@leeway/clouds/catalog";
import type { Shard } from "../connector.ts";

const byShard = Map.groupBy(
  catalog.entries.filter(({ type, listed }) => listed && !type.includes(".")),
  ({ type }) => shardKey(serviceOf(type), isGlobal(type)),
);

/** Services to list with Cloud Control, globally or per region. */
export const GLOBAL_SHARDS = servicesOf("global");
export const REGIONAL_SHARDS = servicesOf("regional");

/** Returns the types of a service that a shard lists. */
export function typesOf({ service, region }: Shard): readonly CatalogEntry[] {
  return byShard.get(shardKey(service, region === undefined)) ?? [];
}

/** Returns the region to ask about a global resource of a type. */
export function regionOfGlobal(type: string, home: string): string {
  return regionOfService(serviceOf(type), home);
}

/** Returns the region to ask about a global service. */
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
