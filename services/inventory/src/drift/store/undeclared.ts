import type { StoredDeclared } from "@leeway/drift/changes/pair";
import type { UndeclaredRow } from "@leeway/drift/changes/undeclared-resources";
import type { Row, Transaction } from "@leeway/shared/database/database";

import { declaredById } from "./pairs.ts";

/** Small enough that other work doesn't wait long while a batch is judged. */
const ROWS_A_BATCH = 500;

interface LiveRow extends Row {
  id: string;
  provider: string;
  provider_type: string;
  provider_resource_id: string;
  name: string | null;
  properties: string | null;
  part_ids: string[];
}

/** Returns an account's undeclared resources in batches. `gatherParts` must run first. */
export async function* undeclaredOf(tx: Transaction, accountId: string): AsyncGenerator<UndeclaredRow[]> {
  let after: string | undefined;
  do {
    const rows: LiveRow[] = await liveAfter(tx, accountId, after);
    after = rows.at(-1)?.id;
    const ids = rows.flatMap(({ part_ids }) => part_ids);
    const declared = ids.length > 0 ? await declaredById(tx, ids) : new Map<string, StoredDeclared>();
    yield rows.map((row) => fromRow(row, declared));
  } while (after !== undefined);
}

function liveAfter(tx: Transaction, accountId: string, after: string | undefined): Promise<LiveRow[]> {
  return tx<LiveRow>`
    select l.id, a.provider, l.provider_type, l.provider_resource_id, l.name, l.properties, p.ids as part_ids
      from inventory.live_resources l
      join inventory.cloud_accounts a on a.id = l.cloud_account_id
     cross join lateral (
       select array(
                select d.iac_id from (select * from live_parts) d where d.live_id = l.id order by d.iac_id
              ) as ids
     ) p
     where l.org_id = ${tx.orgId}
       and a.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       ${after === undefined ? tx.part`` : tx.part`and l.id > ${after}`}
       and l.match_status in ('undeclared', 'unchecked')
     order by l.id
     limit ${ROWS_A_BATCH}
  `;
}

function fromRow(row: LiveRow, declared: ReadonlyMap<string, StoredDeclared>): UndeclaredRow {
  return {
    id: row.id,
    provider: row.provider,
    providerType: row.provider_type,
    providerResourceId: row.provider_resource_id,
    name: row.name ?? undefined,
    properties: row.properties ?? undefined,
    parts: row.part_ids.map((id) => declared.get(id)).filter((part) => part !== undefined),
  };
}
