import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";
import type { CHANGE_GROUPINGS } from "@leeway/shared/contracts/inventory/drift";
import type { ChangeGroup } from "@leeway/shared/contracts/inventory/drift-reads";
import type { OrgStatements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { fromRow, select, type ChangeRow } from "./changes.ts";
import { inPresent, VALUES, type PresentFilter } from "./filters.ts";

const MAX_GROUPS = 200;
/** Groupings whose values are those of the fingerprint. */
const OF_FINGERPRINT: ReadonlySet<(typeof CHANGE_GROUPINGS)[number]> = new Set([
  "person",
  "person_hour",
  "decision",
]);

interface GroupRow extends ChangeRow {
  key: string | null;
  count: number;
  rank: number;
}

/** Groups the changes that a listing with this filter has, highest risk first, then the largest. */
export async function groupPresent(
  sql: OrgStatements,
  by: (typeof CHANGE_GROUPINGS)[number],
  filter: PresentFilter,
): Promise<ChangeGroup[]> {
  const { from, which } = inPresent(sql, filter, { decided: OF_FINGERPRINT.has(by) });
  const rank = sql.part`inventory.risk_rank(c.risk_level)`;
  const groups = sql.part`(
    select ${VALUES[by](sql)} as key, count(*)::integer as count, min(${rank}) as rank,
           (array_agg(c.id order by ${rank}, c.id))[1] as example_id
      from inventory.drift_changes c
      ${from}
     where c.org_id = ${sql.orgId}
       and ${which}
     group by 1
     order by 3, 2 desc, 1
     limit ${MAX_GROUPS}
  )`;
  const rows = await sql<GroupRow>`
    select g.key, g.count, g.rank, e.*
      from ${groups} g
      join (
        ${select(sql)}
         where c.org_id = ${sql.orgId}
      ) e on e.id = g.example_id
     order by g.rank, g.count desc, g.key
  `;
  return rows.map(({ key, count, rank, ...example }) => ({
    ...present({ key }),
    count,
    risk_level: RISK_LEVELS[rank - 1] ?? "none",
    example: fromRow(example),
  }));
}
