import { isBehind } from "@leeway/shared/bus/backlog";
import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { createOutbox } from "@leeway/shared/service/outbox";
import type { Platform } from "@leeway/shared/service/service";

import { announceScans } from "../announce-scans.ts";
import { DRIFT } from "../bus-parts.ts";
import { computeDrift } from "./compute-drift.ts";
import { narrateNew } from "./narrate.ts";
import { failSnapshots } from "./store/snapshots.ts";
import { getScan } from "../scans/store/scans.ts";
import { awaitedDrift, failScan, finishScan, stalledScans } from "../scans/store/work.ts";

const CONCURRENT_JOBS = 4;
const SWEEP_EVERY_MS = 5_000;
const STALLED_AFTER_SECONDS = 30;
const BEAT_MS = 5_000;

/** A scan in the drift phase. */
interface DriftJob {
  org_id: string;
  scan_id: string;
}

/**
 * Computes drift on request, and requests it again for stalled scans. The database knows every scan, even if the bus
 * has lost the request.
 */
export function startDriftWorker(platform: Platform): StopConsuming {
  const { database, bus, log } = platform;
  const stop = consume(bus, {
    ...DRIFT,
    concurrency: CONCURRENT_JOBS,
    handle: (job) => workOff(platform, job),
    onDead: (job, reason) => giveUp(platform, job, reason),
    log,
  });
  const sweeping = createOutbox<{ scan_id: string }>(platform, {
    name: "stalled scans",
    everyMs: SWEEP_EVERY_MS,
    // While the bus has jobs, they may be the same ones.
    claim: async () =>
      (await isBehind(bus, DRIFT.event, DRIFT.durable))
        ? []
        : stalledScans(database.system, STALLED_AFTER_SECONDS),
    async send(org_id, scans) {
      for (const { scan_id } of scans) await requestAgain(platform, { org_id, scan_id });
    },
  }).start();
  return async () => {
    await Promise.all([stop(), sweeping.stop()]);
  };
}

/** Handles a drift job. A failed computation is recorded in the snapshot and doesn't change the scan. */
async function workOff(platform: Platform, { org_id, scan_id }: DriftJob): Promise<void> {
  const sql = platform.database.org(org_id);
  const accountId = await awaitedDrift(sql, scan_id);
  if (accountId === undefined) return;
  // Keeps a long computation from counting as stalled. It would be published again and wait here in the place of
  // other jobs.
  const beating = setInterval(() => void awaitedDrift(sql, scan_id).catch(() => undefined), BEAT_MS);
  await computeDrift(platform, org_id, accountId).finally(() => clearInterval(beating));
  await finishScan(sql, scan_id);
  announceScans(platform.bus, org_id);
  await narrateNew(platform, org_id, accountId);
}

/** Requests the drift of a stalled scan again. A push that was interrupted before has failed. */
async function requestAgain(platform: Platform, job: DriftJob): Promise<void> {
  const scan = await getScan(platform.database.org(job.org_id), job.scan_id);
  if (scan?.phase === "drift")
    await publish(platform.bus, DriftRequested, job, `${job.scan_id}:${Date.now()}`);
  else await giveUp(platform, job, "the push was interrupted; push the listing again");
}

/** Ends a scan that can't be processed. If its listing is stored, it only lacks its drift; otherwise it has failed. */
export async function giveUp(
  { database }: Pick<Platform, "database">,
  { org_id, scan_id }: DriftJob,
  reason: string,
): Promise<void> {
  const sql = database.org(org_id);
  const scan = await getScan(sql, scan_id);
  if (scan?.drift_snapshot_id === undefined) {
    const message = `the scan failed: ${reason}`;
    await failScan(sql, { scanId: scan_id }, { errors: [{ code: "internal", message, count: 1 }] });
    return;
  }
  const message = `couldn't compute drift: ${reason}`;
  await failSnapshots(sql, [scan.drift_snapshot_id], { code: "internal", message });
  await finishScan(sql, scan_id);
}
