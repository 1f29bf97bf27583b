import {
  CreateAccount,
  DeleteAccount,
  PurgeInventory,
  UpdateAccount,
} from "@leeway/shared/contracts/inventory/accounts";
import {
  DeleteSchedule,
  GetSchedule,
  ListSchedules,
  UpdateSchedule,
} from "@leeway/shared/contracts/inventory/schedules";
import { failureOf } from "@leeway/shared/testing/testing";
import { describe, expect, test } from "bun:test";

import { runDueSchedules } from "../src/schedules/scheduler.ts";
import { ACTOR, CREDENTIALS, HOUR_MS, plus, scheduling, type ScheduleInput } from "./scheduling.ts";

const schedules = scheduling();
const { change, newOrg, newSchedule, scansOf, scheduleOf } = schedules;

describe("a schedule", () => {
  test("is stored as requested, with its next run", async () => {
    const org = await newOrg();
    const window = { start: "22:00", end: "06:00", timezone: "Europe/Berlin" };
    const made = await newSchedule(org, { cron: " 30  4 * * MON ", timezone: "Asia/Tokyo", window });
    expect(made).toEqual({
      id: expect.any(String),
      account_id: org.account_id,
      cron: "30 4 * * MON",
      timezone: "Asia/Tokyo",
      window,
      enabled: true,
      consecutive_failures: 0,
      next_run_at: expect.any(String),
      created_by: ACTOR,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await scheduleOf(org, made)).toEqual(made);
    const list = { org_id: org.org_id, limit: 10 };
    expect(
      (await schedules.inventory.call(ListSchedules, { ...list, account_id: org.account_id })).data,
    ).toEqual([made]);
    expect((await schedules.inventory.call(ListSchedules, { ...list, account_id: made.id })).data).toEqual(
      [],
    );
  });

  test("has a next run only while it is enabled", async () => {
    const org = await newOrg();
    const made = await newSchedule(org, { enabled: false });
    expect(made).not.toHaveProperty("next_run_at");
    await runDueSchedules(schedules.platform, plus(new Date(), 365 * 24 * HOUR_MS));
    expect(await scansOf(org)).toEqual([]);
    expect(await change(org, made, { enabled: true })).toMatchObject({ next_run_at: expect.any(String) });
  });

  test("can get another time and lose its window", async () => {
    const org = await newOrg();
    const window = { start: "22:00", end: "06:00", timezone: "UTC" };
    const made = await newSchedule(org, { cron: "0 12 * * *", window });
    expect(made.next_run_at).toMatch(/T22:0[0-4]/);
    const changed = await change(org, made, { window: null, timezone: "Asia/Kolkata" });
    expect(changed).not.toHaveProperty("window");
    expect(changed.next_run_at).toMatch(/T06:3[0-4]/);
    expect(await change(org, made, { cron: "@yearly" })).toMatchObject({ timezone: "Asia/Kolkata" });
  });

  test("keeps a run that waits for its window when the window changes", async () => {
    const org = await newOrg();
    const now = new Date();
    const clock = (hours: number): string =>
      plus(now, hours * HOUR_MS)
        .toISOString()
        .slice(11, 16);
    const [hour, minute] = clock(-2).split(":").map(Number);
    const window = { start: clock(3), end: clock(5), timezone: "UTC" };
    const made = await newSchedule(org, { cron: `${minute} ${hour} * * *`, window });
    await schedules.inventory.test.admin`
      update inventory.scan_schedules set next_run_at = ${plus(now, 3 * HOUR_MS)} where id = ${made.id}
    `;
    const nextAfter = async (changes: object): Promise<number> => {
      const { next_run_at: next = "" } = await change(org, made, changes);
      return (Date.parse(next) - now.getTime()) / HOUR_MS;
    };
    expect(await nextAfter({ window: { ...window, start: clock(2) } })).toBeCloseTo(2, 0);
    expect(await nextAfter({ window: null })).toBeCloseTo(0, 0);
    expect(await nextAfter({ cron: `${minute} ${(hour! + 1) % 24} * * *` })).toBeCloseTo(23, 0);
  });

  test("that is due isn't delayed by a change that keeps its time", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    await schedules.inventory.test.admin`
      update inventory.scan_schedules set next_run_at = '2026-01-01T00:00:00Z' where id = ${made.id}
    `;
    expect(await change(org, made, { enabled: true })).toMatchObject({
      next_run_at: "2026-01-01T00:00:00.000Z",
    });
  });

  test.each<[string, ScheduleInput, string]>([
    ["an invalid cron", { cron: "whenever" }, "cron"],
    ["a cron more than once an hour", { cron: "*/30 * * * *" }, "cron"],
    ["a cron that never matches", { cron: "0 0 31 2 *" }, "cron"],
    ["an unknown time zone", { timezone: "Mars/Olympus" }, "timezone"],
    ["an invalid time", { window: { start: "24:00", end: "1:00", timezone: "UTC" } }, "window.start"],
    ["an empty window", { window: { start: "01:00", end: "01:00", timezone: "UTC" } }, "window.end"],
    [
      "an unknown time zone of its window",
      { window: { start: "01:00", end: "02:00", timezone: "X" } },
      "window.timezone",
    ],
  ])("with %s is refused, naming the field", async (_, input, field) => {
    const org = await newOrg();
    const refused = {
      code: "invalid_parameter",
      details: expect.arrayContaining([expect.objectContaining({ field })]),
    };
    expect(await failureOf(newSchedule(org, input))).toMatchObject(refused);
    const made = await newSchedule(org);
    expect(await failureOf(change(org, made, input))).toMatchObject(refused);
    expect(await scheduleOf(org, made)).toEqual(made);
  });

  test("needs an account of its organization with credentials", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const { account_id } = other;
    expect(await failureOf(newSchedule(org, { account_id }))).toMatchObject({ code: "not_found" });
    const { id } = await schedules.inventory.call(CreateAccount, {
      org_id: org.org_id,
      provider: "aws",
      external_id: "222222222222",
    });
    expect(await failureOf(newSchedule(org, { account_id: id }))).toMatchObject({ code: "no_credentials" });
  });

  test("whose account has no credentials can be disabled and changed, but not enabled", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    await schedules.inventory.call(UpdateAccount, { ...org, credentials: null });
    expect(await change(org, made, { enabled: false, cron: "@daily" })).toMatchObject({ enabled: false });
    const refused = await failureOf(change(org, made, { enabled: true }));
    expect(refused).toMatchObject({ code: "no_credentials" });
    await schedules.inventory.call(UpdateAccount, { ...org, credentials: CREDENTIALS });
    expect(await change(org, made, { enabled: true })).toMatchObject({ enabled: true });
  });

  test("of another organization isn't found", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const theirs = await newSchedule(other);
    const one = { org_id: org.org_id, schedule_id: theirs.id };
    const asked = [
      () => schedules.inventory.call(GetSchedule, one),
      () => schedules.inventory.call(UpdateSchedule, { ...one, enabled: false }),
      () => schedules.inventory.call(DeleteSchedule, one),
    ];
    for (const ask of asked) expect(await failureOf(ask())).toMatchObject({ code: "not_found" });
    expect(await scheduleOf(other, theirs)).toEqual(theirs);
  });

  test("needs at least one changed field", async () => {
    const org = await newOrg();
    expect(await failureOf(change(org, await newSchedule(org), {}))).toMatchObject({ code: "empty_update" });
  });

  test("created again after a lost response is the same one", async () => {
    const org = await newOrg();
    const schedule_id = Bun.randomUUIDv7();
    const [made, again] = await Promise.all([
      newSchedule(org, { schedule_id }),
      newSchedule(org, { schedule_id }),
    ]);
    expect(again).toEqual(made);
  });

  test("is refused beyond ten per account, even in concurrent requests", async () => {
    for (let round = 0; round < 10; round += 1) {
      const org = await newOrg();
      const made = await Promise.allSettled(Array.from({ length: 24 }, () => newSchedule(org)));
      expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      expect(await failureOf(newSchedule(org))).toMatchObject({ code: "conflict" });
    }
  });

  test("is deleted with its account or its organization", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const [made, theirs] = [await newSchedule(org), await newSchedule(other)];
    await schedules.inventory.call(DeleteAccount, org);
    await schedules.inventory.call(PurgeInventory, { org_id: other.org_id });
    expect(await failureOf(scheduleOf(org, made))).toMatchObject({ code: "not_found" });
    expect(await failureOf(scheduleOf(other, theirs))).toMatchObject({ code: "not_found" });
  });
});
