import { expect, test } from "bun:test";

import type { PostureRow } from "../../api/openapi.gen.ts";
import { troublesOf, type Watched } from "./attention.ts";
import { homeSearch, momentSince } from "./since.ts";

const NOW = new Date("2026-11-21T12:00:30Z");
const NONE: Watched = { accounts: [], sources: [], schedules: [], channels: [], webhooks: [] };
const counts = {
  live_count: 0,
  matched_count: 0,
  undeclared_count: 0,
  unchecked_count: 0,
  excluded_count: 0,
  missing_count: 0,
  unobserved_count: 0,
};
const account = (more: Partial<PostureRow>): Pick<Watched, "accounts"> => ({
  accounts: [
    {
      cloud_account_id: "1",
      provider: "aws",
      external_id: "1",
      name: "shop",
      drift_status: "ready",
      ...counts,
      ...more,
    },
  ],
});
const by = { type: "person" as const, id: "ada" };
const at = { created_at: "", updated_at: "" };
const source = {
  id: "s",
  name: "network",
  resource_count: 0,
  matched_count: 0,
  missing_count: 0,
  unobserved_count: 0,
  ...at,
};
const schedule = {
  id: "t",
  account_id: "1",
  cron: "@daily",
  timezone: "UTC",
  consecutive_failures: 5,
  created_by: by,
  ...at,
};
const channel = {
  id: "c",
  kind: "slack" as const,
  name: "ops",
  events: [],
  min_risk: "none" as const,
  digest: "none" as const,
  target: {},
  consecutive_failures: 0,
  enabled: true,
  created_by: by,
  ...at,
};
const token = {
  configured: true as const,
  name: "t",
  username: "u",
  scopes: [],
  expires_at: "",
  last_checked_at: "",
};
const webhook = {
  id: "w",
  org_id: "o",
  source: "vcs" as const,
  name: "infra",
  secret_prefix: "",
  enabled: true,
  url: "",
  consecutive_rejects: 0,
  created_by: by,
  ...at,
};

test.each<[Partial<Watched>, string, isSevere: boolean]>([
  [
    account({ latest_scan: { id: "x", status: "failed", at: "2026-11-21T00:00:00Z" } }),
    "The last scan of shop failed",
    true,
  ],
  [account({ drift_status: "error" }), "shop couldn’t be compared with its code", true],
  [account({ last_scan_at: "2026-11-17T00:00:00Z" }), "shop wasn’t scanned for 4 days", false],
  [
    { sources: [{ ...source, last_error: { code: "denied", message: "no access", at: "" } }] },
    "The state of network can’t be read",
    true,
  ],
  [
    { channels: [{ ...channel, last_failure: { at: "", reason: "500" } }] },
    "Notifications to ops fail",
    true,
  ],
  [
    { channels: [{ ...channel, enabled: false, disabled_reason: "gone" }] },
    "Notifications to ops are paused",
    true,
  ],
  [
    { webhooks: [{ ...webhook, api_token_status: { ...token, days_left: 5 } }] },
    "The token of infra expires in 5 days",
    false,
  ],
  [{ webhooks: [{ ...webhook, consecutive_rejects: 2 }] }, "infra rejected the last 2 events", false],
  [
    { ...account({ last_scan_at: "2026-11-21T00:00:00Z" }), schedules: [{ ...schedule, enabled: false }] },
    "A scan schedule of shop is paused",
    false,
  ],
])("%# needs attention", (watched, text, isSevere) => {
  expect(troublesOf({ ...NONE, ...watched }, NOW)).toMatchObject([{ text, isSevere }]);
});

test("what works, or was paused by a person, needs no attention", () => {
  const well = {
    ...account({ last_scan_at: "2026-11-21T00:00:00Z" }),
    sources: [source],
    schedules: [{ ...schedule, enabled: true }],
    channels: [channel, { ...channel, id: "paused", enabled: false }],
    webhooks: [{ ...webhook, api_token_status: { ...token, days_left: 60 } }],
  };
  expect(troublesOf({ ...NONE, ...well }, NOW)).toEqual([]);
});

test.each([
  ["1", undefined, "2026-11-20T12:00:00.000Z"],
  ["7", undefined, "2026-11-14T12:00:00.000Z"],
  ["2026-11-03", undefined, "2026-11-03T00:00:00.000Z"],
  ["visit", new Date("2026-11-20T18:00:10Z"), "2026-11-20T18:00:00.000Z"],
  ["visit", undefined, "2026-11-20T12:00:00.000Z"],
])("since %s with the last visit at %s is %s", (since, visit, moment) =>
  expect(momentSince(since, NOW, visit)).toBe(moment),
);

test("an address keeps a known moment only", () => {
  expect(homeSearch({ since: "7" })).toEqual({ since: "7" });
  expect(homeSearch({ since: "2026-11-03" })).toEqual({ since: "2026-11-03" });
  expect(homeSearch({ since: "2026-13-45" })).toEqual({});
});
