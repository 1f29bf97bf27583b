import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { ensureStreams } from "@leeway/shared/bus/streams";
import { DriftRequested, ScanRequested } from "@leeway/shared/contracts/inventory/scans";
import { repeat } from "@leeway/shared/repeat";
import { createShares } from "@leeway/shared/fairness/shares";
import type { Platform } from "@leeway/shared/service";

import { computeWithoutScan } from "../../drift/compute-drift.ts";
import { offerScan } from "./offer-scan.ts";
import { runScan, type PullDependencies } from "./run-scan.ts";
import { forgetShards, unattendedScans } from "./store/claims.ts";

const SCANS_AT_ONCE = 4;
/** Of them, what one organization may take. */
const SHARE = 3;
const SWEEP_MS = 2_500;
/** Signs of life come every second. */
const UNATTENDED_SECONDS = 10;
/** Longer than the longest account takes; its shards are kept then. */
const TIME_LIMIT_MS = 6 * 3_600_000;

/**
 * Reads clouds as it is asked to, and asks again for what nobody reads: the database knows every scan, whatever the
 * bus forgot. When it stops, scans that are under way go to another process.
 */
export async function startPullWorker(deps: PullDependencies, replicas: number): Promise<StopConsuming> {
  const { bus, log } = deps;
  await ensureStreams(bus, [ScanRequested, DriftRequested], replicas);
  const stopping = new AbortController();
  const shares = createShares({
    share: SHARE,
    offerAgain: ({ orgId, id }) => offerScan(deps, orgId, id),
  });
  let busy = 0;
  const working = async (job: { org_id: string; scan_id: string }): Promise<void> => {
    busy += 1;
    await read(deps, job, stopping.signal).finally(() => {
      busy -= 1;
    });
  };
  const stop = consume(bus, {
    event: ScanRequested,
    durable: "inventory-scans",
    concurrency: SCANS_AT_ONCE,
    timeLimitMs: TIME_LIMIT_MS,
    handle: (job) => shares.within({ orgId: job.org_id, id: job.scan_id }, () => working(job)),
    log,
  });
  const sweeping = repeat({
    name: "scans",
    everyMs: SWEEP_MS,
    log,
    work: () => sweep(deps, busy < SCANS_AT_ONCE),
  });
  return async () => {
    stopping.abort();
    await Promise.all([stop(), sweeping.stop()]);
    await shares.giveBack();
  };
}

async function read(
  deps: PullDependencies,
  { org_id, scan_id }: { org_id: string; scan_id: string },
  stopping: AbortSignal,
): Promise<void> {
  const scan = await runScan(deps, { orgId: org_id, scanId: scan_id }, stopping);
  if (stopping.aborted) await offerScan(deps, org_id, scan_id);
  if (scan?.phase !== "drift") return computeWithoutScan(deps, org_id);
  await publish(deps.bus, DriftRequested, { org_id, scan_id }, scan_id).catch((error: unknown) => {
    deps.log.warn({ error }, "the bus didn't take a drift job; the sweeper will hand it over again");
  });
  await computeWithoutScan(deps, org_id);
}

/** Who has no worker free offers nothing: what nobody can take would only pile up on the bus. */
async function sweep(deps: Platform, isFree: boolean): Promise<void> {
  const { system } = deps.database;
  const unattended = isFree ? await unattendedScans(system, UNATTENDED_SECONDS) : [];
  for (const { org_id, scan_id } of unattended) await offerScan(deps, org_id, scan_id);
  await forgetShards(system);
}
