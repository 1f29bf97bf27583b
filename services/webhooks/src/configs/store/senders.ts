import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { Statements, Transaction } from "@leeway/shared/database/database";

/** Consecutive rejected calls after which the owner is notified, and again each day while they continue. */
const NOTIFY_AFTER_REJECTS = 5;
/** Maximum of known senders per config. */
const MAX_SENDERS = 500;

/** Calls of a sender to a config since the last write. */
export interface SenderActivity {
  configId: string;
  sender: string;
  isGood: boolean;
  /** Rejected calls since the last accepted one. */
  rejects: number;
}

/** Sender whose calls were accepted before and are now rejected. */
export interface RejectedSender {
  config_id: string;
  sender: string;
  source: Source;
  name: string | null;
  rejects: number;
  last_reject_reason: string | null;
}

/** Stores senders whose calls were accepted. */
export async function noteGoodSenders(tx: Transaction, activity: readonly SenderActivity[]): Promise<void> {
  await tx`
    insert into webhooks.senders as s (org_id, config_id, sender)
    select ${tx.orgId}, c.id, a.sender
      from unnest(
             ${activity.map(({ configId }) => configId)}::uuid[],
             ${activity.map(({ sender }) => sender)}::text[]
           ) as a (config_id, sender)
      join webhooks.configs c on c.org_id = ${tx.orgId} and c.id = a.config_id
     where (select count(*) from webhooks.senders known
             where known.org_id = ${tx.orgId} and known.config_id = c.id) < ${MAX_SENDERS}
    on conflict (org_id, config_id, sender) do update
       set rejects = 0, last_good_at = excluded.last_good_at
     where s.rejects > 0 or excluded.last_good_at - s.last_good_at > interval '1 hour'
  `;
}

/**
 * Counts rejected calls of senders that had accepted calls before; calls of unknown senders aren't counted.
 * @returns senders that reached `NOTIFY_AFTER_REJECTS` by these calls, or continue beyond it on another day
 */
export async function countRejects(
  tx: Transaction,
  activity: readonly SenderActivity[],
  now: Date,
): Promise<RejectedSender[]> {
  return tx<RejectedSender>`
    with counted as (
      select config_id, sender, rejects
        from unnest(
               ${activity.map(({ configId }) => configId)}::uuid[],
               ${activity.map(({ sender }) => sender)}::text[],
               ${tx.part.array(activity.map(({ rejects }) => rejects))}::integer[]
             ) as a (config_id, sender, rejects)
    ), before as (
      select s.config_id, s.sender, s.rejects, s.last_reject_at
        from webhooks.senders s
        join counted a on a.config_id = s.config_id and a.sender = s.sender
       where s.org_id = ${tx.orgId}
       order by s.config_id, s.sender
         for update of s
    ), noted as (
      update webhooks.senders s
         set rejects = s.rejects + a.rejects, last_reject_at = ${now.toISOString()}::timestamptz
        from counted a, before b
       where s.org_id = ${tx.orgId}
         and s.config_id = a.config_id
         and s.sender = a.sender
         and b.config_id = s.config_id
         and b.sender = s.sender
      returning s.config_id, s.sender, s.rejects,
                b.rejects < ${NOTIFY_AFTER_REJECTS}
                or b.last_reject_at < date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC') as is_news
    )
    select n.config_id, n.sender, c.source, c.name, n.rejects, c.last_reject_reason
      from noted n
      join webhooks.configs c on c.org_id = ${tx.orgId} and c.id = n.config_id
     where n.is_news
       and n.rejects >= ${NOTIFY_AFTER_REJECTS}
     order by n.rejects desc
  `;
}

/** Deletes senders of all organizations without an accepted call for `days`. @returns whether more may be left */
export async function forgetSenders(sql: Statements, days: number, atMost: number): Promise<boolean> {
  const [row] = await sql<{ count: number }>`select webhooks.forget_senders(${days}, ${atMost}) as count`;
  return row?.count === atMost;
}
