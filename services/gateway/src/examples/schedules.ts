import { ID } from "./common.ts";

export const NEW_SCAN_SCHEDULE = {
  account_id: ID.account,
  cron: "15 6 * * 1-5",
  timezone: "Europe/Berlin",
  window: { start: "22:00", end: "07:00", timezone: "Europe/Berlin" },
};
export const SCAN_SCHEDULE = {
  id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
  ...NEW_SCAN_SCHEDULE,
  enabled: true,
  consecutive_failures: 0,
  next_run_at: "2026-10-08T04:16:53.000Z",
  last_scan_id: ID.scan,
  created_by: { type: "person", id: ID.person },
  created_at: "2026-10-07T09:30:00.000Z",
  updated_at: "2026-10-07T09:30:00.000Z",
};
