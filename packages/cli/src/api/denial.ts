import { text } from "@leeway/shared/json";

import type { Answer } from "./client.ts";
import { plain } from "./refusal.ts";
import { retryAfterMs } from "../http.ts";

const DENIALS: ReadonlySet<string> = new Set([
  "plan_weekly_quota_exhausted",
  "plan_hard_off",
  "plan_hourly_rate_limit",
  "byok_rate_limited",
]);

/** Why no model may write the words, in one sentence; undefined when that isn't what was answered. */
export function denialIn(answer: Answer): string | undefined {
  const { body, headers } = answer;
  const code = text(body, "code") ?? text(body, "error") ?? "";
  if (!DENIALS.has(code)) return undefined;
  const said = plain(text(body, "message") ?? "no words of a model are to be had");
  const resets = text(body, "hour_resets_at") ?? text(body, "retry_at") ?? text(body, "week_resets_at");
  const seconds = Math.ceil(retryAfterMs(headers) / 1000);
  const again = [
    code !== "plan_hard_off" && resets && `again from ${plain(resets)}`,
    seconds > 0 && `in ${seconds} s`,
  ].filter(Boolean);
  return `${said} (${code}${again.length > 0 ? `; ${again.join(", ")}` : ""})`;
}
