import { allGrantTypes } from "@leeway/clouds/gcp/grant-types";
import type { Transaction } from "@leeway/shared/database/database";

/**
 * Returns whether the resource of every declared grant is known. States that an older version stored lack it until
 * they are pushed again, so that their grants would look undeclared.
 */
export async function areGrantsKnown(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ known: boolean }>`
    select not exists (
      select
        from inventory.iac_resources i
        join inventory.declared_attributes d on d.org_id = i.org_id and d.iac_resource_id = i.id
       where i.org_id = ${tx.orgId}
         and i.canonical_type = any (${[...allGrantTypes()]})
         and not i.inline
         and d.whole_keys = '{}'
    ) as known
  `;
  return row?.known === true;
}
