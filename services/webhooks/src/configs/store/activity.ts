import type { WebhookConfig } from "@leeway/shared/contracts/webhooks/configs";
import type { OrgStatements } from "@leeway/shared/database/database";

/** Calls to a config since the last write. */
export interface ConfigActivity {
  configId: string;
  status: NonNullable<WebhookConfig["last_status"]>;
  /** Time of the last accepted call; undefined if there was none. */
  eventAt: Date | undefined;
  /** Rejected calls since the last accepted one. */
  rejects: number;
  rejectAt: Date | undefined;
  rejectReason: string | undefined;
}

/** Stores the activity of configs; deleted configs are skipped. */
export async function addActivity(sql: OrgStatements, activity: readonly ConfigActivity[]): Promise<void> {
  await sql`
    with locked as (
      select id
        from webhooks.configs
       where org_id = ${sql.orgId}
         and id = any (${activity.map(({ configId }) => configId)}::uuid[])
       order by id
         for update
    )
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
           ) as a (id, status, event_at, rejects, reject_at, reject_reason), locked l
     where c.org_id = ${sql.orgId}
       and c.id = a.id
       and l.id = c.id
  `;
}
