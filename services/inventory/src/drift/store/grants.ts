import type { Transaction } from "@leeway/shared/database/database";

import { catalog } from "../../clouds/gcp/catalog.ts";
import { grantTypes } from "../../clouds/gcp/iam.ts";

/** Types that have one of these as their canonical one declare what is granted on something. */
const GRANTS = [
  ...new Set(catalog.entries.flatMap(({ terraform }) => grantTypes(terraform[0] ?? "")?.member ?? [])),
];

/**
 * Whether it is known of all declared grants what they are on. Of states that an older version took in it isn't until
 * they are taken once more; then each of theirs would look like one that nothing declares.
 */
export async function areGrantsKnown(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ known: boolean }>`
    select not exists (
      select
        from inventory.iac_resources i
        join inventory.declared_attributes d on d.org_id = i.org_id and d.iac_resource_id = i.id
       where i.org_id = ${tx.orgId}
         and i.canonical_type = any (${GRANTS})
         and not i.inline
         and d.whole_keys = '{}'
    ) as known
  `;
  return row?.known === true;
}
