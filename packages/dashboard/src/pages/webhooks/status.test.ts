import { expect, test } from "bun:test";

import { statusOf } from "./status.ts";
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
  ["with accepted requests", config({}), "good: Receiving"],
  ["without events", neverCalled, "medium: Waiting for the first event"],
  [
    "that is disabled, despite rejected requests",
    config({ enabled: false, consecutive_rejects: 3 }),
    "neutral: Disabled",
  ],
  ["that rejects requests", config({ consecutive_rejects: 2 }), "critical: 2 requests rejected"],
  [
    "with a rejected token",
    config({ api_token_status: { ...TOKEN, last_error: "rejected" }, consecutive_rejects: 1 }),
    "critical: Token rejected",
  ],
  [
    "with a token that expires soon",
    config({ api_token_status: { ...TOKEN, days_left: 14 } }),
    "medium: Token expires in 14 days",
  ],
  [
    "with a token that expires tomorrow",
    config({ api_token_status: { ...TOKEN, days_left: 1 } }),
    "critical: Token expires in 1 day",
  ],
  [
    "with an expired token",
    config({ api_token_status: { ...TOKEN, days_left: -2 } }),
    "critical: Token expired",
  ],
])("shows the status of a webhook %s", (_, config, expected) => {
  const { tone, text } = statusOf(config);
  expect(`${tone}: ${text}`).toBe(expected);
});
