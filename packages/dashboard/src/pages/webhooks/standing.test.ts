import { expect, test } from "bun:test";

import { standingOf } from "./standing.ts";
import type { WebhookConfig } from "./types.ts";

const TOKEN: WebhookConfig["api_token_status"] & object = {
  configured: true,
  name: "leeway",
  username: "bot",
  scopes: ["api"],
  expires_at: "2027-01-01T00:00:00Z",
  days_left: 90,
  last_checked_at: "2026-11-01T00:00:00Z",
};

function config(more: Partial<WebhookConfig>): WebhookConfig {
  return {
    id: crypto.randomUUID(),
    org_id: crypto.randomUUID(),
    source: "vcs",
    secret_prefix: "whsec_00000000",
    enabled: true,
    url: "https://leeway.example.com",
    api_token_status: TOKEN,
    last_event_at: "2026-11-01T00:00:00Z",
    consecutive_rejects: 0,
    created_by: { type: "person", id: "a" },
    created_at: "2026-10-01T00:00:00Z",
    updated_at: "2026-10-01T00:00:00Z",
    ...more,
  };
}

const { last_event_at: _, ...neverCalled } = config({});

test.each<[string, WebhookConfig, string]>([
  ["that is good", config({}), "good: Receiving"],
  ["to which nothing came", neverCalled, "medium: Waiting for the first event"],
  [
    "that is switched off, whatever else",
    config({ enabled: false, consecutive_rejects: 3 }),
    "neutral: Disabled",
  ],
  ["that refuses what comes", config({ consecutive_rejects: 2 }), "critical: 2 calls refused"],
  [
    "whose token is turned away",
    config({ api_token_status: { ...TOKEN, last_error: "rejected" }, consecutive_rejects: 1 }),
    "critical: Token refused",
  ],
  [
    "whose token ends soon",
    config({ api_token_status: { ...TOKEN, days_left: 14 } }),
    "medium: Token ends in 14 days",
  ],
  [
    "whose token ends tomorrow",
    config({ api_token_status: { ...TOKEN, days_left: 1 } }),
    "critical: Token ends in 1 day",
  ],
  [
    "whose token has ended",
    config({ api_token_status: { ...TOKEN, days_left: -2 } }),
    "critical: Token has ended",
  ],
])("of a webhook %s, that is what is told", (_, config, told) => {
  const { tone, text } = standingOf(config);
  expect(`${tone}: ${text}`).toBe(told);
});
