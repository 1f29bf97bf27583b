import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { offer, publish } from "@leeway/shared/bus/publish";
import { createShares } from "@leeway/shared/concurrency/shares";
import { DriftRequested, ScanRequested } from "@leeway/shared/contracts/inventory/scans";
import { createOutbox } from "@leeway/shared/service/outbox";
import { repeat } from "@leeway/shared/platform/repeat";

import { SCANS } from "../../bus-parts.ts";
import { computeWithoutScan } from "../../drift/compute-drift.ts";
import { runScan, type PullDependencies } from "./run-scan.ts";
import { forgetShards, unattendedScans } from "./store/claims.ts";

const SCANS_AT_ONCE = 4;
/** Largest number of these scans for one organization. */
const SHARE = 3;
const SWEEP_MS = 2_500;
/** Well above the interval of heartbeats. */
const UNATTENDED_SECONDS = 10;
/** Longer than the longest scan of an account. A scan that exceeds it keeps its listed shards. */
const TIME_LIMIT_MS = 6 * 3_600_000;

/**
 * Scans clouds on request, and offers scans without a worker again. The database knows every scan, even if the bus
 * has lost the request. When the worker stops, running scans go to another process.
 */
export function startPullWorker(deps: PullDependencies): StopConsuming {
  const { database, bus, log } = deps;
  const stopping = new AbortController();
  const shares = createShares({
    share: SHARE,
    offerAgain: ({ orgId, id }) => offer(deps, ScanRequested, { org_id: orgId, scan_id: id }),
  });
  let busy = 0;
  const working = async (job: { org_id: string; scan_id: string }): Promise<void> => {
    busy += 1;
    await read(deps, job, stopping.signal).finally(() => {
      busy -= 1;
    });
  };
  const stop = consume(bus, {
    ...SCANS,
    concurrency: SCANS_AT_ONCE,
    timeLimitMs: TIME_LIMIT_MS,
    handle: (job) => shares.within({ orgId: job.org_id, id: job.scan_id }, () => working(job)),
    log,
  });
  const outbox = createOutbox<{ scan_id: string }>(deps, {
    name: "scans",
    everyMs: SWEEP_MS,
    // A busy process offers none, because they would pile up on the bus.
    claim: async () => (busy < SCANS_AT_ONCE ? unattendedScans(database.system, UNATTENDED_SECONDS) : []),
    async send(org_id, scans) {
      for (const { scan_id } of scans)
        await publish(bus, ScanRequested, { org_id, scan_id }, crypto.randomUUID());
    },
  });
  const loops = [
    outbox.start(),
    repeat({ name: "scan pages", everyMs: SWEEP_MS, log, work: () => forgetShards(database.system) }),
  ];
  return async () => {
    stopping.abort();
    await Promise.all([stop(), ...loops.map((loop) => loop.stop())]);
    await shares.returnWaiting();
  };
}

async function read(
  deps: PullDependencies,
  { org_id, scan_id }: { org_id: string; scan_id: string },
  stopping: AbortSignal,
): Promise<void> {
  const scan = await runScan(deps, { orgId: org_id, scanId: scan_id }, stopping);
  if (stopping.aborted) await offer(deps, ScanRequested, { org_id, scan_id });
  if (scan?.phase !== "drift") return computeWithoutScan(deps, org_id);
  await offer(deps, DriftRequested, { org_id, scan_id }, scan_id);
  await computeWithoutScan(deps, org_id);
}
