import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Radar, Play } from "lucide-react";
import { useState } from "react";

import { SCAN_STATUSES, SCAN_TRIGGERS } from "../../api/closed-sets.gen.ts";
import { useOrgId, useRows } from "../../api/hooks.ts";
import type { Scan } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { durationInWords, Time } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { FirstAccount } from "../first-account.tsx";
import { inWords } from "../words.ts";
import { ScansFrame } from "./frame.tsx";
import { scanSearch } from "./search.ts";
import { isUnderWay, ScanStatus } from "./status.tsx";
import { StartScan } from "./start-scan.tsx";

const PATH = "/orgs/$orgId/scans";
const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

const COLUMNS: readonly Column<Scan>[] = [
  { title: "Account", width: "minmax(8rem, 2fr)", cell: (scan) => <Account scan={scan} /> },
  { title: "Status", width: "9rem", cell: (scan) => <ScanStatus scan={scan} /> },
  { title: "Trigger", width: "5.5rem", cell: ({ trigger }) => inWords(trigger) },
  { title: "Seen", width: "5rem", end: true, cell: ({ stats }) => <Count of={stats.seen} /> },
  { title: "New, gone", width: "6rem", end: true, wide: true, cell: (scan) => <Changes scan={scan} /> },
  { title: "Errors", width: "4.5rem", end: true, cell: (scan) => <Errors scan={scan} /> },
  { title: "Took", width: "4.5rem", end: true, wide: true, cell: (scan) => <Duration scan={scan} /> },
  { title: "Requested", width: "7rem", cell: ({ created_at: at }) => <Time at={at} /> },
];

/** Lists scans, newest first. */
export function ScansPage() {
  const search = useSearch({ from: PATH, select: scanSearch });
  const scans = useRows("GET /orgs/{id}/scans", {
    query: search,
    everyMs: (rows) => (rows.some(isUnderWay) ? BUSY_MS : IDLE_MS),
  });
  const may = useMay("admin");
  const [isStarting, setStarting] = useState(false);
  return (
    <ScansFrame
      actions={
        may && (
          <Button kind="primary" onClick={() => setStarting(true)}>
            <Play aria-hidden="true" className="size-4" /> Scan now
          </Button>
        )
      }
    >
      <Filters />
      <Card padded={false}>
        <Table
          label="Scans"
          columns={COLUMNS}
          rows={scans}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<Radar className="size-5" />} title="No scans">
              <NoScans isFiltered={Object.keys(search).length > 0} />
            </Empty>
          }
        />
      </Card>
      {isStarting && <StartScan onClose={() => setStarting(false)} />}
    </ScansFrame>
  );
}

function NoScans({ isFiltered }: { isFiltered: boolean }) {
  const { isNone } = useAccounts();
  if (isFiltered) return "No scan matches the filters.";
  if (!isNone) return "Scan an account that has credentials, or push its listing.";
  return (
    <>
      <FirstAccount /> to scan it.
    </>
  );
}

function Filters() {
  const search = useSearch({ from: PATH, select: scanSearch });
  const navigate = useNavigate({ from: PATH });
  const { options } = useAccounts(search.account_id);
  const pick = (name: keyof typeof search) => (value: string) =>
    void navigate({ search: (before) => scanSearch({ ...before, [name]: value }), replace: true });
  return (
    <div role="search" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap">
      <Select
        bare
        label="Account"
        value={search.account_id ?? ""}
        onChange={pick("account_id")}
        options={[["", "All accounts"], ...options]}
        className="sm:max-w-52"
      />
      <Select
        bare
        label="Status"
        value={search.status ?? ""}
        onChange={pick("status")}
        options={[["", "Any status"], ...SCAN_STATUSES.map((word) => [word, inWords(word)] as const)]}
      />
      <Select
        bare
        label="Trigger"
        value={search.trigger ?? ""}
        onChange={pick("trigger")}
        options={[["", "Any trigger"], ...SCAN_TRIGGERS.map((word) => [word, inWords(word)] as const)]}
      />
    </div>
  );
}

function Account({ scan }: { scan: Scan }) {
  const orgId = useOrgId();
  const { nameOf } = useAccounts();
  return (
    <Link
      to="/orgs/$orgId/scans/$scanId"
      params={{ orgId, scanId: scan.id }}
      title={nameOf(scan.account_id)}
      data-row
      className="block truncate font-medium hover:underline"
    >
      {nameOf(scan.account_id)}
    </Link>
  );
}

function Count({ of }: { of: number | undefined }) {
  return of === undefined ? <span className="text-muted">–</span> : <span>{countText(of)}</span>;
}

function Changes({ scan: { stats } }: { scan: Scan }) {
  const { created, gone } = stats;
  if (created === undefined && gone === undefined) return <span className="text-muted">–</span>;
  return (
    <span>
      +{countText(created ?? 0)} −{countText(gone ?? 0)}
    </span>
  );
}

function Errors({ scan: { errors } }: { scan: Scan }) {
  const count = errors.reduce((sum, { count }) => sum + count, 0);
  return count === 0 ? (
    <span className="text-muted">0</span>
  ) : (
    <span className="text-critical">{countText(count)}</span>
  );
}

function Duration({ scan: { started_at: start, finished_at: end } }: { scan: Scan }) {
  return (
    <span className="text-muted">
      {start !== undefined && end !== undefined && durationInWords(start, end)}
    </span>
  );
}
