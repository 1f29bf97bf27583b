import type { MatchKey } from "@leeway/clouds/cloud";
import type { Live } from "@leeway/clouds/matching/model";
import type { Transaction } from "@leeway/shared/database/database";

import { isPresent } from "./editions.ts";

const SEPARATOR = "\u001F";
const ROWS_A_FETCH = 10_000;

/** Fills `live_side` with the stored live resources of an account. */
export async function takeLiveSide(tx: Transaction, accountId: string): Promise<void> {
  await take(tx, accountId, tx.part`true`);
}

/** Does the same, with the open edition's rows instead of those that they replace. */
export async function takeEdition(tx: Transaction, accountId: string): Promise<void> {
  await take(tx, accountId, isPresent(tx, "l"));
}

async function take(tx: Transaction, accountId: string, which: ReturnType<typeof isPresent>): Promise<void> {
  await tx`drop table if exists live_side`;
  await tx`
    create temp table live_side on commit drop as
    select l.id as live_id, l.edition, l.ctid as place, l.region, l.keys, l.owner_keys, l.exclusion, l.mapped,
           l.match_status, l.match_level, l.match_conflict, l.iac_resource_id
      from inventory.live_resources l
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and ${which}
  `;
}

/**
 * Fills `live_side` with undeclared resources of an account that may have an owner there, and with their declared
 * possible owners.
 */
export async function takeOwned(tx: Transaction, accountId: string): Promise<void> {
  await tx`drop table if exists live_side`;
  await tx`
    create temp table live_side on commit drop as
    with account as (
      select id as live_id, edition, keys, owner_keys, exclusion, mapped, iac_resource_id as iac_id,
             match_level as level
        from inventory.live_resources
       where org_id = ${tx.orgId}
         and cloud_account_id = ${accountId}
    ), owned as materialized (
      select * from account where iac_id is null and owner_keys <> '{}'
    )
    select * from owned
    union all
    select *
      from account
     where iac_id is not null
       and exists (
         select
           from unnest(keys) as k (key)
          where k.key in (select unnest(owner_keys) from owned)
       )
  `;
}

/** Passes each resource of `live_side` to `see`. */
export async function eachLive(tx: Transaction, see: (live: Live) => void): Promise<void> {
  const rows = tx.raw<{ line: string }[]>`
    select concat_ws(${SEPARATOR}, live_id, coalesce(region, ''), array_to_string(keys, ${SEPARATOR})) as line
      from live_side
  `;
  for await (const fetched of rows.cursor(ROWS_A_FETCH)) for (const { line } of fetched) see(fromLine(line));
}

function fromLine(line: string): Live {
  const [id = "", region, ...keys] = line.split(SEPARATOR);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only keys are stored as keys
  return { id, region: region || undefined, keys: keys as MatchKey[] };
}
