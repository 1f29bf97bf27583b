import type { Transaction } from "@leeway/shared/database/database";

/** Updates an account's `ambiguities`: declared resources that may be one of several live ones. */
export async function recordAmbiguities(
  tx: Transaction,
  accountId: string,
  ambiguous: readonly string[],
): Promise<void> {
  await tx`
    with found as materialized (
      select unnest(${[...ambiguous]}::uuid[]) as id
    ), over as (
      delete from inventory.ambiguities a
       where a.org_id = ${tx.orgId}
         and a.cloud_account_id = ${accountId}
         and not exists (select from found f where f.id = a.iac_resource_id)
    )
    insert into inventory.ambiguities (org_id, iac_resource_id, cloud_account_id)
    select ${tx.orgId}, id, ${accountId} from found
    on conflict do nothing
  `;
}
