import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { PurgeAnalyzer } from "@leeway/shared/contracts/analyzer/jobs";
import { PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import { PurgeQuota } from "@leeway/shared/contracts/quota/plans";
import { PurgeWebhooks } from "@leeway/shared/contracts/webhooks/configs";
import type { Database } from "@leeway/shared/database/database";

import { deletedOrganizations, forgetOrganization } from "./store.ts";

/** Contracts of the services that store an organization's data. */
const OWNERS = [PurgeInventory, PurgeWebhooks, PurgeAnalyzer, PurgeQuota];

/**
 * Deletes the data of deleted organizations in all services, and then here. It runs again an hour later for requests
 * that were in flight. Repeating it does no harm, and the organization's row remains until all services succeeded.
 * @throws {AppError} the first failure, after trying all organizations
 */
export async function forgetDeleted(database: Database, bus: BusConnection): Promise<void> {
  const failures: unknown[] = [];
  for (const orgId of await deletedOrganizations(database.system)) {
    // All services are called at once: if one is down, webhooks, tokens and channels in the others must still stop
    // working.
    const asked = await Promise.allSettled(OWNERS.map((contract) => call(bus, contract, { org_id: orgId })));
    const refused = asked.flatMap((answer): unknown[] =>
      answer.status === "rejected" ? [answer.reason] : [],
    );
    failures.push(...refused);
    if (refused.length > 0) continue;
    await forgetOrganization(database.system, orgId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
