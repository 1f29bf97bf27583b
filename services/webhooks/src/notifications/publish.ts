import type { Input, Output } from "@leeway/shared/contract";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { NotificationEvent, PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/digest";
import { AppError } from "@leeway/shared/errors";
import { eventIdOf } from "@leeway/shared/event-id";
import { isAtLeast } from "@leeway/shared/risk-levels";

import { gatherMessage } from "./store/digests.ts";
import { insertMessage } from "./store/messages.ts";
import { channelsFor, insertNotification, lockPublishing, noteTold } from "./store/notifications.ts";

const MOST_DATA_BYTES = 64 << 10;
/** Members of `data` that are others each time though nothing has changed. */
const OCCASION = /^(?:prior|scan_id|drift_snapshot_id|snapshot_id|.*_at)$/;

type Published = Output<typeof PublishNotification>;
type Publication = Omit<Input<typeof PublishNotification>, "org_id">;

/** Tells channels of what happens. */
export interface Publisher {
  /** @throws {AppError} `payload_too_large`; `unavailable` */
  publish(input: Input<typeof PublishNotification>): Promise<Published>;
  /** The same within a transaction of somebody else's, so that it is told exactly when that is done. */
  publishIn(tx: Transaction, publication: Publication): Promise<Published>;
}

export function createPublisher(database: Database, wake: () => void): Publisher {
  return {
    async publish({ org_id: orgId, ...publication }) {
      const published = await database.transaction(orgId.toLowerCase(), (tx) => publishIn(tx, publication));
      if (published.messages > 0) wake();
      return published;
    },
    publishIn,
  };
}

async function publishIn(tx: Transaction, publication: Publication): Promise<Published> {
  const { event, risk_level: riskLevel, change_key: changeKey } = publication;
  if (Buffer.byteLength(JSON.stringify(event.data)) > MOST_DATA_BYTES) {
    throw new AppError("payload_too_large", "an event's data may have 64 KiB");
  }
  await lockPublishing(tx);
  if (!(await insertNotification(tx, event))) return { status: "duplicate", messages: 0 };
  if (changeKey !== undefined && !(await noteTold(tx, changeKey, contentHash(event, riskLevel)))) {
    return { status: "unchanged", messages: 0 };
  }
  const channels = await channelsFor(tx, event.type);
  const told = channels.filter((channel) => isEnough(channel.min_risk, riskLevel));
  for (const { id: channelId, digest, paused_until: notBefore } of told) {
    const id = Bun.randomUUIDv7();
    const what = { messageId: event.id, type: event.type, notificationIds: [event.id] };
    const one = { id, channelId, notBefore, ...what };
    if (digest === "none") await insertMessage(tx, one);
    else await gatherMessage(tx, { ...one, messageId: eventIdOf("digest", id), type: "digest" }, digest);
  }
  return { status: "accepted", messages: told.length };
}

function isEnough(least: RiskLevel, level: RiskLevel | undefined): boolean {
  return level === undefined || isAtLeast(level, least);
}

function contentHash({ type, data }: NotificationEvent, riskLevel: RiskLevel | undefined): Buffer {
  const lasting = Object.entries(data).filter(([name]) => !OCCASION.test(name));
  return sha256(JSON.stringify([type, riskLevel ?? null, sorted(Object.fromEntries(lasting))]));
}

/** The same value with its members in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
