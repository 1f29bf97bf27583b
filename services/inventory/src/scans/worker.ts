import { isBehind } from "@leeway/shared/bus/backlog";
import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { ensureStreams } from "@leeway/shared/bus/streams";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { repeat } from "@leeway/shared/repeat";
import type { Platform } from "@leeway/shared/service";

import { computeDrift } from "../drift/compute-drift.ts";
import { narrateNew } from "../drift/narrate.ts";
import { failSnapshots } from "../drift/store/snapshots.ts";
import { getScan } from "./store/scans.ts";
import { awaitedDrift, failScan, finishScan, stalledScans } from "./store/work.ts";

const CONCURRENT_JOBS = 4;
const SWEEP_EVERY_MS = 5_000;
const STALLED_AFTER_SECONDS = 30;
const BEAT_MS = 5_000;
const DURABLE = "inventory-drift";

/** A scan that is in the drift phase. */
interface DriftJob {
  org_id: string;
  scan_id: string;
}

/**
 * Computes drift as it is asked for, and asks again for what nobody works on: the database knows every
 * scan, whatever the bus forgot.
 */
export async function startScanWorker(platform: Platform, replicas: number): Promise<StopConsuming> {
  const { bus, log } = platform;
  await ensureStreams(bus, [DriftRequested], replicas);
  const stop = consume(bus, {
    event: DriftRequested,
    durable: DURABLE,
    concurrency: CONCURRENT_JOBS,
    handle: (job) => workOff(platform, job),
    onDead: (job, reason) => giveUp(platform, job, reason),
    log,
  });
  const sweeping = repeat({
    name: "stalled scans",
    everyMs: SWEEP_EVERY_MS,
    log,
    work: () => sweep(platform),
  });
  return async () => {
    await Promise.all([stop(), sweeping.stop()]);
  };
}

/** A drift computation that fails leaves the scan what it was, and says so in its snapshot. */
async function workOff(platform: Platform, { org_id, scan_id }: DriftJob): Promise<void> {
  const sql = platform.database.org(org_id);
  const accountId = await awaitedDrift(sql, scan_id);
  if (accountId === undefined) return;
  // What takes long isn't stalled: it would be published again, and wait here for itself in others' places.
  const beating = setInterval(() => void awaitedDrift(sql, scan_id).catch(() => undefined), BEAT_MS);
  await computeDrift(platform, org_id, accountId).finally(() => clearInterval(beating));
  await finishScan(sql, scan_id);
  await narrateNew(platform, org_id, accountId);
}

/** What has waited for long may be on the bus all the same: while something is, nothing is published again. */
async function sweep(platform: Platform): Promise<void> {
  if (await isBehind(platform.bus, DriftRequested, DURABLE)) return;
  for (const job of await stalledScans(platform.database.system, STALLED_AFTER_SECONDS)) {
    const scan = await getScan(platform.database.org(job.org_id), job.scan_id);
    if (scan?.phase === "drift")
      await publish(platform.bus, DriftRequested, job, `${job.scan_id}:${Date.now()}`);
    else await giveUp(platform, job, "it was cut off; push the listing again");
  }
}

/**
 * Ends a scan that nobody can work off. One whose listing is taken over has ended as it would have, and lacks its drift
 * alone; any other has failed.
 */
export async function giveUp(
  { database }: Pick<Platform, "database">,
  { org_id, scan_id }: DriftJob,
  reason: string,
): Promise<void> {
  const sql = database.org(org_id);
  const scan = await getScan(sql, scan_id);
  if (scan?.drift_snapshot_id === undefined) {
    const message = `the scan was given up: ${reason}`;
    await failScan(sql, { scanId: scan_id }, { errors: [{ code: "internal", message, count: 1 }] });
    return;
  }
  const message = `drift couldn't be computed: ${reason}`;
  await failSnapshots(sql, [scan.drift_snapshot_id], { code: "internal", message });
  await finishScan(sql, scan_id);
}
