import { copyInto } from "@leeway/shared/database/copy-into";
import type { Transaction } from "@leeway/shared/database/database";
import { VERDICT_COLUMNS } from "@leeway/clouds/matching/verdict-lines";

import { OWNER_LEVEL } from "./owner-level.ts";

/** Number of owners to follow, such as from a volume to its instance and to the instance's group. */
const OWNER_STEPS = 3;

/**
 * Creates the temporary table `found` from `verdictLines`, or without them from the columns iac_id and level of
 * `live_side`. Each live resource of `live_side` (live_id, keys, owner_keys) has at most one `chosen` row. A resource
 * that its owner created has the owner's, at level 5.
 */
export async function storeVerdict(tx: Transaction, verdict: readonly string[] | undefined): Promise<void> {
  await tx`drop table if exists found`;
  await tx`
    create temp table found (
      live_id uuid, iac_id uuid, level smallint, contested boolean, chosen boolean, conflict boolean
    ) on commit drop
  `;
  if (verdict) await copyVerdict(tx, verdict);
  else {
    await tx`
      insert into found (live_id, iac_id, level, contested, chosen, conflict)
      select live_id, iac_id, level, false, true, false from live_side where iac_id is not null
    `;
  }
  await followOwners(tx);
}

async function copyVerdict(tx: Transaction, verdict: readonly string[]): Promise<void> {
  const copy = await tx.raw`copy found (${tx.part(VERDICT_COLUMNS)}) from stdin`.writable();
  await copyInto(copy, async (write) => {
    for (const lines of verdict) await write(lines);
  });
}

/** Counts resources that a declared resource created as declared. */
async function followOwners(tx: Transaction): Promise<void> {
  for (let step = 0; step < OWNER_STEPS; step += 1) {
    const added = await tx`
      insert into found (live_id, iac_id, level, contested, chosen, conflict)
      with wanted as materialized (
        select s.live_id, k.key
          from live_side s
         cross join unnest(s.owner_keys) as k (key)
         where s.owner_keys <> '{}'
           and not exists (select from found f where f.live_id = s.live_id and f.chosen)
      ), owner as (
        select o.live_id, k.key
          from live_side o
         cross join unnest(o.keys) as k (key)
         where exists (select from wanted)
           and k.key in (select key from wanted)
      )
      select w.live_id, (array_agg(f.iac_id))[1], ${OWNER_LEVEL}, false, true, false
        from wanted w
        join owner o on o.key = w.key
        join found f on f.live_id = o.live_id and f.chosen
       group by w.live_id
      having count(distinct o.live_id) = 1
    `;
    if (added.count === 0) return;
  }
}
