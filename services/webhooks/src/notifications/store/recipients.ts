import type { RecipientStatus } from "@leeway/shared/contracts/webhooks/recipients";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";

/** An address of a channel, by its key. */
interface RecipientRow extends Row {
  address_sha256: Buffer;
  status: RecipientStatus;
}

/** Status of a channel's addresses, by their keys in hex. Addresses that were never subscribed are absent. */
export type Statuses = ReadonlyMap<string, RecipientStatus>;

/** An address to be added to a channel. */
export interface Subscriber {
  key: Buffer;
  /** Whether the identity provider has verified that a member owns it. */
  isMember: boolean;
}

/**
 * Adds addresses to a channel. An address is confirmed if a member owns it, or if it confirmed another channel of the
 * organization. It isn't if it has unsubscribed since.
 * @returns the keys of addresses that must confirm
 */
export async function subscribe(
  tx: Transaction,
  channelId: string,
  subscribers: readonly Subscriber[],
): Promise<Buffer[]> {
  const keys = subscribers.map(({ key }) => key.toString("hex"));
  const members = subscribers.map(({ isMember }) => isMember);
  const rows = await tx<RecipientRow>`
    insert into webhooks.recipients as r (org_id, channel_id, address_sha256, status, confirmation_id)
    select ${tx.orgId}, ${channelId}, a.key, case when c.agreed then 'confirmed' else 'waiting' end,
           case when not c.agreed then gen_random_uuid() end
      from (select decode(key, 'hex') as key, is_member
              from unnest(${keys}::text[], ${tx.part.array(members)}::boolean[]) as given (key, is_member)) a
     cross join lateral (
       select (a.is_member or exists (
                select from webhooks.recipients other
                 where other.org_id = ${tx.orgId}
                   and other.address_sha256 = a.key
                   and other.status = 'confirmed'))
              and not exists (
                select from webhooks.refusals f where f.org_id = ${tx.orgId} and f.address_sha256 = a.key
              ) as agreed
     ) c
    on conflict (org_id, channel_id, address_sha256) do update
       set status = case when r.status = 'waiting' then excluded.status else r.status end,
           confirmation_id = case when excluded.status = 'waiting' then r.confirmation_id end
    returning address_sha256, status
  `;
  return rows.flatMap(({ address_sha256: key, status }) => (status === "waiting" ? [key] : []));
}

/** Removes all other addresses from a channel. */
export async function keepRecipients(
  tx: Transaction,
  channelId: string,
  keys: readonly Buffer[],
): Promise<void> {
  await tx`
    delete from webhooks.recipients
     where org_id = ${tx.orgId}
       and channel_id = ${channelId}
       and encode(address_sha256, 'hex') <> all (${keys.map((key) => key.toString("hex"))}::text[])
  `;
}

export async function statusesOf(sql: OrgStatements, channelId: string): Promise<Statuses> {
  const rows = await sql<RecipientRow>`
    select address_sha256, status
      from webhooks.recipients
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
  `;
  return new Map(rows.map(({ address_sha256: key, status }) => [key.toString("hex"), status]));
}

/** Returns the pending confirmation of a channel's address; undefined if it has answered or wasn't asked. */
export async function openConfirmation(
  sql: OrgStatements,
  { channelId, key }: { channelId: string; key: Buffer },
): Promise<string | undefined> {
  const [row] = await sql<{ confirmation_id: string }>`
    select confirmation_id
      from webhooks.recipients
     where org_id = ${sql.orgId}
       and channel_id = ${channelId}
       and address_sha256 = ${key}
       and status = 'waiting'
  `;
  return row?.confirmation_id;
}

/** A confirmed address, by channel. */
interface Answered extends Row {
  channel_id: string;
  address_sha256: Buffer;
}

/**
 * Confirms an address for every channel of the organization that waits for it.
 * @returns the channels; none if the confirmation was already used or is no longer pending
 */
export async function confirmAddress(tx: Transaction, confirmationId: string): Promise<string[]> {
  const rows = await tx<Answered>`
    update webhooks.recipients r
       set status = 'confirmed', confirmation_id = null
      from webhooks.recipients asked
     where asked.org_id = ${tx.orgId}
       and asked.confirmation_id = ${confirmationId}
       and r.org_id = asked.org_id
       and r.address_sha256 = asked.address_sha256
       and r.status = 'waiting'
    returning r.channel_id, r.address_sha256
  `;
  const [first] = rows;
  if (first) {
    await tx`
      delete from webhooks.refusals
       where org_id = ${tx.orgId}
         and address_sha256 = ${first.address_sha256}
    `;
  }
  return rows.map(({ channel_id }) => channel_id);
}

/**
 * Unsubscribes an address from a channel. Returns false if the channel or address is gone, or was already
 * unsubscribed.
 */
export async function unsubscribe(
  tx: Transaction,
  { channelId, key }: { channelId: string; key: Buffer },
): Promise<boolean> {
  const off = await tx`
    update webhooks.recipients
       set status = 'unsubscribed', confirmation_id = null
     where org_id = ${tx.orgId}
       and channel_id = ${channelId}
       and address_sha256 = ${key}
       and status <> 'unsubscribed'
  `;
  if (off.count === 0) return false;
  await tx`
    insert into webhooks.refusals (org_id, address_sha256)
    values (${tx.orgId}, ${key})
    on conflict (org_id, address_sha256) do update set refused_at = excluded.refused_at
  `;
  return true;
}
