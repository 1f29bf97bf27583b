import type { ChannelDelivery } from "@leeway/shared/contracts/webhooks/channels";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

/** Then a message is forgotten; what it tells is a day later, so that all attempts of one that is redelivered have it. */
export const MESSAGE_DAYS = 30;

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

const isKept = (sql: Statements) => sql.part`created_at > now() - make_interval(days => ${MESSAGE_DAYS})`;

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

/** A message that isn't sent yet. */
export interface NewMessage {
  id: string;
  channelId: string;
  messageId: string;
  type: string;
  notificationIds: readonly string[];
  /** Until then its receiver wants to be left alone. */
  notBefore?: Date | null;
}

/** Puts a message into the outbox. */
export async function insertMessage(sql: OrgStatements, message: NewMessage): Promise<void> {
  const { id, channelId, messageId, type, notificationIds, notBefore } = message;
  await sql`
    insert into webhooks.messages (
      org_id, id, channel_id, message_id, type, notification_ids, status, next_attempt_at
    )
    values (
      ${sql.orgId}, ${id}, ${channelId}, ${messageId}, ${type}, ${[...notificationIds]}::text[], 'pending',
      greatest(now(), ${notBefore ?? null}::timestamptz)
    )
  `;
}

/** Leases messages of every organization that are due; see the function. */
export async function leaseMessages(
  sql: Statements,
  {
    holder,
    seconds,
    mostOfOrg,
    limit,
  }: { holder: string; seconds: number; mostOfOrg: number; limit: number },
): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`
    select org_id, id from webhooks.lease_messages(${holder}, ${seconds}, ${mostOfOrg}, ${limit})
  `;
}

/** A leased message and where it goes. */
export interface LeasedMessage extends Row {
  id: string;
  channel_id: string;
  message_id: string;
  type: string;
  notification_ids: string[];
  attempts: number;
  created_at: Date;
  kind: "webhook" | "slack" | "teams" | "email";
  name: string;
  enabled: boolean;
  sealed_target: Uint8Array;
  /** To whom of its recipients alone it is to be sent; null when to all. */
  sealed_left: Uint8Array | null;
}

/** A message that `holder` has leased; undefined when that is over. */
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

/** How an attempt went; without `retrySeconds` it was the last. */
export interface Attempted {
  id: string;
  holder: string;
  delivered: boolean;
  status?: number | undefined;
  reason?: string | undefined;
  retrySeconds?: number | undefined;
  /** To whom of its recipients alone it is to be sent then, where not to the same. */
  sealedLeft?: Buffer | undefined;
}

/** Writes down how an attempt went and gives the lease back; false when the lease was over. */
export async function noteAttempt(sql: OrgStatements, attempted: Attempted): Promise<boolean> {
  const { id, holder, delivered, status = null, reason = null, retrySeconds, sealedLeft = null } = attempted;
  const next = retrySeconds === undefined ? (delivered ? "delivered" : "failed") : "pending";
  const noted = await sql`
    update webhooks.messages
       set status = ${next}, attempts = attempts + 1, last_attempt_at = now(), response_status = ${status},
           reason = ${reason}, lease = null, leased_until = null,
           delivered_at = case when ${delivered} then now() end,
           sealed_left = case when ${next} = 'pending' then coalesce(${sealedLeft}::bytea, sealed_left) end,
           next_attempt_at = now() + make_interval(secs => ${retrySeconds ?? 0})
     where org_id = ${sql.orgId}
       and id = ${id}
       and lease = ${holder}
       and status = 'pending'
  `;
  return noted.count > 0;
}

/** Has all that waits for a channel, and what is told it meanwhile, wait for so long at least. */
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

/** Gives up all that waits for a channel. */
export async function failWaiting(sql: OrgStatements, channelId: string, reason: string): Promise<void> {
  await sql`
    update webhooks.messages
       set status = 'failed', reason = ${reason}, gathering = false, lease = null, leased_until = null
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and status = 'pending'
  `;
}

/** A page of a channel's messages, newest first. */
export async function listMessages(
  sql: OrgStatements,
  { channelId, status }: { channelId: string; status: string | undefined },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ChannelDelivery[]> {
  const rows = await sql<MessageRow>`
    select ${columns(sql)}
      from webhooks.messages
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and (${before ?? null}::uuid is null or id < ${before ?? null})
       and (${status ?? null}::text is null or status = ${status ?? null})
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

/**
 * Has a message sent once more, with all its attempts, also one that waits for its next. One that is being sent, or
 * hasn't been yet, is left as it is.
 */
export async function reopenMessage(
  sql: OrgStatements,
  { channelId, id }: { channelId: string; id: string },
): Promise<void> {
  await sql`
    update webhooks.messages
       set status = 'pending', attempts = 0, next_attempt_at = now(), reason = null, response_status = null,
           delivered_at = null, sealed_left = null
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and id = ${id}
       and ${isKept(sql)}
       and (status <> 'pending' or attempts > 0 and lease is null)
  `;
}
