import type { Channel, ChannelKind, Digest } from "@leeway/shared/contracts/webhooks/channels";
import type { RecipientStatus } from "@leeway/shared/contracts/webhooks/recipients";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import type { Statuses } from "./recipients.ts";

/** Limit per organization, because every event is compared with each channel. */
const MAX_CHANNELS = 20;

/** A stored channel, with its target sealed. */
export interface StoredChannel {
  id: string;
  sealed: Uint8Array;
  /** Confirmation status of its addresses. */
  statuses: Statuses;
  /** All members except the sealed ones. */
  shown: Omit<Channel, "target" | "recipients">;
}

interface ChannelRow extends Row, Pick<Channel, "name" | "events" | "min_risk" | "enabled" | "created_by"> {
  id: string;
  kind: ChannelKind;
  view_id: string | null;
  digest: Digest;
  sealed_target: Uint8Array;
  consecutive_failures: number;
  disabled_at: Date | null;
  disabled_reason: string | null;
  last_delivered_at: Date | null;
  created_at: Date;
  updated_at: Date;
  statuses: Record<string, RecipientStatus> | null;
  last_failure: { at: string; reason: string } | null;
}

/** Number of a channel's newest messages among which its last attempt is looked for. */
const MAX_RECENT = 20;

const columns = (sql: Statements) => sql.part`
  id, kind, name, events, min_risk, view_id, digest, enabled, sealed_target, consecutive_failures, disabled_at,
  disabled_reason, last_delivered_at, created_by, created_at, updated_at,
  (select jsonb_object_agg(encode(r.address_sha256, 'hex'), r.status)
     from webhooks.recipients r
    where r.org_id = channels.org_id
      and r.channel_id = channels.id) as statuses,
  (select case
            when m.status <> 'delivered' then jsonb_build_object('at', m.last_attempt_at, 'reason', coalesce(m.reason, ''))
          end
     from (
       select m.*
         from webhooks.messages m
        where m.org_id = channels.org_id
          and m.channel_id = channels.id
        order by m.id desc
        limit ${MAX_RECENT}
     ) m
    where m.last_attempt_at is not null
    order by m.last_attempt_at desc
    limit 1) as last_failure
`;

function fromRow(row: ChannelRow): StoredChannel {
  const {
    sealed_target: sealed,
    statuses,
    view_id,
    disabled_at,
    disabled_reason,
    last_delivered_at,
    last_failure,
    ...same
  } = row;
  return {
    id: row.id,
    sealed,
    statuses: new Map(Object.entries(statuses ?? {})),
    shown: {
      ...same,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      ...present({
        view_id,
        disabled_at: disabled_at?.toISOString(),
        disabled_reason,
        last_delivered_at: last_delivered_at?.toISOString(),
        last_failure: last_failure && { ...last_failure, at: new Date(last_failure.at).toISOString() },
      }),
    },
  };
}

/** Returns a page of channels, oldest first. */
export async function listChannels(
  sql: OrgStatements,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredChannel[]> {
  const rows = await sql<ChannelRow>`
    select ${columns(sql)}
      from webhooks.channels
     where org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or id > ${after ?? null})
     order by id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

export async function getChannel(sql: OrgStatements, channelId: string): Promise<StoredChannel | undefined> {
  const [row] = await sql<ChannelRow>`
    select ${columns(sql)}
      from webhooks.channels
     where org_id = ${sql.orgId}
       and id = ${channelId}
  `;
  return row && fromRow(row);
}

/** Returns the names of the channels that filter by a view. */
export async function channelsOfView(sql: OrgStatements, viewId: string): Promise<string[]> {
  const rows = await sql<{ name: string }>`
    select name
      from webhooks.channels
     where org_id = ${sql.orgId}
       and view_id = ${viewId}
     order by id
  `;
  return rows.map(({ name }) => name);
}

export type NewChannelRow = Pick<
  Channel,
  "id" | "kind" | "name" | "events" | "min_risk" | "view_id" | "digest" | "enabled" | "created_by"
> & { sealed: Buffer };

/**
 * Creates a channel, unless it exists or there are too many.
 * @returns whether it was created
 */
export async function insertChannel(tx: Transaction, channel: NewChannelRow): Promise<boolean> {
  // A concurrent creation waits here, and then counts this channel.
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks.channels ' || ${tx.orgId}, 0))`;
  const made = await tx`
    insert into webhooks.channels (
      org_id, id, kind, name, events, min_risk, view_id, digest, enabled, sealed_target, created_by
    )
    select ${tx.orgId}, ${channel.id}, ${channel.kind}, ${channel.name}, ${channel.events}::text[],
           ${channel.min_risk}, ${channel.view_id ?? null}::uuid, ${channel.digest}, ${channel.enabled}, ${channel.sealed},
           ${tx.part.json(channel.created_by)}
     where (select count(*) from webhooks.channels where org_id = ${tx.orgId}) < ${MAX_CHANNELS}
    on conflict (org_id, id) do nothing
    returning id
  `;
  return made.length > 0;
}

export interface ChannelUpdate {
  name: string | undefined;
  events: readonly string[] | undefined;
  minRisk: string | undefined;
  /** Null for none. */
  viewId: string | null | undefined;
  digest: Digest | undefined;
  enabled: boolean | undefined;
  sealed: Buffer | undefined;
}

/**
 * Sets the given members. Enabling a channel clears the reason why it was disabled. Returns false if there is no such
 * channel.
 */
export async function updateChannel(
  sql: OrgStatements,
  channelId: string,
  { name, events, minRisk, viewId, digest, enabled, sealed }: ChannelUpdate,
): Promise<boolean> {
  const isOn = enabled === true;
  const changed = await sql`
    update webhooks.channels
       set name = coalesce(${name ?? null}, name),
           events = coalesce(${events ? [...events] : null}::text[], events),
           min_risk = coalesce(${minRisk ?? null}, min_risk),
           view_id = case when ${viewId === undefined} then view_id else ${viewId ?? null}::uuid end,
           digest = coalesce(${digest ?? null}, digest),
           enabled = coalesce(${enabled ?? null}, enabled),
           sealed_target = coalesce(${sealed ?? null}::bytea, sealed_target),
           paused_until = case when ${sealed === undefined} then paused_until end,
           consecutive_failures = case when ${isOn} then 0 else consecutive_failures end,
           disabled_at = case when ${isOn} then null else disabled_at end,
           disabled_reason = case when ${isOn} then null else disabled_reason end,
           updated_at = now()
     where org_id = ${sql.orgId}
       and id = ${channelId}
  `;
  return changed.count > 0;
}

/** Deletes a channel and its pending messages. Returns false if there is none. */
export async function deleteChannel(sql: OrgStatements, channelId: string): Promise<boolean> {
  const gone = await sql`delete from webhooks.channels where org_id = ${sql.orgId} and id = ${channelId}`;
  return gone.count > 0;
}

/** Locks a channel against changes and deletion until the transaction ends. */
export async function lockChannel(tx: Transaction, channelId: string): Promise<void> {
  await tx`
    select from webhooks.channels where org_id = ${tx.orgId} and id = ${channelId} for no key update
  `;
}

/** Records a delivered message. `endsRow` resets the count of consecutive failures. */
export async function noteDelivered(
  sql: OrgStatements,
  channelId: string,
  { endsRow }: { endsRow: boolean },
): Promise<void> {
  await sql`
    update webhooks.channels
       set consecutive_failures = case when ${endsRow} then 0 else consecutive_failures end, last_delivered_at = now()
     where org_id = ${sql.orgId}
       and id = ${channelId}
  `;
}

/**
 * Counts a message that was given up.
 * @returns the number of consecutive failures
 */
export async function noteGivenUp(sql: OrgStatements, channelId: string): Promise<number> {
  const [row] = await sql<{ failures: number }>`
    update webhooks.channels
       set consecutive_failures = consecutive_failures + 1
     where org_id = ${sql.orgId}
       and id = ${channelId}
    returning consecutive_failures as failures
  `;
  return row?.failures ?? 0;
}

/**
 * Disables a channel with a reason for its owner.
 * @returns the time; undefined if it was already disabled
 */
export async function disableChannel(
  sql: OrgStatements,
  channelId: string,
  reason: string,
): Promise<Date | undefined> {
  const [disabled] = await sql<{ disabled_at: Date }>`
    update webhooks.channels
       set enabled = false, disabled_at = now(), disabled_reason = ${reason}
     where org_id = ${sql.orgId}
       and id = ${channelId}
       and enabled
    returning disabled_at
  `;
  return disabled?.disabled_at;
}
