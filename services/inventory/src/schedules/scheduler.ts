import type { Database, Transaction } from "@leeway/shared/database/database";
import { counter } from "@leeway/shared/metrics";
import type { Platform } from "@leeway/shared/service";

import { queueScan } from "../scans/store/queued.ts";
import { nextRun, runOf, type Timing } from "./next-run.ts";
import {
  disableSchedule,
  dueSchedules,
  noteRun,
  replan,
  takeDue,
  type DueSchedule,
  type Outcome,
} from "./store/due.ts";
import { isOpen } from "./window.ts";

const MOST_AT_ONCE = 200;
/** As many as there are connections for transactions. */
const CONCURRENT = 4;
/** A run that comes so late is on time all the same, also when its window has closed meanwhile. */
const ON_TIME_MS = 60_000;

const runs = counter("scan_schedule_runs_total", "Runs of scan schedules that were due", ["outcome"]);

type Ran = "scan" | "skipped" | "waiting" | "replanned" | "disabled";

/**
 * Queues a scan for every schedule that is due, each exactly once however many processes do this: the scan
 * and the next run's time are written in one transaction that holds the schedule. Runs that were missed are
 * made up for by one. It goes by the database's clock unless `now` is given.
 */
export async function runDueSchedules({ database, log }: Platform, now?: Date): Promise<void> {
  for (;;) {
    const due = await dueSchedules(database.system, now, MOST_AT_ONCE);
    const left = shuffled(due);
    let done = 0;
    await Promise.all(
      Array.from({ length: CONCURRENT }, async () => {
        for (let one = left.pop(); one; one = left.pop()) {
          const { org_id: orgId, schedule_id: scheduleId } = one;
          try {
            const outcome = await runSchedule(database, orgId, { scheduleId, now });
            if (outcome) runs.inc({ outcome });
            done += 1;
          } catch (error) {
            log.warn({ error, org_id: orgId, schedule_id: scheduleId }, "a schedule will be run again");
          }
        }
      }),
    );
    if (due.length < MOST_AT_ONCE || done === 0) return;
  }
}

/** Another process that is at the same ones mostly meets those that this one hasn't come to. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function runSchedule(
  database: Database,
  orgId: string,
  { scheduleId, now }: { scheduleId: string; now: Date | undefined },
): Promise<Ran | undefined> {
  return database.transaction(orgId, async (tx) => {
    const due = await takeDue(tx, scheduleId, now);
    return due && settleDue(tx, due);
  });
}

async function settleDue(tx: Transaction, due: DueSchedule): Promise<Ran> {
  const { id, now, next_run_at: planned, astray } = due;
  const timing = timingOf(due);
  const next = astray ? nextRun(timing, now) : nextRun(timing, now, planned);
  if (!next) {
    await disableSchedule(tx, id, "no time that its cron names comes any more");
    return "disabled";
  }
  if (astray) {
    await replan(tx, id, { nextRunAt: next, forgetLast: true });
    return "replanned";
  }
  const isLate = now.getTime() - planned.getTime() > ON_TIME_MS;
  if (isLate && timing.window && !isOpen(timing.window, now)) {
    await replan(tx, id, { nextRunAt: runOf(timing, now), forgetLast: false });
    return "waiting";
  }
  const outcome = await begin(tx, due);
  await noteRun(tx, due, outcome, next);
  return "scanId" in outcome ? "scan" : "skipped";
}

async function begin(tx: Transaction, { id, account_id: accountId }: DueSchedule): Promise<Outcome> {
  const scanId = await queueScan(tx, {
    accountId,
    kind: "full",
    trigger: "schedule",
    requestedBy: { type: "system", id },
    scheduleId: id,
  });
  return scanId === undefined ? { skipped: "another scan of the account was under way" } : { scanId };
}

function timingOf({ id, cron, timezone, run_window: window }: DueSchedule): Timing {
  return { id, cron, timezone, ...(window && { window }) };
}
