import type { OrgStatements, Row } from "@leeway/shared/database/database";

import type { SnapshotPlace } from "./changes.ts";

interface PlaceRow extends Row {
  cloud_account_id: string;
  number: number | null;
  finished_at: Date | null;
}

/** A snapshot's place. `place` is undefined if the snapshot isn't ready or was computed before changes were stored. */
export interface PlacedSnapshot {
  accountId: string;
  place: SnapshotPlace | undefined;
}

/** Returns where a snapshot's changes are found; undefined if the snapshot doesn't exist. */
export async function placeOf(sql: OrgStatements, snapshotId: string): Promise<PlacedSnapshot | undefined> {
  const [row] = await sql<PlaceRow>`
    select cloud_account_id, number, finished_at
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and id = ${snapshotId}
  `;
  return row && placed(row);
}

/** Returns the account's finished snapshot before `number`. */
export async function idBefore(
  sql: OrgStatements,
  { accountId, number }: SnapshotPlace,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>`
    select id
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
       and number < ${number}
     order by number desc
     limit 1
  `;
  return row?.id;
}

function placed({ cloud_account_id: accountId, number, finished_at: finishedAt }: PlaceRow): PlacedSnapshot {
  if (number === null || finishedAt === null) return { accountId, place: undefined };
  return { accountId, place: { accountId, number, finishedAt } };
}
