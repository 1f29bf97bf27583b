import { answer, serve } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contract";
import { CreateAccount, DeleteAccount, PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import { CancelScan, GetScan, ListScans, type Scan } from "@leeway/shared/contracts/inventory/scans";
import {
  CreateSchedule,
  DeleteSchedule,
  GetSchedule,
  ListSchedules,
  UpdateSchedule,
  type ScanSchedule,
} from "@leeway/shared/contracts/inventory/schedules";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { unavailable } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";
import { failureOf, testBus, testLog } from "@leeway/shared/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { publishNotices } from "../src/notices/notices.ts";
import { nextRun } from "../src/schedules/next-run.ts";
import { runDueSchedules } from "../src/schedules/scheduler.ts";
import { settleEndedScans } from "../src/schedules/settle.ts";
import { startInventory, type TestInventory } from "./kit.ts";

setDefaultTimeout(20_000); // services are started

const ACTOR = { type: "person" as const, id: "ada" };
const CREDENTIALS = { kind: "aws_role" as const, role_arn: "arn:aws:iam::111111111111:role/leeway" };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let inventory: TestInventory;
let platform: Platform;
beforeAll(async () => {
  inventory = await startInventory({ worker: false });
  const { database, bus } = inventory;
  platform = { database, bus, log: testLog() };
});
afterAll(() => inventory.stop());

interface Org {
  org_id: string;
  account_id: string;
}
type Wish = Partial<Input<typeof CreateSchedule>>;

async function newOrg(): Promise<Org> {
  const org_id = crypto.randomUUID();
  const wish = { org_id, provider: "aws", external_id: "111111111111", credentials: CREDENTIALS };
  return { org_id, account_id: (await inventory.call(CreateAccount, wish)).id };
}

const newSchedule = (org: Org, wish: Wish = {}): Promise<ScanSchedule> =>
  inventory.call(CreateSchedule, { ...org, created_by: ACTOR, cron: "@hourly", ...wish });
const scheduleOf = ({ org_id }: Org, { id }: { id: string }): Promise<ScanSchedule> =>
  inventory.call(GetSchedule, { org_id, schedule_id: id });
const change = ({ org_id }: Org, { id }: { id: string }, changes: object): Promise<ScanSchedule> =>
  inventory.call(UpdateSchedule, { org_id, schedule_id: id, ...changes });
/** An organization's scans, newest first. */
const scansOf = async ({ org_id }: Org): Promise<Scan[]> =>
  (await inventory.call(ListScans, { org_id, limit: 500 })).data;

/** When a schedule runs next. */
async function nextOf(org: Org, schedule: { id: string }): Promise<Date> {
  const { next_run_at } = await scheduleOf(org, schedule);
  if (next_run_at === undefined) throw new Error("it is off");
  return new Date(next_run_at);
}
const plus = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Ends the open scan of an organization as its worker would. */
async function endScan(
  { org_id }: Org,
  status: Scan["status"],
  message = "the cloud said no",
): Promise<void> {
  const errors = status === "succeeded" ? [] : [{ code: "permission_denied", message, count: 1 }];
  await inventory.test.admin`
    update inventory.scans
       set status = ${status}, finished_at = clock_timestamp(), errors = ${JSON.stringify(errors)}::text::jsonb
     where org_id = ${org_id}
       and status in ('queued', 'running')
  `;
}

/** Runs a schedule's next tick, and ends its scan. */
async function runOnce(org: Org, schedule: ScanSchedule, status: Scan["status"]): Promise<ScanSchedule> {
  await runDueSchedules(platform, await nextOf(org, schedule));
  await endScan(org, status);
  await settleEndedScans(platform);
  return scheduleOf(org, schedule);
}

describe("a schedule", () => {
  test("is kept as it was asked for, with its next run", async () => {
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
    expect((await inventory.call(ListSchedules, { ...list, account_id: org.account_id })).data).toEqual([
      made,
    ]);
    expect((await inventory.call(ListSchedules, { ...list, account_id: made.id })).data).toEqual([]);
  });

  test("has no next run while it is off, and gets one when it is switched on", async () => {
    const org = await newOrg();
    const made = await newSchedule(org, { enabled: false });
    expect(made).not.toHaveProperty("next_run_at");
    await runDueSchedules(platform, plus(new Date(), 365 * 24 * HOUR_MS));
    expect(await scansOf(org)).toEqual([]);
    expect(await change(org, made, { enabled: true })).toMatchObject({ next_run_at: expect.any(String) });
  });

  test("can be given another time and lose its window", async () => {
    const org = await newOrg();
    const window = { start: "22:00", end: "06:00", timezone: "UTC" };
    const made = await newSchedule(org, { cron: "0 12 * * *", window });
    expect(made.next_run_at).toMatch(/T22:0[0-4]/);
    const changed = await change(org, made, { window: null, timezone: "Asia/Kolkata" });
    expect(changed).not.toHaveProperty("window");
    expect(changed.next_run_at).toMatch(/T06:3[0-4]/);
    expect(await change(org, made, { cron: "@yearly" })).toMatchObject({ timezone: "Asia/Kolkata" });
  });

  test("that is due isn't put off by a change that leaves its time as it is", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    await inventory.test.admin`
      update inventory.scan_schedules set next_run_at = '2026-01-01T00:00:00Z' where id = ${made.id}
    `;
    expect(await change(org, made, { enabled: true })).toMatchObject({
      next_run_at: "2026-01-01T00:00:00.000Z",
    });
  });

  test.each<[string, Wish, string]>([
    ["a cron that isn't one", { cron: "whenever" }, "cron"],
    ["a cron that comes twice an hour", { cron: "*/30 * * * *" }, "cron"],
    ["a cron that never comes", { cron: "0 0 31 2 *" }, "cron"],
    ["a time zone that isn't one", { timezone: "Mars/Olympus" }, "timezone"],
    ["a time that isn't one", { window: { start: "24:00", end: "1:00", timezone: "UTC" } }, "window.start"],
    ["a window of no length", { window: { start: "01:00", end: "01:00", timezone: "UTC" } }, "window.end"],
    [
      "a window's time zone that isn't one",
      { window: { start: "01:00", end: "02:00", timezone: "X" } },
      "window.timezone",
    ],
  ])("with %s is refused by the field's name", async (_, wish, field) => {
    const org = await newOrg();
    const refused = {
      code: "invalid_parameter",
      details: expect.arrayContaining([expect.objectContaining({ field })]),
    };
    expect(await failureOf(newSchedule(org, wish))).toMatchObject(refused);
    const made = await newSchedule(org);
    expect(await failureOf(change(org, made, wish))).toMatchObject(refused);
    expect(await scheduleOf(org, made)).toEqual(made);
  });

  test("needs an account of the organization, and one with credentials", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const { account_id } = other;
    expect(await failureOf(newSchedule(org, { account_id }))).toMatchObject({ code: "not_found" });
    const { id } = await inventory.call(CreateAccount, {
      org_id: org.org_id,
      provider: "aws",
      external_id: "2",
    });
    expect(await failureOf(newSchedule(org, { account_id: id }))).toMatchObject({ code: "no_credentials" });
  });

  test("of another organization isn't there", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const theirs = await newSchedule(other);
    const one = { org_id: org.org_id, schedule_id: theirs.id };
    const asked = [
      () => inventory.call(GetSchedule, one),
      () => inventory.call(UpdateSchedule, { ...one, enabled: false }),
      () => inventory.call(DeleteSchedule, one),
    ];
    for (const ask of asked) expect(await failureOf(ask())).toMatchObject({ code: "not_found" });
    expect(await scheduleOf(other, theirs)).toEqual(theirs);
  });

  test("isn't changed by nothing, nor made when its account has ten", async () => {
    const org = await newOrg();
    const [made] = await Promise.all(Array.from({ length: 10 }, () => newSchedule(org)));
    expect(await failureOf(change(org, made!, {}))).toMatchObject({ code: "empty_update" });
    expect(await failureOf(newSchedule(org))).toMatchObject({ code: "conflict" });
  });

  test("goes with its account and with its organization", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const [made, theirs] = [await newSchedule(org), await newSchedule(other)];
    await inventory.call(DeleteAccount, org);
    await inventory.call(PurgeInventory, { org_id: other.org_id });
    expect(await failureOf(scheduleOf(org, made))).toMatchObject({ code: "not_found" });
    expect(await failureOf(scheduleOf(other, theirs))).toMatchObject({ code: "not_found" });
  });
});

describe("a tick", () => {
  test("is a queued scan that names its schedule, and not before its time", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(platform, plus(planned, -1));
    expect(await scansOf(org)).toEqual([]);
    await runDueSchedules(platform, planned);
    await runDueSchedules(platform, planned);
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

  test("while another scan of the account is open is skipped, which is said, and doesn't pile up", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (let tick = 0; tick < 3; tick += 1) await runDueSchedules(platform, await nextOf(org, made));
    expect(await scansOf(org)).toHaveLength(1);
    expect(await scheduleOf(org, made)).toMatchObject({
      last_skip: { at: expect.any(String), reason: "another scan of the account was under way" },
    });
    await endScan(org, "succeeded");
    await runDueSchedules(platform, await nextOf(org, made));
    expect(await scansOf(org)).toHaveLength(2);
  });

  test("that nobody saw for a day is one scan", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const back = plus(await nextOf(org, made), 24 * HOUR_MS + MINUTE_MS);
    await runDueSchedules(platform, back);
    await endScan(org, "succeeded");
    await runDueSchedules(platform, back);
    expect(await scansOf(org)).toHaveLength(1);
    const next = await nextOf(org, made);
    expect(next.getTime()).toBeGreaterThan(back.getTime());
    expect(next.getTime()).toBeLessThanOrEqual(back.getTime() + HOUR_MS);
  });

  test("that nobody saw until its window had closed waits for the next opening", async () => {
    const org = await newOrg();
    const window = { start: "22:00", end: "23:00", timezone: "UTC" };
    const made = await newSchedule(org, { cron: "0 12 * * *", window });
    const planned = await nextOf(org, made);
    await runDueSchedules(platform, plus(planned, 3 * HOUR_MS));
    expect(await scansOf(org)).toEqual([]);
    expect(await nextOf(org, made)).toEqual(plus(planned, 24 * HOUR_MS));
    await runDueSchedules(platform, plus(planned, 24 * HOUR_MS));
    expect(await scansOf(org)).toHaveLength(1);
  });

  test("is not repeated when the clock is set back a little", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(platform, planned);
    await endScan(org, "succeeded");
    for (const minutes of [-50, -20, 0, 30])
      await runDueSchedules(platform, plus(planned, minutes * MINUTE_MS));
    expect(await scansOf(org)).toHaveLength(1);
    await runDueSchedules(platform, plus(planned, HOUR_MS));
    expect(await scansOf(org)).toHaveLength(2);
  });

  test("comes again as it should after a clock was a day ahead for a moment", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    const planned = await nextOf(org, made);
    await runDueSchedules(platform, plus(planned, 24 * HOUR_MS));
    await endScan(org, "succeeded");
    await runDueSchedules(platform, plus(planned, MINUTE_MS));
    expect(await scansOf(org)).toHaveLength(1);
    expect(await nextOf(org, made)).toEqual(plus(planned, HOUR_MS));
    await runDueSchedules(platform, plus(planned, HOUR_MS));
    expect(await scansOf(org)).toHaveLength(2);
  });
});

describe("a clock that jumps back and forth", () => {
  test.each([
    ["on an ordinary day", "Europe/Berlin", "2026-06-10T00:00:00Z"],
    ["when it goes forward", "America/New_York", "2026-03-08T00:00:00Z"],
    ["when it goes back", "America/New_York", "2026-11-01T00:00:00Z"],
    ["by half an hour", "Australia/Lord_Howe", "2026-10-03T08:00:00Z"],
  ])("%s leaves every run as it is, once each", async (_, timezone, start) => {
    const org = await newOrg();
    const made = await newSchedule(org, { cron: "45 * * * *", timezone });
    const timing = { id: made.id, cron: made.cron, timezone };
    const planned: Date[] = [];
    for (let next = nextRun(timing, new Date(start)); next && planned.length < 40;) {
      planned.push(next);
      next = nextRun(timing, next, next);
    }
    await inventory.test.admin`
      update inventory.scan_schedules set next_run_at = ${planned[0]!} where id = ${made.id}
    `;
    const ran: Date[] = [];
    let now = planned[0]!;
    for (const jumps = [0, 40, -30, 25, 31, -55, 70, 0, -10, 20, 15, 50, -20, 90]; ran.length < 10;) {
      const next = await nextOf(org, made);
      const before = (await scheduleOf(org, made)).last_scan_id;
      await runDueSchedules(platform, now);
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

const published: Input<typeof PublishNotification>[] = [];
let webhooksAre: "there" | "away" = "there";
/** What an organization was told, by ids that are told once. */
const toldTo = ({ org_id }: Org) =>
  published.filter((input) => input.org_id === org_id).map(({ event }) => event);

describe("scans that end", () => {
  let stopServing: () => Promise<void>;
  beforeAll(async () => {
    const publish = answer(PublishNotification, async (input) => {
      if (webhooksAre === "away") throw unavailable("not now");
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

  test("in failure five times in a row disable their schedule, which is told with the reason", async () => {
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
      disabled_reason: "5 scans in a row failed; at last: the cloud said no",
    });
    expect(disabled).not.toHaveProperty("next_run_at");
    await publishNotices(platform);
    const told = toldTo(org);
    expect(told.map(({ type }) => type)).toEqual([...Array(5).fill("scan.failed"), "scan_schedule.disabled"]);
    const [scan] = await scansOf(org);
    expect(told[4]?.data).toEqual({
      scan_id: scan!.id,
      account_id: org.account_id,
      account_name: expect.any(String),
      schedule_id: made.id,
      trigger: "schedule",
      errors: [{ code: "permission_denied", message: "the cloud said no", count: 1 }],
      consecutive_failures: 5,
    });
    expect(told[5]?.data).toEqual({
      schedule_id: made.id,
      account_id: org.account_id,
      account_name: expect.any(String),
      reason: disabled.disabled_reason,
      consecutive_failures: 5,
      disabled_at: disabled.disabled_at,
    });
  });

  test("otherwise begin or keep a row: success ends it, partial and canceled scans leave it", async () => {
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

  test("are counted anew once the schedule is switched on again", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (let failed = 0; failed < 5; failed += 1) await runOnce(org, made, "failed");
    const again = await change(org, made, { enabled: true });
    expect(again).toMatchObject({ enabled: true, consecutive_failures: 0, next_run_at: expect.any(String) });
    expect(again).not.toHaveProperty("disabled_reason");
    expect(await runOnce(org, made, "failed")).toMatchObject({ enabled: true, consecutive_failures: 1 });
  });

  test("are counted right in whatever order several processes come to them", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    for (const status of ["failed", "failed", "succeeded", "failed"] as const) {
      await runDueSchedules(platform, await nextOf(org, made));
      await endScan(org, status);
    }
    await Promise.all([1, 2, 3, 4].map(() => settleEndedScans(platform)));
    expect(await scheduleOf(org, made)).toMatchObject({ consecutive_failures: 1 });
    await publishNotices(platform);
    const failures = toldTo(org).map(({ data }) => String(data["consecutive_failures"]));
    expect(failures.toSorted()).toEqual(["1", "1", "2"]);
  });

  test("in failure are told though nobody takes it for a while, and once", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    webhooksAre = "away";
    await runOnce(org, made, "failed");
    for (let tried = 0; tried < 3; tried += 1) {
      await inventory.test.admin`update inventory.notices set next_attempt_at = now()`;
      await publishNotices(platform).catch(() => undefined);
    }
    expect(toldTo(org)).toEqual([]);
    webhooksAre = "there";
    await publishNotices(platform);
    expect(toldTo(org)).toEqual([]); // it waits its turn
    await inventory.test.admin`update inventory.notices set next_attempt_at = now()`;
    await Promise.all([publishNotices(platform), publishNotices(platform)]);
    expect(toldTo(org)).toMatchObject([{ id: expect.stringMatching(/^evt_/), type: "scan.failed" }]);
    await settleEndedScans(platform);
    await publishNotices(platform);
    expect(toldTo(org)).toHaveLength(1);
  });

  test("in failure without a schedule are told with those of their account", async () => {
    const org = await newOrg();
    for (const _ of [1, 2]) {
      await inventory.test.admin`
        insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by)
        values (${org.org_id}, gen_random_uuid(), ${org.account_id}, 'full', 'manual', 'running', 'discover', '{}')
      `;
      await endScan(org, "failed", "x".repeat(2_000));
      await settleEndedScans(platform);
    }
    await publishNotices(platform);
    expect(toldTo(org).map(({ data }) => data)).toMatchObject([
      { consecutive_failures: 1, trigger: "manual", errors: [{ message: "x".repeat(500) }] },
      { consecutive_failures: 2 },
    ]);
    expect(toldTo(org)[0]?.data).not.toHaveProperty("schedule_id");
  });

  test("because they were called off are told to nobody", async () => {
    const org = await newOrg();
    const made = await newSchedule(org);
    await runDueSchedules(platform, await nextOf(org, made));
    const [scan] = await scansOf(org);
    await inventory.call(CancelScan, { org_id: org.org_id, scan_id: scan!.id });
    await settleEndedScans(platform);
    await publishNotices(platform);
    expect(toldTo(org)).toEqual([]);
    const seen = await inventory.call(GetScan, { org_id: org.org_id, scan_id: scan!.id });
    expect(seen).toMatchObject({ status: "canceled", schedule_id: made.id });
  });
});
