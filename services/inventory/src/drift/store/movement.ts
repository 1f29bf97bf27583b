import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";
import type { DriftMovement } from "@leeway/shared/contracts/inventory/drift-reads";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

import { earlier, inPresent, VALUES, type PresentFilter } from "./filters.ts";

interface MovedRow extends Row {
  by: "accounts" | "levels" | "types" | "people" | "all";
  key: string | null;
  new_count: number;
  worse_count: number;
  gone_count: number;
  rank: number | null;
}

const MAX_KEYS = 50;
const COUNTED: PresentFilter = {
  kind: undefined,
  riskLevel: undefined,
  noise: "exclude",
  accountId: undefined,
  disposition: undefined,
  ignored: "exclude",
};

/** Counts what came, became worse and went since a time, in total and by account, level, type and person. */
export async function movementSince(sql: OrgStatements, since: string): Promise<DriftMovement> {
  const rows = await sql<MovedRow>`
    with moved as (${moved(sql, since, undefined)} union all ${moved(sql, since, "gone")}),
         counted as (
           select case
                    when grouping(account) = 0 then 'accounts'
                    when grouping(level) = 0 then 'levels'
                    when grouping(type) = 0 then 'types'
                    when grouping(person) = 0 then 'people'
                    else 'all'
                  end as by,
                  coalesce(account, level, type, person) as key,
                  (count(*) filter (where movement = 'new'))::integer as new_count,
                  (count(*) filter (where movement = 'worse'))::integer as worse_count,
                  (count(*) filter (where movement = 'gone'))::integer as gone_count,
                  min(inventory.risk_rank(level)) filter (where movement <> 'gone') as rank
             from moved
            group by grouping sets ((), (account), (level), (type), (person))
         )
    select by, key, new_count, worse_count, gone_count, rank
      from (
        select *, row_number() over (partition by by order by rank nulls last, new_count + worse_count desc, key) as place
          from counted
         where by = 'all' or key is not null
      ) placed
     where place <= ${MAX_KEYS}
     order by by, place
  `;
  const of = (by: MovedRow["by"]) => rows.filter((row) => row.by === by);
  const [all] = of("all");
  return {
    since,
    new_count: all?.new_count ?? 0,
    worse_count: all?.worse_count ?? 0,
    gone_count: all?.gone_count ?? 0,
    accounts: of("accounts").map(fromRow),
    levels: of("levels").map(fromRow),
    types: of("types").map(fromRow),
    people: of("people").map(fromRow),
  };
}

function fromRow({ key, new_count, worse_count, gone_count, rank }: MovedRow) {
  return {
    key: key ?? "",
    new_count,
    worse_count,
    gone_count,
    risk_level: RISK_LEVELS[(rank ?? RISK_LEVELS.length) - 1] ?? "none",
  };
}

function moved(sql: OrgStatements, since: string, movement: "gone" | undefined) {
  const { part } = sql;
  const { from, which } = inPresent(sql, { ...COUNTED, since, movement });
  const kind =
    movement === "gone"
      ? part`'gone'`
      : part`case when exists (${earlier(sql, since)}) then 'worse' else 'new' end`;
  return part`
    select ${kind} as movement, ${VALUES.account(sql)} as account, c.risk_level as level,
           ${VALUES.type(sql)} as type, ${VALUES.person(sql)} as person
      from inventory.drift_changes c
      ${from}
     where c.org_id = ${sql.orgId}
       and ${which}
  `;
}
