import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { ProviderMark, providerName } from "../../ui/provider.tsx";
import { Read } from "../../ui/states.tsx";
import { allOf, Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { Coverage } from "./coverage.tsx";
import { GetStarted } from "./get-started.tsx";
import { standingOf, worstFirst } from "./standing.ts";
import { Summary } from "./summary.tsx";
import { Trend } from "./trend.tsx";

const FRESH_MS = 15_000;

const COLUMNS: readonly Column<PostureRow>[] = [
  { title: "Account", width: "minmax(11.5rem, 2fr)", cell: (row) => <Account row={row} /> },
  { title: "Coverage", width: "minmax(10.5rem, 1.3fr)", cell: (row) => <Coverage row={row} /> },
  { title: "Trend", width: "6rem", cell: (row) => <Trend accountId={row.cloud_account_id} /> },
  { title: "Risk", width: "5.5rem", cell: (row) => <Risk row={row} /> },
  { title: "Undeclared", width: "5.5rem", end: true, cell: (row) => <Undeclared row={row} /> },
  { title: "Missing", width: "4rem", end: true, cell: (row) => <Missing row={row} /> },
  { title: "Last scan", width: "7.5rem", cell: (row) => <LastScan row={row} /> },
];

/** The state of all accounts. */
export function PosturePage() {
  const posture = useRead("GET /orgs/{id}/posture", { everyMs: FRESH_MS });
  return (
    <Page
      title="Posture"
      lead="Every cloud account, worst first: what runs there, and what of it is declared as code."
    >
      <Read read={posture}>
        {({ data }) => (
          <>
            {data.length > 0 && <Summary rows={data} />}
            <Card padded={false}>
              <Table
                label="Cloud accounts"
                columns={COLUMNS}
                rows={allOf(worstFirst(data))}
                keyOf={({ cloud_account_id: id }) => id}
                empty={<GetStarted />}
              />
            </Card>
          </>
        )}
      </Read>
    </Page>
  );
}

function Account({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ProviderMark provider={row.provider} />
      <div className="min-w-0">
        <Link
          to="/orgs/$orgId/inventory"
          params={{ orgId }}
          search={{ account_id: row.cloud_account_id }}
          title={`${row.name ?? ""} ${row.external_id}`.trim()}
          className="block truncate font-medium after:absolute after:inset-0 hover:underline"
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
  const isKnown = "percent" in standingOf(row) && row.risk_level !== undefined;
  const orgId = useOrgId();
  if (!isKnown || row.risk_level === undefined) return <span className="text-muted">Unknown</span>;
  if (row.risk_level === "none") return <LevelBadge level="none" />;
  return (
    <Link
      to="/orgs/$orgId/drift"
      params={{ orgId }}
      search={{ account_id: row.cloud_account_id, risk_level: row.risk_level }}
      className="relative z-1 inline-block rounded-md"
      aria-label={`${row.risk_level} drift in ${row.name ?? row.external_id}`}
    >
      <LevelBadge level={row.risk_level} />
    </Link>
  );
}

function Undeclared({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  if (standingOf(row).kind === "never") return <span className="text-muted">Unknown</span>;
  if (row.undeclared_count === 0) return <span className="text-muted">0</span>;
  return (
    <Link
      to="/orgs/$orgId/inventory"
      params={{ orgId }}
      search={{ account_id: row.cloud_account_id, match: "undeclared" }}
      className="decoration-strong-line relative z-1 font-medium underline underline-offset-4 hover:decoration-current"
      aria-label={`${countText(row.undeclared_count)} undeclared in ${row.name ?? row.external_id}`}
    >
      {countText(row.undeclared_count)}
    </Link>
  );
}

function Missing({ row }: { row: PostureRow }) {
  const orgId = useOrgId();
  if (row.missing_count === 0) {
    return <span className="text-muted">{standingOf(row).kind === "never" ? "Unknown" : "0"}</span>;
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

function LastScan({ row }: { row: PostureRow }) {
  if (row.last_scan_at === undefined) return <span className="text-muted">Never</span>;
  return (
    <span className="text-muted">
      <Time at={row.last_scan_at} />
    </span>
  );
}
