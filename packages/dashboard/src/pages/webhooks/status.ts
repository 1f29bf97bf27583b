import type { Tone } from "../../ui/badge.tsx";
import { countOf } from "../../ui/number.ts";
import type { WebhookConfig } from "./types.ts";

/** Number of days before a token's expiry at which a warning appears. */
const WARN_DAYS = 14;

export interface WebhookStatus {
  tone: Tone;
  text: string;
  title: string;
}

/** Returns the most important fact about a webhook. */
export function statusOf(config: WebhookConfig): WebhookStatus {
  if (!config.enabled) return { tone: "neutral", text: "Disabled", title: "Its events are rejected" };
  return tokenTrouble(config) ?? callsOf(config);
}

function tokenTrouble({ api_token_status: token }: WebhookConfig): WebhookStatus | undefined {
  if (!token) return undefined;
  if (token.last_error !== undefined) {
    return {
      tone: "critical",
      text: "Token rejected",
      title: "Leeway can’t comment until you add a new token",
    };
  }
  if (token.days_left > WARN_DAYS) return undefined;
  const left = countOf(Math.max(0, token.days_left), "day");
  return {
    tone: token.days_left <= 3 ? "critical" : "medium",
    text: token.days_left <= 0 ? "Token expired" : `Token expires in ${left}`,
    title: "Add a new token to keep commenting",
  };
}

function callsOf({ consecutive_rejects: rejects, last_event_at: lastEvent }: WebhookConfig): WebhookStatus {
  if (rejects > 0) {
    const text = `${countOf(rejects, "request")} rejected`;
    return {
      tone: "critical",
      text,
      title: "Since the last accepted one. Code hosts disable webhooks that keep failing.",
    };
  }
  if (lastEvent === undefined) {
    return { tone: "medium", text: "Waiting for the first event", title: "No event received yet" };
  }
  return { tone: "good", text: "Receiving", title: "The last request was accepted" };
}
