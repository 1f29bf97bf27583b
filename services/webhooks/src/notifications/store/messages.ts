import { RETENTION } from "@leeway/shared/contracts/retention";
import type { ChannelDelivery } from "@leeway/shared/contracts/webhooks/channels";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface MessageRow extends Row, Pick<ChannelDelivery, "id" | "channel_id" | "message_id" | "type"> {
  notification_ids: string[];
  status: ChannelDelivery["status"];
  attempts: number;
  next_attempt_at: Date;
  last_attempt_at: Date | null;
  response_status: number | null;
  reason: string | null;
  created_at: Date;
  delivered_at: Date | null;
}

const columns = (sql: Statements) => sql.part`
  id, channel_id, message_id, type, notification_ids, status, attempts, next_attempt_at, last_attempt_at,
  response_status, reason, created_at, delivered_at
`;

const isKept = (sql: Statements) =>
  sql.part`created_at > now() - make_interval(days => ${RETENTION.messages.days})`;

function fromRow(row: MessageRow): ChannelDelivery {
  const { id, channel_id, message_id, type, status, attempts, notification_ids: event_ids } = row;
  const { response_status, reason, last_attempt_at, delivered_at, next_attempt_at } = row;
  return {
    id,
    channel_id,
    message_id,
    type,
    event_ids,
    status,
    attempts,
    created_at: row.created_at.toISOString(),
    ...present({
      next_attempt_at: status === "pending" ? next_attempt_at.toISOString() : undefined,
      last_attempt_at: last_attempt_at?.toISOString(),
      delivered_at: delivered_at?.toISOString(),
      response_status,
      reason,
    }),
  };
}

/** A message that hasn't been sent yet. */
export interface NewMessage {
  id: string;
  channelId: string;
  messageId: string;
  type: string;
  notificationIds: readonly string[];
  /** End of a pause requested by the receiver. */
  notBefore?: Date | null;
  /** Limits the message to some of the recipients. */
  sealedLeft?: Buffer;
}

/** Adds a message to the outbox. */
export async function insertMessage(sql: OrgStatements, message: NewMessage): Promise<void> {
  const { id, channelId, messageId, type, notificationIds, notBefore, sealedLeft = null } = message;
  await sql`
    insert into webhooks.messages (
      org_id, id, channel_id, message_id, type, notification_ids, status, next_attempt_at, sealed_left
    )
    values (
      ${sql.orgId}, ${id}, ${channelId}, ${messageId}, ${type}, ${[...notificationIds]}::text[], 'pending',
      greatest(now(), ${notBefore ?? null}::timestamptz), ${sealedLeft}::bytea
    )
  `;
}

/** Leases due messages of all organizations; see the SQL function. */
export async function leaseMessages(
  sql: Statements,
  { holder, seconds, maxOfOrg, limit }: { holder: string; seconds: number; maxOfOrg: number; limit: number },
): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`
    select org_id, id from webhooks.lease_messages(${holder}, ${seconds}, ${maxOfOrg}, ${limit})
  `;
}

/** A leased message with its channel. */
export interface LeasedMessage extends Row {
  id: string;
  channel_id: string;
  message_id: string;
  type: string;
  notification_ids: string[];
  attempts: number;
  created_at: Date;
  /** May be one that only a newer version of this service knows. */
  kind: string;
  name: string;
  enabled: boolean;
  sealed_target: Uint8Array;
  /** Recipients that are left; null for all. */
  sealed_left: Uint8Array | null;
}

/** Returns a message leased by `holder`; undefined if the lease has ended. */
export async function leasedMessage(
  sql: OrgStatements,
  id: string,
  holder: string,
): Promise<LeasedMessage | undefined> {
  const [row] = await sql<LeasedMessage>`
    select m.id, m.channel_id, m.message_id, m.type, m.notification_ids, m.attempts, m.created_at, c.kind, c.name,
           c.enabled, c.sealed_target, m.sealed_left
      from webhooks.messages m
      join webhooks.channels c on c.org_id = m.org_id and c.id = m.channel_id
     where m.org_id = ${sql.orgId}
       and m.id = ${id}
       and m.lease = ${holder}
       and m.status = 'pending'
  `;
  return row;
}

/** Outcome of an attempt; without `retrySeconds` it was the last. */
export interface Attempted {
  id: string;
  holder: string;
  delivered: boolean;
  status?: number | undefined;
  reason?: string | undefined;
  retrySeconds?: number | undefined;
  /** Recipients for the next attempt; unchanged if absent. */
  sealedLeft?: Buffer | undefined;
}

/** Records the outcome of an attempt and releases the lease. Returns false if the lease had ended. */
export async function noteAttempt(sql: OrgStatements, attempted: Attempted): Promise<boolean> {
  const { id, holder, delivered, status = null, reason = null, retrySeconds, sealedLeft = null } = attempted;
  const next = retrySeconds === undefined ? (delivered ? "delivered" : "failed") : "pending";
  const noted = await sql`
    update webhooks.messages
       set status = ${next}, attempts = attempts + 1, last_attempt_at = now(), response_status = ${status},
           reason = ${reason}, lease = null, leased_until = null,
           delivered_at = now() + case when ${delivered} then interval '0' end,
           sealed_left = case when ${next} = 'pending' then coalesce(${sealedLeft}::bytea, sealed_left) end,
           next_attempt_at = now() + make_interval(secs => ${retrySeconds ?? 0})
     where org_id = ${sql.orgId}
       and id = ${id}
       and lease = ${holder}
       and status = 'pending'
  `;
  return noted.count > 0;
}

/** Delays a channel's pending and future messages by at least `seconds`. */
export async function holdBack(sql: OrgStatements, channelId: string, seconds: number): Promise<void> {
  await sql`
    update webhooks.channels
       set paused_until = greatest(paused_until, now() + make_interval(secs => ${seconds}))
     where org_id = ${sql.orgId}
       and id = ${channelId}
  `;
  await sql`
    update webhooks.messages
       set next_attempt_at = greatest(next_attempt_at, now() + make_interval(secs => ${seconds}))
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and status = 'pending'
  `;
}

/** Fails all pending messages of a channel. */
export async function failWaiting(sql: OrgStatements, channelId: string, reason: string): Promise<void> {
  await sql`
    update webhooks.messages
       set status = 'failed', reason = ${reason}, gathering = false, lease = null, leased_until = null
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and status = 'pending'
  `;
}

/** Returns a page of a channel's messages, newest first. */
export async function listMessages(
  sql: OrgStatements,
  { channelId, status }: { channelId: string; status: string | undefined },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ChannelDelivery[]> {
  const { part } = sql;
  const rows = await sql<MessageRow>`
    select ${columns(sql)}
      from webhooks.messages
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       ${before === undefined ? part`` : part`and id < ${before}`}
       ${status === undefined ? part`` : part`and status = ${status}`}
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

export async function getMessage(
  sql: OrgStatements,
  { channelId, id }: { channelId: string; id: string },
): Promise<ChannelDelivery | undefined> {
  const [row] = await sql<MessageRow>`
    select ${columns(sql)}
      from webhooks.messages
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and id = ${id}
       and ${isKept(sql)}
  `;
  return row && fromRow(row);
}

/** Counts a channel's messages of a type in the last hour. */
export async function countMessages(
  sql: OrgStatements,
  { channelId, type }: { channelId: string; type: string },
): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count
      from webhooks.messages
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and type = ${type}
       and created_at > now() - interval '1 hour'
  `;
  return row?.count ?? 0;
}

/**
 * Sends a message again, with all its attempts, even if it waits for its next attempt. A message that is being sent,
 * or hasn't been tried yet, is left alone.
 */
export async function reopenMessage(
  sql: OrgStatements,
  { channelId, id }: { channelId: string; id: string },
): Promise<boolean> {
  const reopened = await sql`
    update webhooks.messages
       set status = 'pending', attempts = 0, next_attempt_at = now(), reason = null, response_status = null,
           delivered_at = null, sealed_left = null
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and id = ${id}
       and ${isKept(sql)}
       and (status <> 'pending' or attempts > 0 and lease is null)
  `;
  return reopened.count > 0;
}
