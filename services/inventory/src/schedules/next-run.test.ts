import { failureOf } from "@leeway/shared/testing/testing";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { checkedCron, checkTimeZone } from "./cron.ts";
import { nextRun, runOf, type Timing } from "./next-run.ts";
import { isOpen } from "./window.ts";

const HOUR_MS = 3_600_000;
/** The jitter for this id is 113 seconds. */
const ID = "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e";
const JITTER_MS = runOf({ id: ID, cron: "", timezone: "" }, new Date(0)).getTime();

const timing = (cron: string, timezone = "UTC", window?: [string, string, string]): Timing => ({
  id: ID,
  cron,
  timezone,
  ...(window && { window: { start: window[0], end: window[1], timezone: window[2] } }),
});

/** Returns consecutive runs after an instant, without their jitter. */
function runs(schedule: Timing, from: string, count: number): string[] {
  const found: string[] = [];
  let after = new Date(from);
  let last: Date | undefined;
  while (found.length < count) {
    const next = nextRun(schedule, after, last);
    if (!next) break;
    found.push(new Date(next.getTime() - JITTER_MS).toISOString().replace(":00.000Z", "Z"));
    after = last = next;
  }
  return found;
}

describe("runs follow the clock of the schedule's time zone", () => {
  test.each<[string, Timing, string, string[]]>([
    [
      "on working days",
      timing("15 6 * * 1-5", "Europe/Berlin"),
      "2026-10-01T12:00:00Z",
      ["2026-10-02T04:15Z", "2026-10-05T04:15Z"],
    ],
    ["every hour", timing("@hourly"), "2026-10-01T12:30:00Z", ["2026-10-01T13:00Z", "2026-10-01T14:00Z"]],
    [
      "on the last of a month",
      timing("0 0 L * *", "Asia/Kolkata"),
      "2026-10-01T12:00:00Z",
      ["2026-10-30T18:30Z", "2026-11-29T18:30Z"],
    ],
    [
      "on leap days",
      timing("0 0 29 2 *"),
      "2026-10-01T12:00:00Z",
      ["2028-02-29T00:00Z", "2032-02-29T00:00Z"],
    ],
    [
      "at a time that a clock leaves out, after the gap",
      timing("30 2 * * *", "America/New_York"),
      "2026-03-07T12:00:00Z",
      ["2026-03-08T07:00Z", "2026-03-09T06:30Z"],
    ],
    [
      "at a time that a clock shows twice, once",
      timing("30 1 * * *", "America/New_York"),
      "2026-10-31T12:00:00Z",
      ["2026-11-01T05:30Z", "2026-11-02T06:30Z"],
    ],
    [
      "of every hour, when the clock goes forward",
      timing("30 * * * *", "America/New_York"),
      "2026-03-08T06:00:00Z",
      ["2026-03-08T06:30Z", "2026-03-08T07:30Z", "2026-03-08T08:30Z"],
    ],
    [
      "of every hour, when the clock goes back",
      timing("30 * * * *", "America/New_York"),
      "2026-11-01T05:00:00Z",
      ["2026-11-01T05:30Z", "2026-11-01T06:30Z", "2026-11-01T07:30Z"],
    ],
    [
      "with a clock that goes forward by half an hour, not within the hour",
      timing("45 * * * *", "Australia/Lord_Howe"),
      "2026-10-03T14:00:00Z",
      ["2026-10-03T14:15Z", "2026-10-03T15:15Z", "2026-10-03T16:45Z"],
    ],
    [
      "with a clock that goes back by half an hour, not within the hour",
      timing("45 * * * *", "Australia/Lord_Howe"),
      "2026-04-04T14:00:00Z",
      ["2026-04-04T14:45Z", "2026-04-04T16:15Z", "2026-04-04T17:15Z"],
    ],
    [
      "at a time in a gap of half an hour, after it",
      timing("15 2 * * *", "Australia/Lord_Howe"),
      "2026-10-03T13:00:00Z",
      ["2026-10-03T15:30Z", "2026-10-04T15:15Z"],
    ],
    [
      "not on a day that a country left out",
      timing("0 12 30 * *", "Pacific/Apia"),
      "2011-12-01T00:00:00Z",
      ["2012-01-29T22:00Z"],
    ],
  ])("%s", (_, schedule, from, expected) => {
    expect(runs(schedule, from, expected.length)).toEqual(expected);
  });
});

describe("a tick outside the window", () => {
  test.each<[string, Timing, string, string[]]>([
    [
      "waits for the opening",
      timing("0 12 * * *", "UTC", ["22:00", "06:00", "UTC"]),
      "2026-10-01T00:00:00Z",
      ["2026-10-01T22:00Z", "2026-10-02T22:00Z"],
    ],
    [
      "with others that wait is one run",
      timing("0 * * * *", "UTC", ["22:00", "00:30", "UTC"]),
      "2026-10-01T00:10:00Z",
      ["2026-10-01T22:00Z", "2026-10-01T23:00Z", "2026-10-02T00:00Z", "2026-10-02T22:00Z"],
    ],
    [
      "waits by the window's own clock",
      timing("0 12 * * *", "America/New_York", ["01:00", "05:00", "Asia/Tokyo"]),
      "2026-10-01T00:00:00Z",
      ["2026-10-01T16:00Z"],
    ],
    [
      "waits until after the gap where the clock leaves the opening out",
      timing("0 0 * * *", "America/New_York", ["02:30", "04:00", "America/New_York"]),
      "2026-03-08T01:00:00Z",
      ["2026-03-08T07:00Z", "2026-03-09T06:30Z"],
    ],
    [
      "waits another day where the clock leaves the window out",
      timing("0 0 * * *", "America/New_York", ["02:10", "02:50", "America/New_York"]),
      "2026-03-08T01:00:00Z",
      ["2026-03-09T06:10Z"],
    ],
    [
      "waits for the first of two openings",
      timing("0 0 * * *", "America/New_York", ["01:30", "03:00", "America/New_York"]),
      "2026-11-01T03:00:00Z",
      ["2026-11-01T05:30Z", "2026-11-02T06:30Z"],
    ],
  ])("%s", (_, schedule, from, expected) => {
    expect(runs(schedule, from, expected.length)).toEqual(expected);
  });
});

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "America/St_Johns",
  "Africa/Casablanca",
  "Antarctica/Troll",
];
const zone = fc.constantFrom(...ZONES);
const clockTime = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
const hours = fc.oneof(
  fc.constant("*"),
  fc.constantFrom("*/2", "*/5", "1-3", "0,23"),
  fc.uniqueArray(fc.nat(23), { minLength: 1, maxLength: 4 }).map((some) => some.join(",")),
);
const schedule: fc.Arbitrary<Timing> = fc.record({
  id: fc.uuid(),
  cron: fc
    .tuple(fc.nat(59), hours, fc.constantFrom("*", "1", "31", "L"), fc.constantFrom("*", "1-5", "SUN"))
    .map(([minute, hour, day, weekday]) => `${minute} ${hour} ${day} * ${weekday}`),
  timezone: zone,
  window: fc.option(
    fc.record({ start: clockTime, end: clockTime, timezone: zone }).filter(({ start, end }) => start !== end),
    { nil: undefined },
  ),
});
/** Often close to a clock change. */
const instant = fc.oneof(
  fc.date({ min: new Date("2025-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
  fc
    .tuple(
      fc.constantFrom("2026-03-08T07:00Z", "2026-11-01T06:00Z", "2026-04-04T15:00Z", "2026-10-03T15:30Z"),
      fc.integer({ min: -200, max: 200 }),
    )
    .map(([change, minutes]) => new Date(Date.parse(change) + minutes * 60_000)),
);

test("jitter is a schedule's own, and at most five minutes", () => {
  const tick = new Date("2026-10-01T12:00:00Z");
  const late = Array.from({ length: 500 }, () => {
    const one = { id: crypto.randomUUID(), cron: "", timezone: "" };
    expect(runOf(one, tick)).toEqual(runOf(one, tick));
    return runOf(one, tick).getTime() - tick.getTime();
  });
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...late)).toBeLessThan(300_000);
  expect(new Set(late).size).toBeGreaterThan(100);
});

test("runs come later, within the window, and an hour apart at least", () => {
  fc.assert(
    fc.property(schedule, instant, (schedule, from) => {
      let after = from;
      let last: Date | undefined;
      for (let planned = 0; planned < 6; planned += 1) {
        const next = nextRun(schedule, after, last);
        if (!next) throw new Error("no run");
        expect(next.getTime()).toBeGreaterThan(after.getTime());
        if (last) expect(next.getTime() - last.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
        if (schedule.window) expect(isOpen(schedule.window, next)).toBe(true);
        after = last = next;
      }
    }),
    { numRuns: 300 },
  );
});

test("whenever it is asked for, it is the same run", () => {
  fc.assert(
    fc.property(schedule, instant, fc.nat(30 * 24 * HOUR_MS), (schedule, from, moreMs) => {
      const next = nextRun(schedule, from);
      if (!next || schedule.window) return;
      const later = new Date(Math.min(from.getTime() + moreMs, next.getTime() - 300_000));
      if (later < from) return;
      expect(nextRun(schedule, later)).toEqual(next);
    }),
    { numRuns: 300 },
  );
});

describe("a cron is refused", () => {
  test.each([
    ["that comes twice an hour", "0,30 * * * *", "more than once an hour"],
    ["that comes each minute", "* * * * *", "more than once an hour"],
    ["that comes within the hour over midnight", "0,59 0 * * *", "more than once an hour"],
    ["whose steps are shorter than an hour", "*/45 9 * * *", "more than once an hour"],
    ["that never comes", "0 0 30 2 *", "no such day exists"],
    ["with seconds", "0 0 0 * * *", "five fields"],
    ["that is a date", "2026-10-10T00:00:00", "five fields"],
    ["without its fields", "* * *", "five fields"],
    ["that goes by start-up", "@reboot", "unknown nickname; use one such as @daily"],
    ["with an unknown nickname", "@fortnightly", "unknown nickname; use one such as @daily"],
    ["with a minute that isn't there", "60 * * * *", "the minute must be 0 to 59"],
    ["with an hour that isn't there", "0 24 * * *", "the hour must be 0 to 23"],
    ["with a day that isn't there", "0 0 0 * *", "the day of the month must be 1 to 31"],
    ["with a month that isn't there", "0 0 * 13 *", "the month must be 1 to 12"],
    ["with a weekday that isn't there", "0 0 * * 8", "the day of the week must be 0 to 7"],
    ["that is something else", "every monday at noon or", "the minute must be"],
  ])("%s", async (_, cron, why) => {
    const refused = await failureOf(Promise.try(() => checkedCron(cron)));
    expect(refused).toMatchObject({ code: "invalid_parameter", details: [{ field: "cron" }] });
    expect(String(refused)).toContain(why);
  });

  test("whatever it is, and not otherwise than by name", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 40 }), fc.stringMatching(/^[\d*,/LW#?@ -]{1,30}$/)),
        (cron) => {
          try {
            expect(nextRun(timing(checkedCron(cron)), new Date())).toBeInstanceOf(Date);
          } catch (error) {
            expect(error).toMatchObject({ code: "invalid_parameter", details: [{ field: "cron" }] });
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test.each(["@daily", "0 0 * * 7", "  5  4 * * sun,mon ", "0 */6 1 JAN-JUN ?", "0 0 * * MON#2"])(
  "%s is a cron",
  (cron) => {
    expect(checkedCron(cron)).toBe(cron.trim().replaceAll(/ +/g, " "));
  },
);

test.each(["Nowhere/Else", "+01:00", "", "Europe/Berlin ", "\u0000"])("%j is no time zone", async (name) => {
  expect(await failureOf(Promise.try(() => checkTimeZone("timezone", name)))).toMatchObject({
    details: [{ field: "timezone" }],
  });
});
