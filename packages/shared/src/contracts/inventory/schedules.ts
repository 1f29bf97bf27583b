import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../contract.ts";
import { Actor, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";

const TimeZone = t.String({
  minLength: 1,
  maxLength: 64,
  description: "IANA name of the time zone",
  examples: ["Europe/Berlin"],
});
const ClockTime = t.String({
  pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
  errorMessage: "must be a time as HH:MM, such as 06:30",
});

/**
 * Time of day, in a time zone, in which scheduled scans may start. A window that ends before it starts crosses
 * midnight.
 */
export const ScanWindow = t.Object({ start: ClockTime, end: ClockTime, timezone: TimeZone });
export type ScanWindow = Static<typeof ScanWindow>;

const Cron = t.String({
  minLength: 1,
  maxLength: 200,
  description: "Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on",
  examples: ["15 6 * * 1-5"],
});

/** Schedule of an account's automatic scans. */
export const ScanSchedule = t.Object({
  id: Uuid,
  account_id: Uuid,
  cron: Cron,
  timezone: TimeZone,
  window: t.Optional(ScanWindow),
  enabled: t.Boolean(),
  consecutive_failures: t.Integer({
    description: "Consecutive failed scans. The fifth disables the schedule",
  }),
  disabled_at: t.Optional(Timestamp),
  disabled_reason: t.Optional(t.String({ description: "Why Leeway disabled the schedule" })),
  next_run_at: t.Optional(Timestamp),
  last_scan_id: t.Optional(Uuid),
  last_skip: t.Optional(
    t.Object(
      { at: Timestamp, reason: t.String() },
      { description: "Time and reason of the last run that started no scan" },
    ),
  ),
  created_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type ScanSchedule = Static<typeof ScanSchedule>;

export const NewScanSchedule = t.Object({
  account_id: Uuid,
  cron: Cron,
  timezone: t.Optional(t.String({ ...TimeZone, default: "UTC" })),
  window: t.Optional(ScanWindow),
  enabled: t.Optional(t.Boolean({ default: true })),
});

export const ScanScheduleChanges = t.Object({
  cron: t.Optional(Cron),
  timezone: t.Optional(TimeZone),
  window: t.Optional(t.Union([ScanWindow, t.Null()], { description: "null allows any time" })),
  enabled: t.Optional(t.Boolean()),
});

const One = { org_id: Uuid, schedule_id: Uuid };

export const CreateSchedule = defineRequest("inventory.schedules.create", {
  input: t.Composite([t.Object({ org_id: Uuid, schedule_id: NewId, created_by: Actor }), NewScanSchedule]),
  output: ScanSchedule,
});
export const ListSchedules = defineRequest("inventory.schedules.list", {
  input: t.Object({ ...PageInput, account_id: t.Optional(Uuid) }),
  output: page(ScanSchedule),
});
export const GetSchedule = defineRequest("inventory.schedules.get", {
  input: t.Object(One),
  output: ScanSchedule,
});
export const UpdateSchedule = defineRequest("inventory.schedules.update", {
  input: t.Composite([t.Object(One), ScanScheduleChanges]),
  output: ScanSchedule,
});
export const DeleteSchedule = defineRequest("inventory.schedules.delete", {
  input: t.Object(One),
  output: t.Object({}),
});
