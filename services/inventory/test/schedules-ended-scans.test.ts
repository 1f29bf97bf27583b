import { answer, serve } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contracts/contract";
import { CancelScan, GetScan, type Scan } from "@leeway/shared/contracts/inventory/scans";
import type { ScanSchedule } from "@leeway/shared/contracts/inventory/schedules";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { unavailable } from "@leeway/shared/values/errors";
import { failureOf, testBus, testLog } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { createNotices } from "../src/notices/notices.ts";
import { newsOfViews } from "../src/views/news.ts";
import { runDueSchedules } from "../src/schedules/scheduler.ts";
import { settleEndedScans } from "../src/schedules/settle.ts";
import { scheduling, type Org } from "./scheduling.ts";

const schedules = scheduling();
const { change, endScan, newOrg, newSchedule, nextOf, scansOf, scheduleOf } = schedules;

/** Runs a schedule's next tick and ends its scan. */
async function runOnce(org: Org, schedule: ScanSchedule, status: Scan["status"]): Promise<ScanSchedule> {
  await runDueSchedules(schedules.platform, await nextOf(org, schedule));
  await endScan(org, status);
  await settleEndedScans(schedules.platform);
  return scheduleOf(org, schedule);
}

const published: Input<typeof PublishNotification>[] = [];
let webhooksAre: "there" | "away" = "there";
/** Organizations whose events are refused. */
const refusing = new Set<string>();
/** Returns the events that an organization received, each id once. */
const eventsTo = ({ org_id }: Org) =>
  published.filter((input) => input.org_id === org_id).map(({ event }) => event);

describe("finished scans", () => {
  let stopServing: () => Promise<void>;
  beforeAll(async () => {
    const publish = answer(PublishNotification, async (input) => {
      if (webhooksAre === "away" || refusing.has(input.org_id)) throw unavailable("not now");
      published.push(input);
      return { status: "accepted" as const, messages: 0 };
    });
    stopServing = serve(await testBus("webhooks"), {
      service: "webhooks",
      endpoints: [publish],
      log: testLog(),
    });
  });
  afterAll(() => stopServing());
  beforeEach(() => {
    webhooksAre = "there";
  });

  test("that fail five times in a row disable their schedule, with a notification", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (const failures of [1, 2, 3, 4]) {
      expect(await runOnce(org, made, "failed")).toMatchObject({
        enabled: true,
        consecutive_failures: failures,
      });
    }
    const disabled = await runOnce(org, made, "failed");
    expect(disabled).toMatchObject({
      enabled: false,
      consecutive_failures: 5,
      disabled_at: expect.any(String),
      disabled_reason: "5 consecutive scans failed; last error: the cloud said no",
    });
    expect(disabled).not.toHaveProperty("next_run_at");
    await createNotices(schedules.platform, newsOfViews).sweep();
    const events = eventsTo(org);
    expect(events.map(({ type }) => type)).toEqual([
      ...Array(5).fill("scan.failed"),
      "scan_schedule.disabled",
    ]);
    const [scan] = await scansOf(org);
    expect(events[4]?.data).toEqual({
      scan_id: scan!.id,
      account_id: org.account_id,
      account_name: expect.any(String),
      schedule_id: made.id,
      trigger: "schedule",
      errors: [{ code: "permission_denied", message: "the cloud said no", count: 1 }],
      consecutive_failures: 5,
    });
    expect(events[5]?.data).toEqual({
      schedule_id: made.id,
      account_id: org.account_id,
      account_name: expect.any(String),
      reason: disabled.disabled_reason,
      consecutive_failures: 5,
      disabled_at: disabled.disabled_at,
    });
  });

  test("aren't the only reason to disable a schedule: a lost time zone is notified, too", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await schedules.inventory.test.admin`
      update inventory.scan_schedules set timezone = 'Mars/Olympus' where id = ${made.id}
    `;
    await runDueSchedules(schedules.platform, planned);
    const reason = "the cron has no further runs";
    const { enabled, disabled_at, disabled_reason } = await scheduleOf(org, made);
    expect({ enabled, disabled_reason }).toEqual({ enabled: false, disabled_reason: reason });
    await createNotices(schedules.platform, newsOfViews).sweep();
    expect(eventsTo(org)).toMatchObject([
      {
        type: "scan_schedule.disabled",
        data: {
          schedule_id: made.id,
          account_id: org.account_id,
          reason,
          consecutive_failures: 0,
          disabled_at,
        },
      },
    ]);
  });

  test("reset the count on success, and leave it when partial or cancelled", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const rows: [Scan["status"], number][] = [
      ["failed", 1],
      ["failed", 2],
      ["partial", 2],
      ["failed", 3],
      ["canceled", 3],
      ["succeeded", 0],
      ["partial", 0],
      ["failed", 1],
    ];
    for (const [status, failures] of rows) {
      expect(await runOnce(org, made, status)).toMatchObject({
        consecutive_failures: failures,
        enabled: true,
      });
    }
  });

  test("are counted from zero once the schedule is enabled again", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (let failed = 0; failed < 5; failed += 1) await runOnce(org, made, "failed");
    const again = await change(org, made, { enabled: true });
    expect(again).toMatchObject({ enabled: true, consecutive_failures: 0, next_run_at: expect.any(String) });
    expect(again).not.toHaveProperty("disabled_reason");
    expect(await runOnce(org, made, "failed")).toMatchObject({ enabled: true, consecutive_failures: 1 });
  });

  test("are counted correctly in any order by several processes", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (const status of ["failed", "failed", "succeeded", "failed"] as const) {
      await runDueSchedules(schedules.platform, await nextOf(org, made));
      await endScan(org, status);
    }
    await Promise.all([1, 2, 3, 4].map(() => settleEndedScans(schedules.platform)));
    expect(await scheduleOf(org, made)).toMatchObject({ consecutive_failures: 1 });
    await createNotices(schedules.platform, newsOfViews).sweep();
    const failures = eventsTo(org).map(({ data }) => String(data["consecutive_failures"]));
    expect(failures.toSorted()).toEqual(["1", "1", "2"]);
  });

  test("that failed are notified once, even after a delay", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    webhooksAre = "away";
    await runOnce(org, made, "failed");
    for (let tried = 0; tried < 3; tried += 1) {
      await schedules.inventory.test.admin`update inventory.notices set next_attempt_at = now()`;
      await createNotices(schedules.platform, newsOfViews)
        .sweep()
        .catch(() => undefined);
    }
    expect(eventsTo(org)).toEqual([]);
    webhooksAre = "there";
    await createNotices(schedules.platform, newsOfViews).sweep();
    expect(eventsTo(org)).toEqual([]); // its next attempt isn't due
    await schedules.inventory.test.admin`update inventory.notices set next_attempt_at = now()`;
    await Promise.all([
      createNotices(schedules.platform, newsOfViews).sweep(),
      createNotices(schedules.platform, newsOfViews).sweep(),
    ]);
    expect(eventsTo(org)).toMatchObject([{ id: expect.stringMatching(/^evt_/), type: "scan.failed" }]);
    await settleEndedScans(schedules.platform);
    await createNotices(schedules.platform, newsOfViews).sweep();
    expect(eventsTo(org)).toHaveLength(1);
  });

  test("are notified although another organization's can't be", async () => {
    const orgs = await Promise.all(Array.from({ length: 6 }, newOrg));
    for (const org of orgs) await runOnce(org, await newSchedule(org), "failed");
    const [first, ...others] = orgs;
    for (const { org_id } of others) refusing.add(org_id);
    expect(await failureOf(createNotices(schedules.platform, newsOfViews).sweep())).toMatchObject({
      code: "unavailable",
    });
    refusing.clear();
    expect(eventsTo(first!)).toHaveLength(1);
    expect(others.flatMap(eventsTo)).toEqual([]);
  });

  test("that failed without a schedule are notified with the account's count", async () => {
    const org = await newOrg();
    for (const _ of [1, 2]) {
      await schedules.inventory.test.admin`
        insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by)
        values (${org.org_id}, gen_random_uuid(), ${org.account_id}, 'full', 'manual', 'running', 'discover', '{}')
      `;
      await endScan(org, "failed", "x".repeat(2_000));
      await settleEndedScans(schedules.platform);
    }
    await createNotices(schedules.platform, newsOfViews).sweep();
    expect(eventsTo(org).map(({ data }) => data)).toMatchObject([
      { consecutive_failures: 1, trigger: "manual", errors: [{ message: "x".repeat(500) }] },
      { consecutive_failures: 2 },
    ]);
    expect(eventsTo(org)[0]?.data).not.toHaveProperty("schedule_id");
  });

  test("that were cancelled are not notified", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    await runDueSchedules(schedules.platform, await nextOf(org, made));
    const [scan] = await scansOf(org);
    await schedules.inventory.call(CancelScan, { org_id: org.org_id, scan_id: scan!.id });
    await settleEndedScans(schedules.platform);
    await createNotices(schedules.platform, newsOfViews).sweep();
    expect(eventsTo(org)).toEqual([]);
    const seen = await schedules.inventory.call(GetScan, { org_id: org.org_id, scan_id: scan!.id });
    expect(seen).toMatchObject({ status: "canceled", schedule_id: made.id });
  });
});
