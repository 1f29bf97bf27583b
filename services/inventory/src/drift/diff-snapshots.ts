import type { Input } from "@leeway/shared/contracts/contract";
import type { DiffSnapshots, DriftDiff } from "@leeway/shared/contracts/inventory/drift";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { changesBeyond, countWithin, type SnapshotPlace } from "./store/changes.ts";
import { idBefore, placeOf, type PlacedSnapshot } from "./store/places.ts";

const MAX_SHOWN = 500;

/** @throws {AppError} `not_found`; `conflict` if a snapshot has no changes to compare; `invalid_parameter` */
export async function diffSnapshots(
  database: Database,
  { org_id, snapshot_id, base: given }: Input<typeof DiffSnapshots>,
): Promise<DriftDiff> {
  const sql = database.org(org_id);
  const { accountId, place } = await findPlace(sql, snapshot_id);
  const known = comparable(place, snapshot_id);
  const base = given ?? (await idBefore(sql, known));
  if (base === undefined) throw new AppError("conflict", "the account has no earlier snapshot");
  const earlier = await findPlace(sql, base);
  if (earlier.accountId !== accountId)
    throw invalidParameter("base", "belongs to a snapshot of another account");
  const other = comparable(earlier.place, base);
  const [found, gone, all] = await Promise.all([
    changesBeyond(sql, known, { other, most: MAX_SHOWN }),
    changesBeyond(sql, other, { other: known, most: MAX_SHOWN }),
    countWithin(sql, known),
  ]);
  return {
    base,
    snapshot: snapshot_id,
    new: found.changes,
    new_count: found.count,
    resolved: gone.changes,
    resolved_count: gone.count,
    persisting_count: all - found.count,
  };
}

/** @throws {AppError} `not_found` */
export async function findPlace(sql: OrgStatements, snapshotId: string): Promise<PlacedSnapshot> {
  const placed = await placeOf(sql, snapshotId);
  if (!placed) throw new AppError("not_found", "the drift snapshot doesn't exist");
  return placed;
}

function comparable(place: SnapshotPlace | undefined, snapshotId: string): SnapshotPlace {
  if (!place) throw new AppError("conflict", `the snapshot ${snapshotId} has no changes to compare`);
  return place;
}
