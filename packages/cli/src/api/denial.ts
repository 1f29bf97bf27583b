import { text } from "@leeway/shared/values/json";

import type { Answer } from "./client.ts";
import { plain } from "./refusal.ts";
import { retryAfterMs } from "../http.ts";

const HARD_OFF = "plan_hard_off";
const RESETS = ["hour_resets_at", "retry_at", "week_resets_at"];
const DENIALS: ReadonlySet<string> = new Set([
  "plan_weekly_quota_exhausted",
  HARD_OFF,
  "plan_hourly_rate_limit",
  "byok_rate_limited",
]);

/** Explains in a sentence why a quota denies a model's explanation; undefined for other answers. */
export function denialIn(answer: Answer): string | undefined {
  const { body } = answer;
  const code = text(body, "code") ?? text(body, "error") ?? "";
  if (!DENIALS.has(code)) return undefined;
  const said = plain(text(body, "message") ?? "no model is available");
  return `${said} (${[code, ...opening(answer)].join("; ")})`;
}

/** Returns when the quota has slots again, as a timestamp and in seconds; empty for a plan without slots. */
function opening({ body, headers }: Answer): string[] {
  if (text(body, "code") === HARD_OFF) return [];
  const at = RESETS.map((name) => text(body, name)).find((each) => each !== undefined);
  const seconds = Math.ceil(retryAfterMs(headers) / 1000);
  return [
    ...(at === undefined ? [] : [`available again at ${plain(at)}`]),
    ...(seconds > 0 ? [`in ${seconds} s`] : []),
  ];
}
