import type { LlmUsageDay } from "@leeway/shared/contracts/quota/usage";
import type { OrgStatements } from "@leeway/shared/database/database";

/** What became of the slots of each of the last `days`, today included, oldest first. */
export async function getHistory(sql: OrgStatements, days: number): Promise<LlmUsageDay[]> {
  return sql<LlmUsageDay>`
    with today as (
      select date_trunc('day', quota.clock(), 'UTC') as start
    ), taken as (
      select date_trunc('day', reserved_at, 'UTC') as start,
             count(*) filter (where state = 'consumed') as consumed,
             count(*) filter (where state = 'held') as held,
             count(*) filter (where state = 'released') as released
        from quota.reservations
       where org_id = ${sql.orgId}
         and reserved_at >= (select start from today) - make_interval(hours => 24 * ${days - 1})
       group by 1
    )
    select to_char(day.start at time zone 'UTC', 'YYYY-MM-DD') as date,
           coalesce(consumed, 0)::integer as consumed,
           coalesce(held, 0)::integer as held,
           coalesce(released, 0)::integer as released
      from today
     cross join generate_series(0, ${days - 1}) ago
     cross join lateral (select today.start - make_interval(hours => 24 * ago)) day (start)
      left join taken on taken.start = day.start
     order by day.start
  `;
}
