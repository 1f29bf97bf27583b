import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { History } from "lucide-react";
import type { ReactNode } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import type { DriftSnapshot } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { Select } from "../../ui/field.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { FirstAccount } from "../first-account.tsx";
import { riskOf } from "../risk.ts";
import { DriftFrame } from "./frame.tsx";
import { snapshotsSearch } from "./search.ts";
import { SnapshotStatus } from "./snapshot-status.tsx";

const PATH = "/orgs/$orgId/drift/snapshots";
const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

const COLUMNS: readonly Column<DriftSnapshot>[] = [
  { title: "Snapshot", width: "minmax(13rem, 2fr)", cell: (row) => <Name row={row} /> },
  { title: "Status", width: "8rem", cell: ({ status }) => <SnapshotStatus status={status} /> },
  {
    title: "Risk",
    width: "7rem",
    cell: (row) => <Risk row={row} />,
  },
  {
    title: "Changed",
    width: "5rem",
    end: true,
    cell: (row) => <Known row={row}>{countText(row.changed_count)}</Known>,
  },
  {
    title: "Missing",
    width: "5rem",
    end: true,
    cell: (row) => <Known row={row}>{countText(row.missing_count)}</Known>,
  },
  {
    title: "Undeclared",
    width: "9rem",
    end: true,
    cell: (row) => (
      <Known row={row}>
        <Undeclared row={row} />
      </Known>
    ),
  },
];

/** Lists comparisons, newest first. */
export function SnapshotsPage() {
  const search = useSearch({ from: PATH, select: snapshotsSearch });
  const navigate = useNavigate({ from: PATH });
  const { options, isNone } = useAccounts(search.account_id);
  const snapshots = useRows("GET /orgs/{id}/drift-snapshots", {
    query: search,
    everyMs: (rows) => (rows.some(({ status }) => status === "pending") ? BUSY_MS : IDLE_MS),
  });
  return (
    <DriftFrame>
      <div role="search" className="flex flex-wrap gap-2">
        <Select
          bare
          label="Account"
          value={search.account_id ?? ""}
          options={[["", "All accounts"], ...options]}
          onChange={(account) =>
            void navigate({ search: snapshotsSearch({ account_id: account }), replace: true })
          }
          className="max-w-52"
        />
      </div>
      <Card padded={false}>
        <Table
          label="Snapshots"
          columns={COLUMNS}
          rows={snapshots}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<History className="size-5" />} title="No snapshots yet">
              {isNone ? (
                <>
                  <FirstAccount />. Each scan creates a snapshot.
                </>
              ) : (
                "Each scan of an account creates one."
              )}
            </Empty>
          }
        />
      </Card>
    </DriftFrame>
  );
}

function Risk({ row }: { row: DriftSnapshot }) {
  const level = row.status === "ready" ? riskOf(row) : undefined;
  return level === undefined ? <span className="text-muted">Unknown</span> : <LevelBadge level={level} />;
}

function Undeclared({
  row: { undeclared_risk_level: level, undeclared_count: count },
}: {
  row: DriftSnapshot;
}) {
  return (
    <span className="flex items-center justify-end gap-2">
      {level !== undefined && level !== "none" && <LevelBadge level={level} />}
      {countText(count)}
    </span>
  );
}

/** Hides the figures of unfinished or failed snapshots. */
function Known({ row: { status }, children }: { row: DriftSnapshot; children: ReactNode }) {
  return status === "ready" ? children : <span className="text-muted">Unknown</span>;
}

function Name({ row }: { row: DriftSnapshot }) {
  const orgId = useOrgId();
  const { nameOf } = useAccounts();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/drift/snapshots/$snapshotId"
        params={{ orgId, snapshotId: row.id }}
        title={nameOf(row.cloud_account_id)}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {nameOf(row.cloud_account_id)}
      </Link>
      <div className="text-muted text-xs">
        <Time at={row.created_at} />
      </div>
    </div>
  );
}
