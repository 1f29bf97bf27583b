import type { Operations } from "../../api/openapi.gen.ts";
import { entriesOf } from "../entries-of.ts";

type NewChannel = Operations["POST /orgs/{id}/notification-channels"]["body"];

/** Labels of the events that a channel can receive. */
export const EVENTS = entriesOf<NewChannel["events"][number], string>({
  "drift.detected": "New drift",
  "drift.resolved": "Resolved drift",
  "posture.degraded": "Worse posture",
  "rule.expiring": "Rule about to expire",
  "scan.failed": "Failed scan",
  "scan_schedule.disabled": "Paused schedule",
  "iac_source.unreadable": "Source with an unreadable state",
  "vcs_token.expiring": "Code host token about to expire",
  "webhook_config.rejecting": "Webhook that rejects events",
  "quota.exhausted": "Model quota used up",
  "byok.breaker_opened": "Failing model key",
  "notification_channel.disabled": "Another channel paused",
});

const NAMES = new Map<string, string>([
  ...EVENTS,
  ["channel.test", "Test message"],
  ["channel.confirmation", "Confirmation request"],
  ["digest", "Digest"],
]);

/** Returns an event's label; a newer gateway may send unknown events. */
export function eventText(type: string): string {
  return NAMES.get(type) ?? type;
}
