import type { Actor } from "@leeway/shared/contracts/common";
import type { Scan, ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

/** A row of the table of scans. */
export interface ScanRow extends Row {
  id: string;
  org_id: string;
  account_id: string;
  kind: Scan["kind"];
  trigger: Scan["trigger"];
  status: Scan["status"];
  phase: Scan["phase"];
  requested_by: Actor;
  format: string | null;
  stats: ScanStats;
  errors: ScanError[];
  drift_snapshot_id: string | null;
  schedule_id: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** The columns of a `ScanRow`. */
export const columns = (sql: Statements) => sql.part`
  id, org_id, account_id, kind, trigger, status, phase, requested_by, format,
  stats, errors, drift_snapshot_id, schedule_id, created_at, started_at, finished_at
`;

export function fromRow(row: ScanRow): Scan {
  return {
    id: row.id,
    org_id: row.org_id,
    account_id: row.account_id,
    kind: row.kind,
    trigger: row.trigger,
    status: row.status,
    phase: row.phase,
    created_at: row.created_at.toISOString(),
    ...present({
      started_at: row.started_at?.toISOString(),
      finished_at: row.finished_at?.toISOString(),
      format: row.format,
      drift_snapshot_id: row.drift_snapshot_id,
      schedule_id: row.schedule_id,
    }),
    requested_by: row.requested_by,
    stats: row.stats,
    errors: row.errors,
  };
}
