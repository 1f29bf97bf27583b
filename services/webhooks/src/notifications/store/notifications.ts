import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { RETENTION } from "@leeway/shared/contracts/retention";
import type { Digest, NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

/** Makes an organization's publications run one after another, so that the last published content is known. */
export async function lockPublishing(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks.notifications ' || ${tx.orgId}, 0))`;
}

/** Stores an event. Returns false if it is already known. */
export async function insertNotification(tx: Transaction, event: NotificationEvent): Promise<boolean> {
  const { id, type, created_at: createdAt, data, url } = event;
  const kept = await tx`
    insert into webhooks.notifications (org_id, id, type, created_at, content)
    values (${tx.orgId}, ${id}, ${type}, ${createdAt}::timestamptz, ${JSON.stringify({ data, url })})
    on conflict do nothing
  `;
  return kept.count > 0;
}

/** Stores the content published under a key. Returns false if it is the same as the last one. */
export async function storeContent(tx: Transaction, changeKey: string, sha256: Buffer): Promise<boolean> {
  const noted = await tx`
    insert into webhooks.told as previous (org_id, change_key, content_sha256)
    values (${tx.orgId}, ${changeKey}, ${sha256})
    on conflict (org_id, change_key) do update
       set content_sha256 = excluded.content_sha256, told_at = excluded.told_at
     where previous.content_sha256 <> excluded.content_sha256
  `;
  return noted.count > 0;
}

/** A channel that subscribes to an event. */
interface Wanting extends Row {
  id: string;
  min_risk: RiskLevel;
  digest: Digest;
  paused_until: Date | null;
}

/**
 * Returns the enabled channels subscribed to a type, locked against changes until the transaction ends. With a view, or
 * null for none, only those that filter by it.
 */
export async function channelsFor(tx: Transaction, type: string, viewId?: string | null): Promise<Wanting[]> {
  return tx<Wanting>`
    select id, min_risk, digest, paused_until
      from webhooks.channels
     where org_id = ${tx.orgId}
       and enabled
       and ${type} = any (events)
       ${viewId === undefined ? tx.part`` : tx.part`and view_id is not distinct from ${viewId}::uuid`}
     order by id
       for share
  `;
}

/** Returns the views by which enabled channels subscribed to a type filter. */
export async function viewsFor(sql: OrgStatements, type: string): Promise<string[]> {
  const rows = await sql<{ view_id: string }>`
    select distinct view_id
      from webhooks.channels
     where org_id = ${sql.orgId}
       and enabled
       and ${type} = any (events)
       and view_id is not null
     order by view_id
  `;
  return rows.map(({ view_id }) => view_id);
}

/** An event of a message. */
export interface Notification {
  id: string;
  type: string;
  created_at: Date;
  content: string;
}

/** Returns events by id, oldest first. */
export async function notificationsOf(sql: OrgStatements, ids: readonly string[]): Promise<Notification[]> {
  return sql<Notification>`
    select id, type, created_at, content
      from webhooks.notifications
     where org_id = ${sql.orgId}
       and id = any (${[...ids]}::text[])
     order by created_at, id
  `;
}

/** A config whose token expires soon. */
export interface ExpiringToken {
  org_id: string;
  config_id: string;
  name: string | null;
  provider_base_url: string | null;
  expires_on: string;
}

/** Returns tokens of all organizations that expire within the given number of days. */
export async function expiringTokens(sql: Statements, days: number): Promise<ExpiringToken[]> {
  return sql<ExpiringToken>`
    select org_id, config_id, name, provider_base_url, expires_on::text from webhooks.expiring_tokens(${days})
  `;
}

/**
 * Deletes old rows, up to `atMost` of each kind.
 * @returns whether more may be left
 */
export async function forgetNotifications(sql: Statements, atMost: number): Promise<boolean> {
  const { messages, notifications, reported } = RETENTION;
  const [row] = await sql<{ forgotten: number }>`
    select webhooks.forget_notifications(
             ${messages.days}, ${notifications.days}, ${reported.days}, ${atMost}
           ) as forgotten
  `;
  return row?.forgotten === atMost;
}

/** Deletes an organization's notifications and channels. */
export async function purgeNotifications(tx: Transaction): Promise<void> {
  const { orgId } = tx;
  await tx`delete from webhooks.channels where org_id = ${orgId}`;
  await tx`delete from webhooks.notifications where org_id = ${orgId}`;
  await tx`delete from webhooks.told where org_id = ${orgId}`;
  await tx`delete from webhooks.refusals where org_id = ${orgId}`;
  await tx`delete from webhooks.mail_days where org_id = ${orgId}`;
}
