import { members, text, type JsonObject } from "@leeway/shared/values/json";

/** Dashboard pages below the organization's, by event type. `{member}` stands for a member of the event's data. */
const PAGES: Readonly<Record<string, string>> = {
  "scan.failed": "/scans/{scan_id}",
  "scan_schedule.disabled": "/scans/schedules",
  "iac_source.unreadable": "/sources",
  "drift.detected": "/drift/snapshots/{drift_snapshot_id}",
  "drift.resolved": "/drift/snapshots/{drift_snapshot_id}",
  "posture.degraded": "/posture",
  "rule.expiring": "/drift",
  "vcs_token.expiring": "/webhooks/{config_id}",
  "quota.exhausted": "/usage",
  "byok.breaker_opened": "/usage",
  "webhook_config.rejecting": "/webhooks/{config_id}",
  "notification_channel.disabled": "/settings/channels",
  "channel.test": "/settings/channels",
};

/** Returns the dashboard URL of an event; undefined if no page shows it. */
export function pageOf(
  { publicBaseUrl, orgId }: { publicBaseUrl: string; orgId: string },
  { type, data }: { type: string; data: JsonObject },
): string | undefined {
  const page = onlyChange(type, data) ?? PAGES[type];
  if (page === undefined) return undefined;
  const filled = page.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(text(data, name) ?? ""),
  );
  return `${publicBaseUrl}/orgs/${orgId}${filled}`;
}

/** Returns the page of a change, if the event reports no other. */
function onlyChange(type: string, data: JsonObject): string | undefined {
  if (type !== "drift.detected" && type !== "drift.resolved") return undefined;
  const [only, ...others] = members(data, "changes");
  const fingerprint = only && others.length === 0 ? text(only, "fingerprint") : undefined;
  return fingerprint === undefined ? undefined : `/drift/${encodeURIComponent(fingerprint)}`;
}
