import { catalog } from "../../clouds/aws/types.ts";
import type { CatalogEntry } from "../../clouds/catalog.ts";
import type { Shard } from "../connector.ts";

/** Services that are nowhere, and the region that answers for them in AWS's main partition. */
const GLOBAL_SERVICES: Readonly<Record<string, string | undefined>> = {
  billing: "us-east-1",
  bcmdataexports: "us-east-1",
  budgets: "us-east-1",
  ce: "us-east-1",
  cloudfront: "us-east-1",
  cur: "us-east-1",
  globalaccelerator: "us-west-2",
  iam: "us-east-1",
  invoicing: "us-east-1",
  networkmanager: "us-west-2",
  organizations: "us-east-1",
  route53: "us-east-1",
  route53recoverycontrol: "us-west-2",
  route53recoveryreadiness: "us-west-2",
  savingsplans: "us-east-1",
  shield: "us-east-1",
  waf: "us-east-1",
};

/** Buckets have a region, but any region lists those of all. */
const GLOBAL_TYPES: ReadonlySet<string> = new Set(["AWS::S3::Bucket"]);

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

/** The region to ask for a service that is nowhere. */
export function regionOfGlobal(service: string, home: string): string {
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

function serviceOf(type: string): string {
  return (type.split("::")[1] ?? type).toLowerCase();
}

function isGlobal(type: string): boolean {
  return GLOBAL_TYPES.has(type) || GLOBAL_SERVICES[serviceOf(type)] !== undefined;
}
