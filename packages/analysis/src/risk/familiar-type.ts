import { isObject, text, type Json } from "@leeway/shared/json";

import type { ResourceChange } from "../plan/model.ts";
import { AWS } from "./tables/aws.ts";
import { CLOUD_CONTROL, SERVICES } from "./tables/cloud-control.ts";
import { RESOURCE_MANAGER } from "./tables/resource-manager.ts";
import type { CloudTable } from "./tables/table.ts";

type Typed = Pick<ResourceChange, "type" | "before" | "after">;

/**
 * The type under which the tables know a resource: where a provider mirrors a cloud's API, that of the provider which most
 * have.
 */
export function familiarType(change: Typed): string {
  return twinOf(change) ?? (change.type || "resource");
}

/** What people call a resource's type: one that is declared by the API's own type goes by that. */
export function shownType(change: Typed): string {
  return resourceManagerType(change)?.name ?? (change.type || "resource");
}

function twinOf(change: Typed): string | undefined {
  const { type } = change;
  const mirrored = /^(?:awscc_|aws-native:)(.+)$/.exec(type)?.[1];
  if (mirrored !== undefined) return cloudControlTwin(mirrored.replaceAll(":", "_").toLowerCase());
  const [, module, name] = /^azure-native[\w-]*:(\w+):(\w+)$/.exec(type) ?? [];
  if (module === undefined || name === undefined) return resourceManagerType(change)?.twin;
  return byNativeName.get(nativeName(module, name));
}

/**
 * What `type` of an `azapi_resource` says: `Microsoft.Storage/storageAccounts@2023-01-01`. The provider's other types have
 * it too, but are no resource of their own: one that goes leaves what it changed.
 */
function resourceManagerType({ type, before, after }: Typed): { name: string; twin: string } | undefined {
  if (type !== "azapi_resource") return undefined;
  const [name = ""] = (declaredType(before) ?? declaredType(after) ?? "").split("@", 1);
  return byResourceManager.get(name.toLowerCase());
}

function declaredType(side: Json): string | undefined {
  return isObject(side) ? text(side, "type") : undefined;
}

/** Also of one that no table names in full: a pattern may mean it. @param name `rds_db_instance`, or `rds_dbinstance` */
function cloudControlTwin(name: string): string {
  const [service = "", ...rest] = name.split("_");
  const named = [services.get(service) ?? service, ...rest].join("_");
  return byCloudControl.get(squash(named)) ?? `aws_${named}`;
}

function squash(name: string): string {
  return name.replaceAll("_", "");
}

const services: ReadonlyMap<string, string> = new Map(SERVICES);

const byCloudControl: ReadonlyMap<string, string> = new Map([
  ...typesOf(AWS).map((type): [string, string] => [squash(type.slice("aws_".length)), type]),
  ...CLOUD_CONTROL,
]);

/** Every type that a table names in full. */
function typesOf(table: CloudTable): string[] {
  const named = Object.values(table)
    .flat()
    .filter((entry) => typeof entry === "string");
  return named.filter((type) => type.startsWith("aws_") && !type.includes("*"));
}

const byResourceManager = new Map(
  RESOURCE_MANAGER.map(([name, twin]) => [name.toLowerCase(), { name, twin }]),
);

/** Pulumi leaves out what a type is in: `azure-native:sql:Database` is `Microsoft.Sql/servers/databases`. */
const byNativeName: ReadonlyMap<string, string> = new Map(
  RESOURCE_MANAGER.map(([type, twin]): [string, string] => {
    const [space = "", ...names] = type.split("/");
    return [nativeName(space.replace(/^Microsoft\./, ""), names.at(-1) ?? ""), twin];
  }).toReversed(),
);

/** In the singular, which both of them have only at times. */
function nativeName(module: string, name: string): string {
  return `${module}:${name.replace(/ies$/, "y").replace(/s$/, "")}`.toLowerCase();
}
