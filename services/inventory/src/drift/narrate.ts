import { call } from "@leeway/shared/bus/request";
import { NarrateSnapshot } from "@leeway/shared/contracts/analyzer/jobs";
import { GetSettings } from "@leeway/shared/contracts/analyzer/noise";
import { withContext } from "@leeway/shared/platform/context";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import { noteAsked, wordlessSnapshots } from "./store/snapshots.ts";

/**
 * Requests narratives for an account's snapshots that have new changes, if the organization wants them. The next call
 * repeats a failed request; a repeated request creates no second narrative.
 */
export async function narrateNew(platform: Platform, orgId: string, accountId: string): Promise<void> {
  const { database, bus, log } = platform;
  const sql = database.org(orgId);
  try {
    for (const snapshotId of await wordlessSnapshots(sql, accountId)) {
      await narrate(platform, orgId, snapshotId);
      await noteAsked(sql, snapshotId);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (bus.connected)
      log.warn({ error, account_id: accountId }, "couldn't request a drift narrative; retrying later");
  }
}

/** Runs `narrateNew` in the background. */
export function narrateInBackground(platform: Platform, orgId: string, accountId: string): void {
  const asked = withContext({ requestId: crypto.randomUUID() }, () => narrateNew(platform, orgId, accountId));
  asked.catch((error: unknown) => platform.log.error({ error }, "couldn't request a drift narrative"));
}

/** @throws {AppError} `unavailable`: try again later */
async function narrate({ bus, log }: Platform, orgId: string, snapshotId: string): Promise<void> {
  try {
    const { drift_narratives: isWanted } = await call(bus, GetSettings, { org_id: orgId });
    if (!isWanted) return;
    const requested_by = { type: "system" as const, id: "inventory" };
    await call(bus, NarrateSnapshot, { org_id: orgId, snapshot_id: snapshotId, requested_by });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    log.error({ error, snapshot_id: snapshotId }, "a snapshot gets no narrative");
  }
}
