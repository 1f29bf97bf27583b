import { describe, expect, test } from "bun:test";

import { nextRun } from "../src/schedules/next-run.ts";
import { runDueSchedules } from "../src/schedules/scheduler.ts";
import { HOUR_MS, MINUTE_MS, plus, scheduling } from "./scheduling.ts";

const schedules = scheduling();
const { endScan, newOrg, newSchedule, nextOf, scansOf, scheduleOf } = schedules;

describe("a run", () => {
  test("is a queued scan with its schedule's id, not before its time", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(schedules.platform, plus(planned, -1));
    expect(await scansOf(org)).toEqual([]);
    await runDueSchedules(schedules.platform, planned);
    await runDueSchedules(schedules.platform, planned);
    const [scan, ...more] = await scansOf(org);
    expect(more).toEqual([]);
    expect(scan).toMatchObject({
      status: "queued",
      trigger: "schedule",
      kind: "full",
      schedule_id: made.id,
      requested_by: { type: "system", id: made.id },
    });
    expect(await scheduleOf(org, made)).toMatchObject({ last_scan_id: scan!.id });
    expect(await nextOf(org, made)).toEqual(plus(planned, HOUR_MS));
  });

  test("during another scan of the account is skipped and reported, without catching up", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (let tick = 0; tick < 3; tick += 1)
      await runDueSchedules(schedules.platform, await nextOf(org, made));
    expect(await scansOf(org)).toHaveLength(1);
    expect(await scheduleOf(org, made)).toMatchObject({
      last_skip: { at: expect.any(String), reason: "another scan of the account was in progress" },
    });
    await endScan(org, "succeeded");
    await runDueSchedules(schedules.platform, await nextOf(org, made));
    expect(await scansOf(org)).toHaveLength(2);
  });

  test("missed for a day leads to one scan", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const back = plus(await nextOf(org, made), 24 * HOUR_MS + MINUTE_MS);
    await runDueSchedules(schedules.platform, back);
    await endScan(org, "succeeded");
    await runDueSchedules(schedules.platform, back);
    expect(await scansOf(org)).toHaveLength(1);
    const next = await nextOf(org, made);
    expect(next.getTime()).toBeGreaterThan(back.getTime());
    expect(next.getTime()).toBeLessThanOrEqual(back.getTime() + HOUR_MS);
  });

  test("missed until its window closed waits for the next window", async () => {
    const org = await newOrg();
    const window = { start: "22:00", end: "23:00", timezone: "UTC" };
    const made = await newSchedule(org, { cron: "0 12 * * *", window });
    const planned = await nextOf(org, made);
    await runDueSchedules(schedules.platform, plus(planned, 3 * HOUR_MS));
    expect(await scansOf(org)).toEqual([]);
    expect(await nextOf(org, made)).toEqual(plus(planned, 24 * HOUR_MS));
    await runDueSchedules(schedules.platform, plus(planned, 24 * HOUR_MS));
    expect(await scansOf(org)).toHaveLength(1);
  });

  test("isn't lost when the schedule is changed after the previous one", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(schedules.platform, plus(planned, 1_500));
    await schedules.change(org, made, { timezone: "Europe/Berlin" });
    expect(await nextOf(org, made)).toEqual(plus(planned, HOUR_MS));
    await schedules.change(org, made, { enabled: false });
    await schedules.change(org, made, { enabled: true });
    expect(await nextOf(org, made)).toEqual(plus(planned, HOUR_MS));
  });

  test("isn't repeated when the clock is set back a little", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(schedules.platform, planned);
    await endScan(org, "succeeded");
    for (const minutes of [-50, -20, 0, 30])
      await runDueSchedules(schedules.platform, plus(planned, minutes * MINUTE_MS));
    expect(await scansOf(org)).toHaveLength(1);
    await runDueSchedules(schedules.platform, plus(planned, HOUR_MS));
    expect(await scansOf(org)).toHaveLength(2);
  });

  test("is correct again after a clock was a day ahead", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(schedules.platform, plus(planned, 24 * HOUR_MS));
    await endScan(org, "succeeded");
    await runDueSchedules(schedules.platform, plus(planned, MINUTE_MS));
    expect(await scansOf(org)).toHaveLength(1);
    expect(await nextOf(org, made)).toEqual(plus(planned, HOUR_MS));
    await runDueSchedules(schedules.platform, plus(planned, HOUR_MS));
    expect(await scansOf(org)).toHaveLength(2);
  });
});

describe("a jumping clock", () => {
  test.each([
    ["on an ordinary day", "Europe/Berlin", "2026-06-10T00:00:00Z"],
    ["at the start of daylight saving time", "America/New_York", "2026-03-08T00:00:00Z"],
    ["at the end of daylight saving time", "America/New_York", "2026-11-01T00:00:00Z"],
    ["with a shift of half an hour", "Australia/Lord_Howe", "2026-10-03T08:00:00Z"],
  ])("%s runs each time exactly once", async (_, timezone, start) => {
    const org = await newOrg();
    const made = await newSchedule(org, { cron: "45 * * * *", timezone });
    const timing = { id: made.id, cron: made.cron, timezone };
    const planned: Date[] = [];
    for (let next = nextRun(timing, new Date(start)); next && planned.length < 40;) {
      planned.push(next);
      next = nextRun(timing, next, next);
    }
    await schedules.inventory.test.admin`
      update inventory.scan_schedules set next_run_at = ${planned[0]!} where id = ${made.id}
    `;
    const ran: Date[] = [];
    let now = planned[0]!;
    for (const jumps = [0, 40, -30, 25, 31, -55, 70, 0, -10, 20, 15, 50, -20, 90]; ran.length < 10;) {
      const next = await nextOf(org, made);
      const before = (await scheduleOf(org, made)).last_scan_id;
      await runDueSchedules(schedules.platform, now);
      await endScan(org, "succeeded");
      if ((await scheduleOf(org, made)).last_scan_id !== before) ran.push(next);
      const jump = jumps.shift() ?? 20;
      jumps.push(jump);
      now = plus(now, jump * MINUTE_MS);
    }
    const times = ran.map(Number);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    expect(new Set(times).difference(new Set(planned.map(Number)))).toEqual(new Set());
  });
});
