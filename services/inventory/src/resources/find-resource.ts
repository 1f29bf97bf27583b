import { isUuid } from "@leeway/shared/contract";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import { findResources, type ResourceDetail } from "./store.ts";

/**
 * The live resource that `id`, ours or the provider's, means.
 * @throws {AppError} `not_found`, `ambiguous_resource`
 */
export async function findResource(sql: OrgStatements, id: string): Promise<ResourceDetail> {
  const own = isUuid(id) ? await findResources(sql, { own: id }) : [];
  // Providers have ids that are UUIDs, too.
  const [resource, another] = own.length > 0 ? own : await findResources(sql, { provider: id });
  if (!resource) throw new AppError("not_found", "no such resource");
  if (another) {
    throw new AppError(
      "ambiguous_resource",
      "several resources have this id: use Leeway's own id of the one meant",
    );
  }
  return resource;
}

/** The JSON of `row` with members that are JSON texts already; those that are null are left out. */
export function withTexts(row: object, texts: Readonly<Record<string, string | null>>): string {
  const members = Object.entries(texts)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(row).slice(0, -1)}${members.join("")}}`;
}
