import type { Row } from "../../api/client.ts";
import type { IacSource, PostureRow } from "../../api/openapi.gen.ts";
import { countOf } from "../../ui/number.ts";

const DAY_MS = 86_400_000;
/** An account without a scan for this long has old figures. */
const STALE_DAYS = 3;
/** A token that expires sooner must be replaced now. */
const EXPIRING_DAYS = 14;
const URGENT_DAYS = 3;

/** Something that keeps figures from being right or messages from arriving, and the page where it is mended. */
export interface Trouble {
  key: string;
  text: string;
  why?: string | undefined;
  to: Target;
  isSevere: boolean;
}

export type Target =
  | { page: "account" | "scan" | "source" | "webhook"; id: string }
  | { page: "channels" | "schedules" };

export interface Watched {
  accounts: readonly PostureRow[];
  sources: readonly IacSource[];
  schedules: readonly Row<"GET /orgs/{id}/scan-schedules">[];
  channels: readonly Row<"GET /orgs/{id}/notification-channels">[];
  webhooks: readonly Row<"GET /orgs/{id}/webhooks">[];
}

/** Lists what needs attention, severe troubles first. */
export function troublesOf(watched: Watched, now: Date): Trouble[] {
  const names = new Map(watched.accounts.map((row) => [row.cloud_account_id, row.name ?? row.external_id]));
  const all = [
    ...watched.accounts.flatMap((row) => ofAccount(row, now)),
    ...watched.sources.flatMap(ofSource),
    ...watched.channels.flatMap(ofChannel),
    ...watched.webhooks.flatMap(ofWebhook),
    ...watched.schedules.flatMap((row) => ofSchedule(row, names.get(row.account_id) ?? row.account_id)),
  ];
  return all.toSorted((a, b) => Number(b.isSevere) - Number(a.isSevere));
}

function ofAccount(row: PostureRow, now: Date): Trouble[] {
  const { cloud_account_id: id, latest_scan: scan, last_scan_at: at, drift_status: drift } = row;
  const name = row.name ?? row.external_id;
  if (scan?.status === "failed") {
    const text = `The last scan of ${name} failed`;
    return [{ key: `scan ${id}`, text, to: { page: "scan", id: scan.id }, isSevere: true }];
  }
  if (drift === "error") {
    const text = `${name} couldn’t be compared with its code`;
    return [{ key: `drift ${id}`, text, to: { page: "account", id }, isSevere: true }];
  }
  const days = at === undefined ? 0 : (now.getTime() - Date.parse(at)) / DAY_MS;
  if (days < STALE_DAYS) return [];
  const text = `${name} wasn’t scanned for ${countOf(Math.floor(days), "day")}`;
  return [{ key: `stale ${id}`, text, to: { page: "account", id }, isSevere: false }];
}

function ofSource({ id, name, last_error: error }: IacSource): Trouble[] {
  if (!error) return [];
  const text = `The state of ${name} can’t be read`;
  return [{ key: `source ${id}`, text, why: error.message, to: { page: "source", id }, isSevere: true }];
}

function ofChannel(channel: Watched["channels"][number]): Trouble[] {
  const {
    id,
    name,
    enabled,
    disabled_reason: disabled,
    consecutive_failures: failures,
    last_failure,
  } = channel;
  const to: Target = { page: "channels" };
  if (!enabled && disabled !== undefined) {
    return [
      {
        key: `channel ${id}`,
        text: `Notifications to ${name} are paused`,
        why: disabled,
        to,
        isSevere: true,
      },
    ];
  }
  if (!enabled || (failures === 0 && !last_failure)) return [];
  const text = `Notifications to ${name} fail`;
  return [{ key: `channel ${id}`, text, why: last_failure?.reason, to, isSevere: true }];
}

type Webhook = Watched["webhooks"][number];

function ofWebhook(config: Webhook): Trouble[] {
  const name = config.name ?? config.repo_path ?? config.source;
  return [...ofToken(config, name), ...ofRejects(config, name)];
}

function ofRejects(
  { id, enabled, consecutive_rejects: rejects, last_reject: last }: Webhook,
  name: string,
): Trouble[] {
  if (!enabled || rejects === 0) return [];
  const text = `${name} rejected the last ${countOf(rejects, "event")}`;
  return [{ key: `rejects ${id}`, text, why: last?.reason, to: { page: "webhook", id }, isSevere: false }];
}

function ofToken({ id, api_token_status: token }: Webhook, name: string): Trouble[] {
  const to: Target = { page: "webhook", id };
  const key = `token ${id}`;
  if (token?.last_error !== undefined) {
    return [{ key, text: `The token of ${name} doesn’t work`, why: token.last_error, to, isSevere: true }];
  }
  if (!token || token.days_left > EXPIRING_DAYS) return [];
  const when = token.days_left < 0 ? "has expired" : `expires in ${countOf(token.days_left, "day")}`;
  return [{ key, text: `The token of ${name} ${when}`, to, isSevere: token.days_left < URGENT_DAYS }];
}

function ofSchedule(schedule: Watched["schedules"][number], account: string): Trouble[] {
  const { id, enabled, disabled_reason: why } = schedule;
  if (enabled) return [];
  const text = `A scan schedule of ${account} is paused`;
  return [{ key: `schedule ${id}`, text, why, to: { page: "schedules" }, isSevere: why !== undefined }];
}
