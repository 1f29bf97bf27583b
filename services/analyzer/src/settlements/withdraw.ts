import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { WithdrawSettlement } from "@leeway/shared/contracts/analyzer/settlements";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import { audit } from "../audit.ts";
import { publish } from "./publish.ts";
import { sourceOf } from "./refresh.ts";
import type { SettleDependencies } from "./source.ts";
import { repositoryOfBranch, takeSettlement } from "./store.ts";

/**
 * Withdraws the settlement of a change, and updates or closes its request.
 * @throws {AppError} `not_found`, `repository_mismatch`, `unavailable`
 */
export async function withdrawSettlement(
  deps: SettleDependencies,
  { org_id: orgId, fingerprint, speaks_for: may }: Input<typeof WithdrawSettlement>,
): Promise<Output<typeof WithdrawSettlement>> {
  const taken = await deps.database.transaction(orgId, async (tx) => {
    const sourceId = await takeSettlement(tx, fingerprint);
    if (sourceId === undefined) throw new AppError("not_found", "the change has no settlement");
    const repository = await repositoryOfBranch(tx, sourceId);
    requireSpeaksFor(may, repository, "the change");
    await audit(tx, { action: "drift_change.settle", targetId: fingerprint, details: { how: "withdrawn" } });
    return { source_id: sourceId, repository };
  });
  const { repository } = taken;
  if (!repository) return {};
  const source = await sourceOf(deps, { org_id: orgId, source_id: taken.source_id, repository });
  return present({ change_request: await publish(deps, orgId, source) });
}
