import type { WebhookConfig } from "@leeway/shared/contracts/webhooks/configs";
import type { OrgStatements } from "@leeway/shared/database/database";

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

/** Writes down what happened to configs; those that are gone are left out. */
export async function addActivity(sql: OrgStatements, activity: readonly ConfigActivity[]): Promise<void> {
  await sql`
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
           ) as a (id, status, event_at, rejects, reject_at, reject_reason)
     where c.org_id = ${sql.orgId}
       and c.id = a.id
  `;
}
