import type { Channel, ChannelKind, Digest } from "@leeway/shared/contracts/webhooks/channels";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

/** Every event is held against each of them. */
const MOST_CHANNELS = 20;

/** A channel as it is stored: where it leads is sealed. */
export interface StoredChannel {
  id: string;
  sealed: Uint8Array;
  /** All but what is sealed. */
  shown: Omit<Channel, "target">;
}

interface ChannelRow extends Row, Pick<Channel, "name" | "events" | "min_risk" | "enabled" | "created_by"> {
  id: string;
  kind: ChannelKind;
  digest: Digest;
  sealed_target: Uint8Array;
  consecutive_failures: number;
  disabled_at: Date | null;
  disabled_reason: string | null;
  last_delivered_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = (sql: Statements) => sql.part`
  id, kind, name, events, min_risk, digest, enabled, sealed_target, consecutive_failures, disabled_at,
  disabled_reason, last_delivered_at, created_by, created_at, updated_at
`;

function fromRow(row: ChannelRow): StoredChannel {
  const { sealed_target: sealed, disabled_at, disabled_reason, last_delivered_at, ...same } = row;
  return {
    id: row.id,
    sealed,
    shown: {
      ...same,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      ...present({
        disabled_at: disabled_at?.toISOString(),
        disabled_reason,
        last_delivered_at: last_delivered_at?.toISOString(),
      }),
    },
  };
}

/** A page of channels, oldest first. */
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

export type NewChannelRow = Pick<
  Channel,
  "id" | "kind" | "name" | "events" | "min_risk" | "digest" | "enabled" | "created_by"
> & { sealed: Buffer };

/** Makes a channel, unless it is there or there are too many. */
export async function insertChannel(tx: Transaction, channel: NewChannelRow): Promise<void> {
  // Who makes another at the same time waits, and then counts this one.
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks.channels ' || ${tx.orgId}, 0))`;
  await tx`
    insert into webhooks.channels (
      org_id, id, kind, name, events, min_risk, digest, enabled, sealed_target, created_by
    )
    select ${tx.orgId}, ${channel.id}, ${channel.kind}, ${channel.name}, ${channel.events}::text[],
           ${channel.min_risk}, ${channel.digest}, ${channel.enabled}, ${channel.sealed},
           ${tx.part.json(channel.created_by)}
     where (select count(*) from webhooks.channels where org_id = ${tx.orgId}) < ${MOST_CHANNELS}
    on conflict (org_id, id) do nothing
  `;
}

export interface ChannelUpdate {
  name: string | undefined;
  events: readonly string[] | undefined;
  minRisk: string | undefined;
  digest: Digest | undefined;
  enabled: boolean | undefined;
  sealed: Buffer | undefined;
}

/** Sets what is given; switching it on forgets why it was off. False when there is no such channel. */
export async function updateChannel(
  sql: OrgStatements,
  channelId: string,
  { name, events, minRisk, digest, enabled, sealed }: ChannelUpdate,
): Promise<boolean> {
  const isOn = enabled === true;
  const changed = await sql`
    update webhooks.channels
       set name = coalesce(${name ?? null}, name),
           events = coalesce(${events ? [...events] : null}::text[], events),
           min_risk = coalesce(${minRisk ?? null}, min_risk),
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

/** Removes a channel and all that waits for it; false when there is none. */
export async function deleteChannel(sql: OrgStatements, channelId: string): Promise<boolean> {
  const gone = await sql`delete from webhooks.channels where org_id = ${sql.orgId} and id = ${channelId}`;
  return gone.count > 0;
}

/** Keeps a channel from being changed or removed until the transaction ends. */
export async function lockChannel(tx: Transaction, channelId: string): Promise<void> {
  await tx`
    select from webhooks.channels where org_id = ${tx.orgId} and id = ${channelId} for no key update
  `;
}

/** Notes a message that got through; `endsRow` when no failures are in a row any more. */
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

/** Counts a message that was given up. @returns how many it are in a row */
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

/** Disables a channel with a reason that its owner sees. @returns when; undefined for one that is disabled already */
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
