import type { Database, Transaction } from "@leeway/shared/database/database";

import { lockDriftOfAll } from "../drift/store/settle.ts";
import { lockMatching } from "../matching/store/matches.ts";
import { lockSources } from "../sources/store/state.ts";

/** Tables of organizations, in the order in which they are emptied. */
const TABLES = [
  "matches",
  "ambiguities",
  "live_resources",
  "listing_digests",
  "compared_resources",
  "drift_changes",
  "drift_fingerprints",
  "decision_history",
  "decided_changes",
  "drift_decisions",
  "due_rules",
  "rules",
  "views",
  "declared_attributes",
  "iac_resources",
  "plan_changes",
  "source_counts",
  "counted_orgs",
  "iac_sources",
  "disabled_exclusions",
  "cloud_accounts",
  "notices",
  "audit_outbox",
];

/** Deletes everything of an organization, after taking the locks that its writers need. */
export async function purge(database: Database, orgId: string): Promise<void> {
  await database.transaction(orgId, emptyTables, { lane: "bulk" });
}

async function emptyTables(tx: Transaction): Promise<void> {
  await lockSources(tx);
  await lockMatching(tx);
  await lockDriftOfAll(tx);
  for (const table of TABLES)
    await tx`delete from ${tx.part(`inventory.${table}`)} where org_id = ${tx.orgId}`;
}
