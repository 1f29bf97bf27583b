import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Digest, NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

/** What is published by an organization is taken one after the other, so that what was last told is certain. */
export async function lockPublishing(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks.notifications ' || ${tx.orgId}, 0))`;
}

/** Keeps an event; false when it is known already. */
export async function insertNotification(tx: Transaction, event: NotificationEvent): Promise<boolean> {
  const { id, type, created_at: createdAt, data, url } = event;
  const kept = await tx`
    insert into webhooks.notifications (org_id, id, type, created_at, content)
    values (${tx.orgId}, ${id}, ${type}, ${createdAt}::timestamptz, ${JSON.stringify({ data, url })})
    on conflict do nothing
  `;
  return kept.count > 0;
}

/** Notes what is told of a thing; false when it is what was told of it last. */
export async function noteTold(tx: Transaction, changeKey: string, sha256: Buffer): Promise<boolean> {
  const noted = await tx`
    insert into webhooks.told as told (org_id, change_key, content_sha256)
    values (${tx.orgId}, ${changeKey}, ${sha256})
    on conflict (org_id, change_key) do update
       set content_sha256 = excluded.content_sha256, told_at = now()
     where told.content_sha256 <> excluded.content_sha256
  `;
  return noted.count > 0;
}

/** A channel that wants an event. */
interface Wanting extends Row {
  id: string;
  min_risk: RiskLevel;
  digest: Digest;
  paused_until: Date | null;
}

/** The enabled channels that want events of a type, none of which changes until the transaction ends. */
export async function channelsFor(tx: Transaction, type: string): Promise<Wanting[]> {
  return tx<Wanting>`
    select id, min_risk, digest, paused_until
      from webhooks.channels
     where org_id = ${tx.orgId}
       and enabled
       and ${type} = any (events)
     order by id
       for share
  `;
}

/** What a message tells. */
export interface Notification {
  id: string;
  type: string;
  created_at: Date;
  content: string;
}

/** Events by their ids, oldest first. */
export async function notificationsOf(sql: OrgStatements, ids: readonly string[]): Promise<Notification[]> {
  return sql<Notification>`
    select id, type, created_at, content
      from webhooks.notifications
     where org_id = ${sql.orgId}
       and id = any (${[...ids]}::text[])
     order by created_at, id
  `;
}

/** A config whose token ends soon. */
export interface ExpiringToken {
  org_id: string;
  config_id: string;
  name: string | null;
  provider_base_url: string | null;
  expires_on: string;
}

/** Tokens of every organization that end within so many days. */
export async function expiringTokens(sql: Statements, days: number): Promise<ExpiringToken[]> {
  return sql<ExpiringToken>`
    select org_id, config_id, name, provider_base_url, expires_on::text from webhooks.expiring_tokens(${days})
  `;
}

/** Forgets what was told long ago, so many at most of each kind. @returns how many it were of what it were most */
export async function forgetNotifications(
  sql: Statements,
  { days, toldDays, atMost }: { days: number; toldDays: number; atMost: number },
): Promise<number> {
  const [row] = await sql<{ forgotten: number }>`
    select webhooks.forget_notifications(${days}, ${toldDays}, ${atMost}) as forgotten
  `;
  return row?.forgotten ?? 0;
}

/** Forgets what an organization was told, and whom. */
export async function purgeNotifications(tx: Transaction): Promise<void> {
  const { orgId } = tx;
  await tx`delete from webhooks.channels where org_id = ${orgId}`;
  await tx`delete from webhooks.notifications where org_id = ${orgId}`;
  await tx`delete from webhooks.told where org_id = ${orgId}`;
}
