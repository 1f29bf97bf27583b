import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { ProviderMark, providerName } from "../../ui/provider.tsx";
import { Read } from "../../ui/states.tsx";
import { ShortTable } from "../../ui/short-table.tsx";
import { allOf, type Column } from "../../ui/table-frame.tsx";
import { Time } from "../../ui/time.tsx";
import { riskOf, type Level } from "../risk.ts";
import { Coverage } from "./coverage.tsx";
import { GetStarted } from "./get-started.tsx";
import { LazyBreakdown, LazyCharts } from "./lazy-charts.tsx";
import { LazyChecklist } from "./lazy-checklist.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { coverageStateOf, UNOBSERVED, worstFirst } from "./coverage-state.ts";
import { Summary } from "./summary.tsx";
import { Trend } from "./trend.tsx";
import { WhatChanged } from "./what-changed.tsx";

const FRESH_MS = 15_000;
const MAX_ACCOUNTS = 50;

const COLUMNS: readonly Column<PostureRow>[] = [
  { title: "Account", width: "minmax(10rem, 2fr)", cell: (row) => <Account row={row} /> },
  { title: "Coverage", width: "minmax(9.5rem, 1.3fr)", cell: (row) => <Coverage row={row} /> },
  { title: "Trend", width: "6rem", cell: (row) => <Trend accountId={row.cloud_account_id} /> },
  { title: "Risk", width: "5.5rem", cell: (row) => <Risk row={row} /> },
  { title: "Undeclared", width: "8rem", end: true, cell: (row) => <Undeclared row={row} /> },
  { title: "Missing", width: "5.5rem", end: true, cell: (row) => <Gone row={row} /> },
  { title: "Last scan", width: "7.5rem", cell: (row) => <LastScan row={row} /> },
];

/** Shows the state of all accounts. */
export function PosturePage() {
  const posture = useRead("GET /orgs/{id}/posture", { everyMs: FRESH_MS });
  return (
    <Page title="Posture" lead="Changes in your cloud accounts, and how much of them is declared as code.">
      <Read read={posture}>
        {({ data }) => (
          <>
            <LazyChecklist accounts={data} />
            {data.length > 0 && (
              <>
                <NeedsAttention accounts={data} />
                <WhatChanged accounts={data} />
                <Summary rows={data} />
                <LazyCharts />
              </>
            )}
            <Accounts rows={data} />
            {data.length > 0 && <LazyBreakdown accounts={data} />}
          </>
        )}
      </Read>
    </Page>
  );
}

/** Lists accounts, the worst first, and all of many only on request. */
function Accounts({ rows }: { rows: readonly PostureRow[] }) {
  const [isAll, setAll] = useState(false);
  const worst = worstFirst(rows);
  const isCut = !isAll && worst.length > MAX_ACCOUNTS;
  return (
    <Card padded={false}>
      <ShortTable
        label="Cloud accounts"
        columns={COLUMNS}
        rows={allOf(isCut ? worst.slice(0, MAX_ACCOUNTS) : worst)}
        keyOf={({ cloud_account_id: id }) => id}
        empty={<GetStarted />}
      />
      {isCut && (
        <div className="p-3 text-center">
          <Button kind="quiet" onClick={() => setAll(true)}>
            Show all {countText(worst.length)} accounts
          </Button>
        </div>
      )}
    </Card>
  );
}

function Account({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ProviderMark provider={row.provider} />
      <div className="min-w-0">
        <Link
          to="/orgs/$orgId/accounts/$accountId"
          params={{ orgId, accountId: row.cloud_account_id }}
          title={`${row.name ?? ""} ${row.external_id}`.trim()}
          data-row
          className="line-clamp-2 font-medium hover:underline"
        >
          {row.name ?? row.external_id}
        </Link>
        <div className="text-muted truncate text-xs">
          {providerName(row.provider)} {row.external_id}
        </div>
      </div>
    </div>
  );
}

function Risk({ row }: { row: PostureRow }) {
  const level = "percent" in coverageStateOf(row) ? riskOf(row) : undefined;
  if (level === undefined) return <span className="text-muted">Unknown</span>;
  return <LevelLink row={row} level={level} search={{}} what="drift" />;
}

interface LevelLinkProps {
  row: PostureRow;
  level: Level;
  search: { kind?: "undeclared" };
  what: string;
}

/** Links to the account's changes of that level. */
function LevelLink({ row, level, search, what }: LevelLinkProps) {
  const orgId = useOrgId();
  if (level === "none") return <LevelBadge level="none" />;
  return (
    <Link
      to="/orgs/$orgId/drift"
      params={{ orgId }}
      search={{ account_id: row.cloud_account_id, risk_level: level, ...search }}
      className="relative z-1 inline-block rounded-md"
      aria-label={`${level} ${what} in ${row.name ?? row.external_id}`}
    >
      <LevelBadge level={level} />
    </Link>
  );
}

function Undeclared({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  if (isUnknown(row)) return <span className="text-muted">Unknown</span>;
  const { undeclared_risk_level: level = "none" } = row;
  return (
    <span className="flex items-center justify-end gap-2">
      {level !== "none" && (
        <LevelLink row={row} level={level} search={{ kind: "undeclared" }} what="undeclared resources" />
      )}
      {row.undeclared_count === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <Link
          to="/orgs/$orgId/inventory"
          params={{ orgId }}
          search={{ account_id: row.cloud_account_id, match: "undeclared" }}
          className="decoration-strong-line relative z-1 font-medium underline underline-offset-4 hover:decoration-current"
          aria-label={`${countText(row.undeclared_count)} undeclared in ${row.name ?? row.external_id}`}
        >
          {countText(row.undeclared_count)}
        </Link>
      )}
    </span>
  );
}

/** Shows missing declarations, and those that can't be observed. */
function Gone({ row }: { row: PostureRow }) {
  return (
    <div>
      <Missing row={row} />
      {row.unobserved_count > 0 && (
        <div className="text-muted text-xs" title={UNOBSERVED}>
          {countText(row.unobserved_count)} unobserved
        </div>
      )}
    </div>
  );
}

function Missing({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  if (row.missing_count === 0) {
    return <span className="text-muted">{isUnknown(row) ? "Unknown" : "0"}</span>;
  }
  return (
    <Link
      to="/orgs/$orgId/drift"
      params={{ orgId }}
      search={{ account_id: row.cloud_account_id, kind: "missing" }}
      className="decoration-strong-line relative z-1 underline underline-offset-4 hover:decoration-current"
      aria-label={`${countText(row.missing_count)} missing in ${row.name ?? row.external_id}`}
    >
      {countText(row.missing_count)}
    </Link>
  );
}

/** Returns whether there are no figures, because no scan has succeeded. */
function isUnknown(row: PostureRow): boolean {
  const { kind } = coverageStateOf(row);
  return kind === "never" || kind === "unscanned";
}

function LastScan({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  const { latest_scan: latest } = row;
  if (latest?.status === "failed") {
    return (
      <Link
        to="/orgs/$orgId/scans/$scanId"
        params={{ orgId, scanId: latest.id }}
        className="text-critical underline-offset-4 hover:underline"
      >
        Failed <Time at={latest.at} />
      </Link>
    );
  }
  if (row.last_scan_at === undefined) return <span className="text-muted">Never</span>;
  return (
    <span className="text-muted">
      <Time at={row.last_scan_at} />
    </span>
  );
}
