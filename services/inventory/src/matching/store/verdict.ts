import type { Transaction } from "@leeway/shared/database/database";

import { copyInto } from "../../documents/copy-into.ts";
import type { Pair } from "../matcher.ts";

/** How far ownership is followed: a group's instance's volume. */
const OWNER_STEPS = 3;
const LINES_A_WRITE = 2_000;
const COLUMNS = ["live_id", "iac_id", "level", "contested", "chosen", "conflict"];
/** Of what is declared through its owner. */
const OWNER_LEVEL = 5;

/**
 * Puts pairs into the temporary table `found`. Each live resource of `live_side` (live_id, keys, owner_keys)
 * goes by one of them, the `chosen` one; what an owner makes goes by its owner's, at level 5.
 */
export async function storeVerdict(tx: Transaction, pairs: readonly Pair[]): Promise<void> {
  await tx`drop table if exists found`;
  await tx`
    create temp table found (
      live_id uuid, iac_id uuid, level smallint, contested boolean, chosen boolean, conflict boolean
    ) on commit drop
  `;
  const lines = linesOf(pairs);
  const copy = await tx.raw`copy found (${tx.part(COLUMNS)}) from stdin`.writable();
  await copyInto(copy, async (write) => {
    for (let start = 0; start < lines.length; start += LINES_A_WRITE) {
      await write(`${lines.slice(start, start + LINES_A_WRITE).join("\n")}\n`);
    }
  });
  await followOwners(tx);
}

/** Pairs come surest first, so that a live resource's first is the one to go by; of several sources, the oldest's. */
function linesOf(pairs: readonly Pair[]): string[] {
  const valid = pairs.filter(({ declared }) => !declared.contested);
  const firsts = new Map<string, Pair>();
  const conflicts = new Set<string>();
  for (const pair of valid) {
    const first = firsts.get(pair.liveId);
    if (!first) firsts.set(pair.liveId, pair);
    else if (isElder(pair, first)) firsts.set(pair.liveId, pair);
    if (first && !pair.declared.inline) conflicts.add(pair.liveId);
  }
  return pairs.map((pair) => {
    const { liveId, declared, level } = pair;
    const chosen = firsts.get(liveId) === pair;
    return [liveId, declared.id, level, declared.contested, chosen, conflicts.has(liveId)].join("\t");
  });
}

function isElder(pair: Pair, than: Pair): boolean {
  const { declared, level } = than;
  return (
    pair.level === level &&
    pair.declared.inline === declared.inline &&
    pair.declared.sourceId < declared.sourceId
  );
}

/** What a declared resource makes by itself is declared with it. */
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
