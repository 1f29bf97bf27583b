import type { Digest } from "@leeway/shared/contracts/webhooks/channels";
import type { Statements, Transaction } from "@leeway/shared/database/database";

import type { NewMessage } from "./messages.ts";

/** Maximum number of events in a digest; the rest wait for the next one. */
const MAX_IN_DIGEST = 100;

/** Interval of a channel that sends digests. */
type Gathered = Exclude<Digest, "none">;
const UNITS: Readonly<Record<Gathered, string>> = { hourly: "hour", daily: "day" };

/** Builds the SQL for the time of a channel's next digest. */
const nextDigest = (sql: Statements, every: Gathered) =>
  sql.part`date_add(date_trunc(${UNITS[every]}, now(), 'UTC'), ${`1 ${UNITS[every]}`}::interval, 'UTC')`;

/** Adds an event to a channel's current digest. If there is none, creates `message`. */
export async function gatherMessage(
  tx: Transaction,
  { id, channelId, messageId, type, notificationIds, notBefore }: NewMessage,
  every: Gathered,
): Promise<void> {
  await tx`
    update webhooks.messages
       set gathering = false
     where org_id = ${tx.orgId}
       and channel_id = ${channelId}
       and gathering
       and cardinality(notification_ids) >= ${MAX_IN_DIGEST}
  `;
  await tx`
    insert into webhooks.messages as m (
      org_id, id, channel_id, message_id, type, notification_ids, gathering, status, next_attempt_at
    )
    values (
      ${tx.orgId}, ${id}, ${channelId}, ${messageId}, ${type}, ${[...notificationIds]}::text[], true, 'pending',
      greatest(${nextDigest(tx, every)}, ${notBefore ?? null}::timestamptz)
    )
    on conflict (org_id, channel_id) where gathering do update
       set notification_ids = m.notification_ids || excluded.notification_ids,
           -- If the channel now wants hourly digests, a daily one is sent at the next hour.
           next_attempt_at = least(m.next_attempt_at, excluded.next_attempt_at)
  `;
}

/**
 * Reschedules a channel's current digest after its setting changed: to the new interval, or to now if digests are
 * off.
 */
export async function hastenGathered(tx: Transaction, channelId: string, digest: Digest): Promise<void> {
  await tx`
    update webhooks.messages m
       set gathering = m.gathering and ${digest !== "none"},
           next_attempt_at = least(
             m.next_attempt_at,
             greatest(${digest === "none" ? tx.part`now()` : nextDigest(tx, digest)}, c.paused_until)
           )
      from webhooks.channels c
     where m.org_id = ${tx.orgId}
       and m.channel_id = ${channelId}
       and m.type = 'digest'
       and m.status = 'pending'
       and m.attempts = 0
       and c.org_id = m.org_id
       and c.id = m.channel_id
       and c.enabled
  `;
}
