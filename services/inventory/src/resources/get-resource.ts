import type { Input } from "@leeway/shared/contract";
import { isUuid } from "@leeway/shared/contract";
import type { GetResource } from "@leeway/shared/contracts/inventory/resources";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { JsonObject } from "@leeway/shared/json";

import { explainKeys } from "./explain.ts";
import { claimants, findResources, keyFindings, livesWithKey, type ResourceDetail } from "./store.ts";

/**
 * One live resource by our id or the provider's, with its properties and why it matches or doesn't.
 * @returns its JSON
 * @throws {AppError} `not_found`, `ambiguous_resource`
 */
export async function getResource(
  sql: OrgStatements,
  { resource_id }: Input<typeof GetResource>,
): Promise<string> {
  const [resource, another] = await findResources(
    sql,
    isUuid(resource_id) ? { own: resource_id } : { provider: resource_id },
  );
  if (!resource) throw new AppError("not_found", "no such resource");
  if (another) {
    throw new AppError(
      "ambiguous_resource",
      "several resources have this id: use Leeway's own id of the one meant",
    );
  }
  const [findings, claimedBy] = await Promise.all([keyFindings(sql, resource), claimants(sql, resource)]);
  const tried = await explainKeys(resource, findings, (key) =>
    livesWithKey(sql, resource.cloud_account_id, key),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store writes an object with a match
  const row = JSON.parse(resource.json) as { match: JsonObject };
  const key = tried.find(({ outcome }) => outcome === "matched")?.key;
  const match = { ...row.match, ...(key !== undefined && { key }), tried, claimed_by: claimedBy };
  return splice({ ...row, match, ...extras(resource) }, resource);
}

function extras({ enrichment_failure_reason }: ResourceDetail): JsonObject {
  return enrichment_failure_reason === null ? {} : { enrichment_failure_reason };
}

/** Adds the members that are JSON text already. */
function splice(row: object, { tags, properties, redactions }: ResourceDetail): string {
  const texts = Object.entries({ tags, properties, redactions })
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(row).slice(0, -1)}${texts.join("")}}`;
}
