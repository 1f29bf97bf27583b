import { patchOfNewFiles } from "@leeway/analysis/settle/new-files";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Settlement, SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";
import { CreateAdoption } from "@leeway/shared/contracts/inventory/adoptions";
import { FindCodeSources } from "@leeway/shared/contracts/inventory/sources";

import { withoutRepository } from "./refusals.ts";
import type { CodeSource, DeclaredChange } from "./source.ts";

export const NO_RESOURCE = "the change names no live resource, so there is nothing to adopt";

/** Turns an undeclared resource into code, or returns why it can't be. @throws {AppError} `unavailable` */
export async function adopt(
  bus: BusConnection,
  orgId: string,
  { change }: DeclaredChange,
): Promise<Omit<Settlement, "how"> | SettlementRefusal> {
  const { live_resource_id: id } = change;
  if (id === undefined) return { code: "not_applicable", message: NO_RESOURCE };
  const { files, resources } = await call(bus, CreateAdoption, { org_id: orgId, resource_ids: [id] });
  const [resource] = resources;
  if (resource?.address === undefined)
    return { code: "not_applicable", message: resource?.reason ?? NO_RESOURCE };
  const partial = resource.status === "partial" ? `; ${resource.reason ?? "some arguments are missing"}` : "";
  return {
    patch: patchOfNewFiles(files),
    files,
    explanation: `Imports the resource as \`${resource.address}\`${partial}.`,
  };
}

/** Returns the source whose code an adopted resource joins: the one with the id, or the only one with a repository. */
export async function sourceToJoin(
  bus: BusConnection,
  orgId: string,
  sourceId: string | undefined,
): Promise<CodeSource | SettlementRefusal> {
  const named = sourceId === undefined ? {} : { source_id: sourceId };
  const [source, another] = (await call(bus, FindCodeSources, { org_id: orgId, ...named })).sources;
  if (!source) return withoutRepository();
  if (another)
    return { code: "no_source", message: "several IaC sources have a repository; name one with source_id" };
  return source;
}
