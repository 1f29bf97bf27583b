import { isObject, member, text, type Json } from "@leeway/shared/json";

import type { ResourceChange } from "../plan/model.ts";
import { AWS } from "./tables/aws.ts";
import { CLOUD_CONTROL, SERVICES } from "./tables/cloud-control.ts";
import { OTHER } from "./tables/other.ts";
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
  return declaredTwin(change)?.name ?? (change.type || "resource");
}

function twinOf(change: Typed): string | undefined {
  const { type } = change;
  const mirrored = /^(?:awscc_|aws-native:)(.+)$/.exec(type)?.[1];
  if (mirrored !== undefined) return cloudControlTwin(mirrored.replaceAll(":", "_").toLowerCase());
  const [, module, name] = /^azure-native[\w-]*:(\w+):(\w+)$/.exec(type) ?? [];
  if (module === undefined || name === undefined) return declaredTwin(change)?.twin;
  return byNativeName.get(nativeName(module, name));
}

/** A type that stands in a resource's own attributes, and the one that the tables know it by. */
interface DeclaredType {
  name: string;
  twin: string;
}

function declaredTwin(change: Typed): DeclaredType | undefined {
  return resourceManagerType(change) ?? kubernetesKind(change);
}

/**
 * What `type` of an `azapi_resource` says: `Microsoft.Storage/storageAccounts@2023-01-01`. The provider's other types have
 * it too, but are no resource of their own: one that goes leaves what it changed.
 */
function resourceManagerType({ type, before, after }: Typed): DeclaredType | undefined {
  if (type !== "azapi_resource") return undefined;
  const [name = ""] = (declaredType(before) ?? declaredType(after) ?? "").split("@", 1);
  return byResourceManager.get(name.toLowerCase());
}

function declaredType(side: Json): string | undefined {
  return isObject(side) ? text(side, "type") : undefined;
}

/** What a manifest of Kubernetes' own API declares, and nobody's extension of it. */
function kubernetesKind({ type, before, after }: Typed): DeclaredType | undefined {
  if (type !== "kubernetes_manifest" && type !== "kubectl_manifest") return undefined;
  const side = isObject(before) ? before : after;
  if (!isObject(side)) return undefined;
  const manifest = member(side, "manifest") ?? side;
  const version = text(manifest, "apiVersion") ?? text(manifest, "api_version") ?? "";
  if (!/^(?:(?:apps|autoscaling|batch|policy|[a-z.]+\.k8s\.io)\/)?v\d/.test(version)) return undefined;
  return byKind.get(text(manifest, "kind") ?? "");
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
  ...typesOf(AWS, "aws_").map((type): [string, string] => [squash(type.slice("aws_".length)), type]),
  ...CLOUD_CONTROL,
]);

/** `PersistentVolumeClaim` is `kubernetes_persistent_volume_claim`. */
const byKind = new Map(
  typesOf(OTHER, "kubernetes_").map((twin) => {
    const name = twin
      .slice("kubernetes".length)
      .replaceAll(/_([a-z])/g, (_, first: string) => first.toUpperCase());
    return [name, { name, twin }];
  }),
);

/** Every type of a provider that a table names in full. */
function typesOf(table: CloudTable, prefix: string): string[] {
  const named = Object.values(table)
    .flat()
    .filter((entry) => typeof entry === "string");
  return named.filter((type) => type.startsWith(prefix) && !type.includes("*"));
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
