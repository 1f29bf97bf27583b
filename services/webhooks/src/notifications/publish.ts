import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import {
  VIEWED_EVENTS,
  type NotificationEvent,
  type PublishNotification,
} from "@leeway/shared/contracts/webhooks/channels";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/values/digest";
import { AppError } from "@leeway/shared/values/errors";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

import { gatherMessage } from "./store/digests.ts";
import { insertMessage } from "./store/messages.ts";
import {
  channelsFor,
  insertNotification,
  lockPublishing,
  storeContent,
  viewsFor,
} from "./store/notifications.ts";

const MAX_DATA_BYTES = 64 << 10;
/** Members of `data` that differ on each occasion even if nothing changed. */
const OCCASION = /^(?:prior|scan_id|drift_snapshot_id|snapshot_id|.*_at)$/;

type Published = Output<typeof PublishNotification>;
type Publication = Omit<Input<typeof PublishNotification>, "org_id">;

/** Publishes events to the channels that subscribe to them. */
export interface Publisher {
  /** @throws {AppError} `payload_too_large`; `unavailable` */
  publish(input: Input<typeof PublishNotification>): Promise<Published>;
  /** Publishes within the caller's transaction, so that the event is sent exactly if that commits. */
  publishIn(tx: Transaction, publication: Publication): Promise<Published>;
}

export function createPublisher(database: Database, wake: () => void): Publisher {
  return {
    async publish({ org_id: orgId, ...publication }) {
      const published = await database.transaction(orgId.toLowerCase(), (tx) => publishIn(tx, publication));
      if (published.messages > 0) wake();
      const { event, view_id } = publication;
      if (view_id !== undefined || !VIEWED_EVENTS.includes(event.type)) return published;
      const viewIds = await viewsFor(database.org(orgId.toLowerCase()), event.type);
      return { ...published, ...(viewIds.length > 0 && { view_ids: viewIds }) };
    },
    publishIn,
  };
}

async function publishIn(tx: Transaction, publication: Publication): Promise<Published> {
  const { event, risk_level: riskLevel, change_key: changeKey } = publication;
  if (Buffer.byteLength(JSON.stringify(event.data)) > MAX_DATA_BYTES) {
    throw new AppError("payload_too_large", "the event's data exceeds the limit of 64 KiB");
  }
  await lockPublishing(tx);
  if (!(await insertNotification(tx, event))) return { status: "duplicate", messages: 0 };
  if (changeKey !== undefined && !(await storeContent(tx, changeKey, contentHash(event, riskLevel)))) {
    return { status: "unchanged", messages: 0 };
  }
  const viewId = VIEWED_EVENTS.includes(event.type) ? (publication.view_id ?? null) : undefined;
  const channels = await channelsFor(tx, event.type, viewId);
  const notified = channels.filter((channel) => isEnough(channel.min_risk, riskLevel));
  for (const { id: channelId, digest, paused_until: notBefore } of notified) {
    const id = Bun.randomUUIDv7();
    const what = { messageId: event.id, type: event.type, notificationIds: [event.id] };
    const one = { id, channelId, notBefore, ...what };
    if (digest === "none") await insertMessage(tx, one);
    else await gatherMessage(tx, { ...one, messageId: eventIdOf("digest", id), type: "digest" }, digest);
  }
  return { status: "accepted", messages: notified.length };
}

function isEnough(least: RiskLevel, level: RiskLevel | undefined): boolean {
  return level === undefined || isAtLeast(level, least);
}

function contentHash({ type, data }: NotificationEvent, riskLevel: RiskLevel | undefined): Buffer {
  const lasting = Object.entries(data).filter(([name]) => !OCCASION.test(name));
  return sha256(JSON.stringify([type, riskLevel ?? null, sorted(Object.fromEntries(lasting))]));
}

/** Returns the value with its members sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
