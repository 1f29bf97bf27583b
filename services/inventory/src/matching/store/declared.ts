import type { Transaction } from "@leeway/shared/database/database";
import { LINE_END, SEPARATOR } from "@leeway/clouds/matching/declared-texts";

const LINES_A_TEXT = 1_000;

/**
 * Returns all declarations that can be in an account, as texts for `readDeclared`. They name the account, or they
 * name none and their source belongs to it or, within its cloud, to no account.
 */
export async function declaredTexts(tx: Transaction, accountId: string): Promise<string[]> {
  const account = (column: string) => tx.part`
    (select ${tx.part(column)} from inventory.cloud_accounts where org_id = ${tx.orgId} and id = ${accountId})
  `;
  const rows = await tx<{ lines: string }>`
    select string_agg(line, ${LINE_END}) as lines
      from (
        select concat_ws(
                 ${SEPARATOR}, i.id, i.source_id, coalesce(i.region, ''), case when i.inline then 'i' else '' end,
                 case
                   when i.account is null and i.source_account_id is null and exists (
                     select
                       from inventory.matches m
                      where m.org_id = ${tx.orgId}
                        and m.iac_resource_id = i.id
                        and m.cloud_account_id <> ${accountId}
                   ) then 'c'
                   else ''
                 end,
                 array_to_string(i.keys, ${SEPARATOR})
               ) as line,
               row_number() over () / ${LINES_A_TEXT} as text
          from inventory.placed_declarations i
         where i.org_id = ${tx.orgId}
           and i.cloud = ${account("cloud")}
           and (i.account = ${account("named_as")} or i.account is null) -- by itself, so that it uses the index of accounts
           and (i.account is not null or coalesce(i.source_account_id, ${accountId}) = ${accountId})
           and i.keys <> '{}'
      ) declared
     group by text
  `;
  return rows.map(({ lines }) => lines);
}
