import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { PurgeAnalyzer } from "@leeway/shared/contracts/analyzer/jobs";
import { PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import { PurgeQuota } from "@leeway/shared/contracts/quota/plans";
import { PurgeWebhooks } from "@leeway/shared/contracts/webhooks/configs";
import type { Database } from "@leeway/shared/database/database";

import { deletedOrganizations, forgetOrganization } from "./store/organizations.ts";

/** Whoever keeps something of an organization. */
const OWNERS = [PurgeInventory, PurgeWebhooks, PurgeAnalyzer, PurgeQuota];

/**
 * Forgets every deleted organization everywhere, and at last here; an hour later again, for what was under way then.
 * What isn't done is found again by its row, and doing it twice does no harm.
 * @throws {AppError} for the first that somebody couldn't forget, after all others have been tried
 */
export async function forgetDeleted(database: Database, bus: BusConnection): Promise<void> {
  const failures: unknown[] = [];
  for (const orgId of await deletedOrganizations(database.system)) {
    // Nobody waits for another: while one is away, the others' webhooks, tokens and channels would go on working.
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
