import type { OrgStatements } from "@leeway/shared/database/database";

/** Joins the number of each account's last snapshot before a time, or else of its first one, as `b`. */
export const lastBefore = (sql: OrgStatements, since: string) => sql.part`
  join (
    select a.id as account_id, coalesce(
             (select s.number
                from inventory.drift_snapshots s
               where s.org_id = ${sql.orgId}
                 and s.cloud_account_id = a.id
                 and s.number is not null
                 and s.finished_at <= ${since}::timestamptz
               order by s.number desc
               limit 1),
             (select s.number
                from inventory.drift_snapshots s
               where s.org_id = ${sql.orgId}
                 and s.cloud_account_id = a.id
                 and s.number is not null
               order by s.number
               limit 1)
           ) as number
      from inventory.cloud_accounts a
     where a.org_id = ${sql.orgId}
    offset 0 -- once for each account, not for each change
  ) b on b.account_id = c.cloud_account_id
`;
