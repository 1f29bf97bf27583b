import { text } from "@leeway/shared/json";

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

/** Why no model may write the words, in one sentence; undefined when that isn't what was answered. */
export function denialIn(answer: Answer): string | undefined {
  const { body } = answer;
  const code = text(body, "code") ?? text(body, "error") ?? "";
  if (!DENIALS.has(code)) return undefined;
  const said = plain(text(body, "message") ?? "no words of a model are to be had");
  return `${said} (${[code, ...opening(answer)].join("; ")})`;
}

/** When the gate opens again, as an instant and in seconds; that of a plan without any doesn't. */
function opening({ body, headers }: Answer): string[] {
  if (text(body, "code") === HARD_OFF) return [];
  const at = RESETS.map((name) => text(body, name)).find((each) => each !== undefined);
  const seconds = Math.ceil(retryAfterMs(headers) / 1000);
  return [
    ...(at === undefined ? [] : [`again from ${plain(at)}`]),
    ...(seconds > 0 ? [`in ${seconds} s`] : []),
  ];
}
