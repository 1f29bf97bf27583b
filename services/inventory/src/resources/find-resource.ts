import { isUuid } from "@leeway/shared/contracts/contract";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { findResources, type ResourceDetail } from "./store.ts";

/**
 * Returns the live resource with the id `id`, ours or the provider's.
 * @throws {AppError} `not_found`, `ambiguous_resource`
 */
export async function findResource(sql: OrgStatements, id: string): Promise<ResourceDetail> {
  const own = isUuid(id) ? await findResources(sql, { own: id }) : [];
  // Some providers' ids are UUIDs, too.
  const [resource, another] = own.length > 0 ? own : await findResources(sql, { provider: id });
  if (!resource) throw new AppError("not_found", "the resource doesn't exist");
  if (another) {
    throw new AppError(
      "ambiguous_resource",
      "several accounts have a resource with this id; use Leeway's id",
    );
  }
  return resource;
}

/** Returns the JSON of `row` with added members, which are JSON texts already. Null members are left out. */
export function withTexts(row: object, texts: Readonly<Record<string, string | null>>): string {
  const members = Object.entries(texts)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(row).slice(0, -1)}${members.join("")}}`;
}
