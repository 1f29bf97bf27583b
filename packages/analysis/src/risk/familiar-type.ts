import { TYPE_FACTS } from "@leeway/clouds/type-facts.gen";
import { isObject, member, text, type Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { AWS } from "./tables/aws.ts";
import { SERVICES } from "./tables/cloud-control.ts";
import { OTHER } from "./tables/other.ts";
import { names, pairs, type CloudTable } from "./tables/table.ts";
import { CRD } from "./tables/uncatalogued.ts";

type Typed = Pick<ResourceChange, "type" | "before" | "after">;

/**
 * Returns the type name used in the tables. If a provider mirrors a cloud's API, it is the type of the more common
 * provider.
 */
export function familiarType(change: Typed): string {
  return twinOf(change) ?? (change.type || "resource");
}

/** Returns the type name shown to people: the API's own type, if the resource declares one. */
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

/** A type named in a resource's attributes, and its name in the tables. */
interface DeclaredType {
  name: string;
  twin: string;
}

function declaredTwin(change: Typed): DeclaredType | undefined {
  return resourceManagerType(change) ?? kubernetesKind(change);
}

/**
 * Returns the `type` of an `azapi_resource`: `Microsoft.Storage/storageAccounts@2023-01-01`. The provider's other
 * types have it too, but they aren't resources: deleting one leaves the changed resource in place.
 */
function resourceManagerType({ type, before, after }: Typed): DeclaredType | undefined {
  if (type !== "azapi_resource") return undefined;
  const [name = ""] = (declaredType(before) ?? declaredType(after) ?? "").split("@", 1);
  return byResourceManager.get(name.toLowerCase());
}

function declaredType(side: Json): string | undefined {
  return isObject(side) ? text(side, "type") : undefined;
}

/** Returns the kind in a manifest. */
function kubernetesKind({ type, before, after }: Typed): DeclaredType | undefined {
  if (type !== "kubernetes_manifest" && type !== "kubectl_manifest") return undefined;
  const side = isObject(before) ? before : after;
  if (!isObject(side)) return undefined;
  const manifest = member(side, "manifest") ?? side;
  const version = text(manifest, "apiVersion") ?? text(manifest, "api_version") ?? "";
  return kindOf(version, text(manifest, "kind") ?? "");
}

/** Kubernetes' own API groups; the core has no group. */
const BUILT_IN = /^(?:apps|autoscaling|batch|policy|[a-z.]+\.k8s\.io)?$/;

/**
 * Returns a kind of an API version, such as `apps/v1`. An extension's twin is made of its group and kind, because these say what it is: a
 * `Cluster` of `postgresql.cnpg.io` is a `postgresql_cluster`.
 */
function kindOf(version: string, kind: string): DeclaredType | undefined {
  const [whole, group = ""] = /^(?:([\w.-]{1,100})\/)?v\d\w{0,20}$/.exec(version) ?? [];
  if (whole === undefined) return undefined;
  const builtIn = BUILT_IN.test(group) ? byKind.get(kind) : undefined;
  if (builtIn !== undefined || !group.includes(".") || !/^\w{1,100}$/.test(kind)) return builtIn;
  const words = kind.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
  const [service = ""] = group.split(".", 1);
  return { name: kind, twin: `${service.replaceAll("-", "_")}_${words}` };
}

/**
 * Returns a twin even if no table has the full name, because a pattern may match it.
 * @param name `rds_db_instance`, or `rds_dbinstance`
 */
function cloudControlTwin(name: string): string {
  const [service = "", ...rest] = name.split("_");
  const named = [services.get(service) ?? service, ...rest].join("_");
  return byCloudControl.get(squash(name)) ?? byCloudControl.get(squash(named)) ?? `aws_${named}`;
}

function squash(name: string): string {
  return name.replaceAll("_", "");
}

const services: ReadonlyMap<string, string> = new Map(SERVICES);

const byCloudControl: ReadonlyMap<string, string> = new Map([
  ...typesOf(AWS, "aws_").map((type): [string, string] => [squash(type.slice("aws_".length)), type]),
  ...pairs(TYPE_FACTS.cloudControl).map(([type, twin]): [string, string] => [
    type.slice("AWS::".length).replaceAll(":", "").toLowerCase(),
    twin,
  ]),
]);

/** Types by kind: `PersistentVolumeClaim` is `kubernetes_persistent_volume_claim`. */
const byKind = new Map(
  [...typesOf(OTHER, "kubernetes_"), ...losingTypes("kubernetes_"), CRD].map((twin) => {
    const name = twin
      .slice("kubernetes".length)
      .replaceAll(/_([a-z])/g, (_, first: string) => first.toUpperCase());
    return [name, { name, twin }];
  }),
);

/** Returns every type of a provider that a table names in full. */
function typesOf(table: CloudTable, prefix: string): string[] {
  const named = Object.values(table)
    .flat()
    .filter((entry) => typeof entry === "string");
  return named.filter((type) => type.startsWith(prefix) && !type.includes("*"));
}

/** Returns every type of a provider whose deletion causes a loss. */
function losingTypes(prefix: string): string[] {
  return Object.values(TYPE_FACTS.losing).flatMap((types) =>
    names(types).filter((type) => type.startsWith(prefix)),
  );
}

const RESOURCE_MANAGER = pairs(TYPE_FACTS.resourceManager);
const byResourceManager = new Map(
  RESOURCE_MANAGER.map(([name, twin]) => [name.toLowerCase(), { name, twin }]),
);

/**
 * Types by Pulumi's name, which omits parents: `azure-native:sql:Database` is `Microsoft.Sql/servers/databases`. If
 * several fit, it is the one with the fewest parents.
 */
const byNativeName: ReadonlyMap<string, string> = new Map(
  RESOURCE_MANAGER.toSorted(([one], [other]) => one.split("/").length - other.split("/").length)
    .map(([type, twin]): [string, string] => {
      const [space = "", ...names] = type.split("/");
      return [nativeName(space.replace(/^Microsoft\./, ""), names.at(-1) ?? ""), twin];
    })
    .toReversed(),
);

/** Normalizes to the singular, which both use inconsistently. */
function nativeName(module: string, name: string): string {
  return `${module}:${name.replace(/ies$/, "y").replace(/s$/, "")}`.toLowerCase();
}
