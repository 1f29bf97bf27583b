import type { Transaction } from "@leeway/shared/database/database";

import type { MatchKey } from "../../clouds/cloud.ts";
import type { Live } from "../matcher.ts";

const SEPARATOR = "\u001F";
const ROWS_A_FETCH = 10_000;

/** Fills `live_side` with the live resources of an account as they are. */
export async function takeLiveSide(tx: Transaction, accountId: string): Promise<void> {
  await tx`drop table if exists live_side`;
  await tx`
    create temp table live_side on commit drop as
    select id as live_id, region, keys, owner_keys, exclusion, mapped
      from inventory.live_resources
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
  `;
}

/**
 * Fills `live_side` with the resources of an account that something of it may own, and with those that may own them and
 * are declared.
 */
export async function takeOwned(tx: Transaction, accountId: string): Promise<void> {
  await tx`drop table if exists live_side`;
  await tx`
    create temp table live_side on commit drop as
    with account as (
      select id as live_id, keys, owner_keys, exclusion, mapped, iac_resource_id as iac_id,
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

/** Hands over the resources of `live_side` one by one. */
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
