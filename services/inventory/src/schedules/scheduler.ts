import { offer } from "@leeway/shared/bus/publish";
import { ScanRequested } from "@leeway/shared/contracts/inventory/scans";
import type { Transaction } from "@leeway/shared/database/database";
import { counter } from "@leeway/shared/platform/telemetry/metrics";
import type { Platform } from "@leeway/shared/service/service";

import { insertScan } from "../scans/store/scans.ts";
import { giveUp } from "./give-up.ts";
import { nextRun, runOf, type Timing } from "./next-run.ts";
import { dueSchedules, noteRun, replan, takeDue, type DueSchedule, type Outcome } from "./store/due.ts";
import { isOpen } from "./window.ts";

const MAX_AT_ONCE = 200;
/** Schedules held by one transaction; each takes a few milliseconds. */
const MAX_TOGETHER = 20;
/** As many as there are connections for transactions. */
const CONCURRENT = 4;
/** A run with up to this delay counts as punctual, even if its window has closed since. */
const ON_TIME_MS = 60_000;

const runs = counter("scan_schedule_runs_total", "Due runs of scan schedules, by outcome", ["outcome"]);

interface Ran {
  outcome: "scan" | "skipped" | "waiting" | "replanned" | "disabled";
  scanId?: string;
}

/**
 * Queues a scan for every due schedule, exactly once even with several processes. The scan and the next run's time
 * are written in one transaction that locks the schedule. Several missed runs result in one scan. Uses the database's
 * clock unless `now` is given.
 */
export async function runDueSchedules(platform: Platform, now?: Date): Promise<void> {
  for (;;) {
    const due = await dueSchedules(platform.database.system, now, MAX_AT_ONCE);
    const left = [...batches(due)];
    let done = 0;
    const work = async (): Promise<void> => {
      for (let batch = left.pop(); batch; batch = left.pop()) done += await runBatch(platform, batch, now);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
    if (due.length < MAX_AT_ONCE || done === 0) return;
  }
}

/** Schedules of one organization that are run in one transaction. */
interface Batch {
  orgId: string;
  ids: string[];
}

/** Groups schedules into batches in random order, so that concurrent processes mostly work on different ones. */
function batches(due: readonly { org_id: string; schedule_id: string }[]): Batch[] {
  const made: Batch[] = [];
  for (const [orgId, own] of Map.groupBy(due, ({ org_id }) => org_id)) {
    const ids = own.map(({ schedule_id: id }) => id);
    for (let from = 0; from < ids.length; from += MAX_TOGETHER) {
      made.push({ orgId, ids: ids.slice(from, from + MAX_TOGETHER) });
    }
  }
  return made.toSorted(() => Math.random() - 0.5);
}

/** @returns the number of schedules that were settled */
async function runBatch(platform: Platform, { orgId, ids }: Batch, now: Date | undefined): Promise<number> {
  const { database, log } = platform;
  try {
    const all = await database.transaction(orgId, async (tx) => {
      const all: Ran[] = [];
      for (const due of await takeDue(tx, ids, now)) all.push(await settleDue(tx, due));
      return all;
    });
    for (const { outcome, scanId } of all) {
      runs.inc({ outcome });
      if (scanId !== undefined) void offer(platform, ScanRequested, { org_id: orgId, scan_id: scanId });
    }
    return all.length;
  } catch (error) {
    log.warn({ error, org_id: orgId }, "couldn't run due schedules; retrying");
    return 0;
  }
}

async function settleDue(tx: Transaction, due: DueSchedule): Promise<Ran> {
  const { id, now, next_run_at: planned, astray } = due;
  const timing = timingOf(due);
  const next = nextOf(timing, now, astray ? undefined : planned);
  if (!next) {
    await giveUp(tx, due, "the cron has no further runs");
    return { outcome: "disabled" };
  }
  if (astray) {
    await replan(tx, id, { nextRunAt: next, forgetLast: true });
    return { outcome: "replanned" };
  }
  const isLate = now.getTime() - planned.getTime() > ON_TIME_MS;
  if (isLate && timing.window && !isOpen(timing.window, now)) {
    await replan(tx, id, { nextRunAt: runOf(timing, now), forgetLast: false });
    return { outcome: "waiting" };
  }
  const outcome = await begin(tx, due);
  // A run starts shortly after its planned time. Counting from the actual start would skip a tick one hour later.
  await noteRun(tx, due, outcome, { lastRunAt: isLate ? now : planned, nextRunAt: next });
  return "scanId" in outcome ? { outcome: "scan", ...outcome } : { outcome: "skipped" };
}

/**
 * Returns the next run. A time zone that the server no longer knows counts as a cron that never matches, so that it
 * doesn't block others.
 */
function nextOf(timing: Timing, now: Date, last: Date | undefined): Date | undefined {
  try {
    return nextRun(timing, now, last);
  } catch {
    return undefined;
  }
}

async function begin(tx: Transaction, { id, account_id: accountId }: DueSchedule): Promise<Outcome> {
  const scanId = await insertScan(tx, {
    accountId,
    kind: "full",
    trigger: "schedule",
    regions: [],
    requestedBy: { type: "system", id },
    scheduleId: id,
  });
  return scanId === undefined ? { skipped: "another scan of the account was in progress" } : { scanId };
}

function timingOf({ id, cron, timezone, run_window: window }: DueSchedule): Timing {
  return { id, cron, timezone, ...(window && { window }) };
}
