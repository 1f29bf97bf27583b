import type { LlmUsageDay } from "@leeway/shared/contracts/quota/usage";
import type { OrgStatements } from "@leeway/shared/database/database";

/**
 * Returns how many slots were consumed, held and released on each of the last `days`, including today, oldest first.
 */
export async function getHistory(sql: OrgStatements, days: number): Promise<LlmUsageDay[]> {
  return sql<LlmUsageDay>`
    with days as (
      select (quota.clock() at time zone 'UTC')::date - ago as day
        from generate_series(0, ${days - 1}::integer) ago
    ), taken as (
      select reserved_on as day,
             count(*) filter (where state = 'consumed') as consumed,
             count(*) filter (where state = 'held') as held,
             count(*) filter (where state = 'released') as released
        from quota.reservations
       where org_id = ${sql.orgId}
         and reserved_on = any (array(select day from days))
       group by reserved_on
    )
    select to_char(day, 'YYYY-MM-DD') as date,
           coalesce(consumed, 0)::integer as consumed,
           coalesce(held, 0)::integer as held,
           coalesce(released, 0)::integer as released
      from days
      left join taken using (day)
     order by day
  `;
}
