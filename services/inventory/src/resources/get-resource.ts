import { comparisonOf } from "@leeway/drift/gaps/comparison";
import type { Input } from "@leeway/shared/contracts/contract";
import type { GetResource } from "@leeway/shared/contracts/inventory/resources";
import type { OrgStatements } from "@leeway/shared/database/database";
import { present, type JsonObject } from "@leeway/shared/values/json";
import { explainKeys } from "@leeway/clouds/matching/explain";

import { OWNER_LEVEL } from "../matching/store/owner-level.ts";
import { declaredType } from "../resource-types/store.ts";
import { findResource, withTexts } from "./find-resource.ts";
import { claimants, declaredOwner, keyFindings, livesWithKey } from "./findings.ts";

/**
 * Returns a live resource by our id or the provider's, with its properties, the explanation of its match,
 * and which of its attributes are compared.
 * @returns its JSON
 * @throws {AppError} `not_found`, `ambiguous_resource`
 */
export async function getResource(
  sql: OrgStatements,
  { resource_id }: Input<typeof GetResource>,
): Promise<string> {
  const resource = await findResource(sql, resource_id);
  const [findings, claimedBy, owner_id, type] = await Promise.all([
    keyFindings(sql, resource),
    claimants(sql, resource),
    resource.match_level === OWNER_LEVEL ? declaredOwner(sql, resource) : undefined,
    declaredType(sql, resource),
  ]);
  const tried = await explainKeys(resource, findings, (key) =>
    livesWithKey(sql, resource.cloud_account_id, key),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store writes an object with a match
  const row = JSON.parse(resource.json) as { match: JsonObject };
  const key = tried.find(({ outcome }) => outcome === "matched")?.key;
  const match = { ...row.match, ...present({ key, owner_id }), tried, claimed_by: claimedBy };
  const comparison = type === undefined ? undefined : comparisonOf(type);
  const { enrichment_failure_reason, tags, properties, redactions } = resource;
  return withTexts(
    { ...row, match, ...present({ enrichment_failure_reason, comparison }) },
    { tags, properties, redactions },
  );
}
