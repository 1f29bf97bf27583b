import type { WebhookConfig } from "@leeway/shared/contracts/webhooks/configs";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements } from "@leeway/shared/database/database";

/** From so many calls refused in a row on, its owner is told; while it goes on, each day. */
const REJECTS_TOLD = 5;

/** What happened to a config since it was last written down. */
export interface ConfigActivity {
  configId: string;
  status: NonNullable<WebhookConfig["last_status"]>;
  /** Of its last good call; absent when there was none. */
  eventAt: Date | undefined;
  /** Refused calls since its last good one. */
  rejects: number;
  rejectAt: Date | undefined;
  rejectReason: string | undefined;
}

/** A config that turns calls away one after the other. */
export interface RejectingConfig {
  id: string;
  source: Source;
  name: string | null;
  consecutive_rejects: number;
  last_reject_reason: string | null;
}

/**
 * Writes down what happened to configs; those that are gone are left out.
 * @returns those that have come to `REJECTS_TOLD` rejects in a row by it, or go on beyond them on another day
 */
export async function addActivity(
  sql: OrgStatements,
  activity: readonly ConfigActivity[],
  now: Date,
): Promise<RejectingConfig[]> {
  return sql<RejectingConfig>`
    with before as (
      select id, consecutive_rejects, last_reject_at
        from webhooks.configs
       where org_id = ${sql.orgId}
         and id = any (${activity.map(({ configId }) => configId)}::uuid[])
       order by id
         for update
    ), noted as (
    update webhooks.configs c
       set last_status = a.status,
           last_event_at = coalesce(a.event_at, c.last_event_at),
           consecutive_rejects = a.rejects + case when a.event_at is null then c.consecutive_rejects else 0 end,
           last_reject_at = coalesce(a.reject_at, c.last_reject_at),
           last_reject_reason = coalesce(a.reject_reason, c.last_reject_reason)
      from unnest(
             ${activity.map(({ configId }) => configId)}::uuid[],
             ${activity.map(({ status }) => status)}::text[],
             ${activity.map(({ eventAt }) => eventAt?.toISOString() ?? null)}::timestamptz[],
             ${activity.map(({ rejects }) => rejects)}::integer[],
             ${activity.map(({ rejectAt }) => rejectAt?.toISOString() ?? null)}::timestamptz[],
             ${activity.map(({ rejectReason }) => rejectReason ?? null)}::text[]
           ) as a (id, status, event_at, rejects, reject_at, reject_reason), before b
     where c.org_id = ${sql.orgId}
       and c.id = a.id
       and b.id = c.id
    returning c.id, c.source, c.name, c.consecutive_rejects, c.last_reject_reason,
              a.event_at is not null
              or b.consecutive_rejects < ${REJECTS_TOLD}
              or b.last_reject_at < date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC') as is_news
    )
    select id, source, name, consecutive_rejects, last_reject_reason
      from noted
     where is_news
       and consecutive_rejects >= ${REJECTS_TOLD}
  `;
}
