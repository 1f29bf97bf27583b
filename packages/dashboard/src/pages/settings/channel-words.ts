import type { Operations } from "../../api/openapi.gen.ts";

type NewChannel = Operations["POST /orgs/{id}/notification-channels"]["body"];

/** What a channel can be told of, and how people call it. */
export const EVENTS: readonly (readonly [NewChannel["events"][number], string])[] = [
  ["drift.detected", "New drift"],
  ["drift.resolved", "Drift that is gone"],
  ["posture.degraded", "A posture that got worse"],
  ["scan.failed", "A scan that failed"],
  ["scan_schedule.disabled", "A schedule that was paused"],
  ["iac_source.unreadable", "A source whose state can’t be read"],
  ["vcs_token.expiring", "A code host’s token that ends soon"],
  ["webhook_config.rejecting", "A webhook that refuses what comes"],
  ["quota.exhausted", "The model’s quota used up"],
  ["byok.breaker_opened", "Your own model key failing"],
  ["notification_channel.disabled", "Another channel that was paused"],
];

const NAMES = new Map<string, string>([
  ...EVENTS,
  ["channel.test", "A test"],
  ["digest", "Several together"],
]);

/** What was told of, for people; a gateway that is newer than the page may know more. */
export function eventText(type: string): string {
  return NAMES.get(type) ?? type;
}
