import type { Tone } from "../../ui/badge.tsx";
import { countOf } from "../../ui/number.ts";
import type { WebhookConfig } from "./types.ts";

/** How near the end of a token has to be to be told. */
const WARN_DAYS = 14;

export interface Standing {
  tone: Tone;
  text: string;
  title: string;
}

/** What most needs to be known of a webhook, in a word. */
export function standingOf(config: WebhookConfig): Standing {
  if (!config.enabled) return { tone: "neutral", text: "Disabled", title: "Its secret opens nothing" };
  return tokenTrouble(config) ?? callsOf(config);
}

function tokenTrouble({ api_token_status: token }: WebhookConfig): Standing | undefined {
  if (!token) return undefined;
  if (token.last_error !== undefined) {
    return {
      tone: "critical",
      text: "Token refused",
      title: "Nothing can be commented until there is another",
    };
  }
  if (token.days_left > WARN_DAYS) return undefined;
  const left = countOf(Math.max(0, token.days_left), "day");
  return {
    tone: token.days_left <= 3 ? "critical" : "medium",
    text: token.days_left <= 0 ? "Token has ended" : `Token ends in ${left}`,
    title: "Give it a new token, so that comments go on",
  };
}

function callsOf({ consecutive_rejects: rejects, last_event_at: lastEvent }: WebhookConfig): Standing {
  if (rejects > 0) {
    const text = `${countOf(rejects, "call")} refused`;
    return {
      tone: "critical",
      text,
      title: "Since the last good one; code hosts disable hooks that keep failing",
    };
  }
  if (lastEvent === undefined) {
    return { tone: "medium", text: "Waiting for the first event", title: "Nothing has come yet" };
  }
  return { tone: "good", text: "Receiving", title: "The last call was good" };
}
