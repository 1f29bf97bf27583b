import { text, type JsonObject } from "@leeway/shared/json";

/** Pages of the dashboard below an organization's, by the events that they show; of `{member}` stands that of the data. */
const PAGES: Readonly<Record<string, string>> = {
  "scan.failed": "/scans/{scan_id}",
  "scan_schedule.disabled": "/scans/schedules",
  "iac_source.unreadable": "/sources",
  "drift.detected": "/drift/snapshots/{drift_snapshot_id}",
  "drift.resolved": "/drift/snapshots/{drift_snapshot_id}",
  "posture.degraded": "/posture",
  "vcs_token.expiring": "/webhooks/{config_id}",
  "quota.exhausted": "/usage",
  "byok.breaker_opened": "/usage",
  "webhook_config.rejecting": "/webhooks/{config_id}",
  "notification_channel.disabled": "/settings/channels",
  "channel.test": "/settings/channels",
};

/** Where people see more of an event; undefined where no page shows it. */
export function pageOf(
  { publicBaseUrl, orgId }: { publicBaseUrl: string; orgId: string },
  { type, data }: { type: string; data: JsonObject },
): string | undefined {
  const page = PAGES[type];
  if (page === undefined) return undefined;
  const filled = page.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(text(data, name) ?? ""),
  );
  return `${publicBaseUrl}/orgs/${orgId}${filled}`;
}
