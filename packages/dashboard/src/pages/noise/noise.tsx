import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { AudioLines } from "lucide-react";

import { NOISE_CLASSES, NOISE_STATUSES } from "../../api/closed-sets.gen.ts";
import { useOrgId, useRows } from "../../api/hooks.ts";
import type { PlanNoise } from "../../api/openapi.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { inWords } from "../words.ts";
import { noiseSearch } from "./search.ts";
import { StatusBadge, STATUSES as SHOWN } from "./status.tsx";

const PATH = "/orgs/$orgId/noise";

const COLUMNS: readonly Column<PlanNoise>[] = [
  { title: "Noise", width: "minmax(14rem, 2.4fr)", cell: (row) => <Name row={row} /> },
  {
    title: "Where",
    width: "minmax(9rem, 1.2fr)",
    cell: ({ projects: [first, ...more] }) => (
      <span className="block truncate">
        {first ?? "Unknown"}
        {more.length > 0 && <span className="text-muted"> and {countOf(more.length, "other")}</span>}
      </span>
    ),
  },
  { title: "Plans", width: "4rem", end: true, cell: ({ occurrences }) => countText(occurrences) },
  { title: "Status", width: "6rem", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Last seen", width: "8rem", cell: ({ last_seen_at: at }) => <Time at={at} /> },
];

/** Lists differences that plans keep showing although nothing changes. */
export function NoisePage() {
  const search = useSearch({ from: PATH, select: noiseSearch });
  const navigate = useNavigate({ from: PATH });
  const noise = useRows("GET /orgs/{id}/plan-noise", { query: search });
  const filter = (changed: Record<string, string>): void =>
    void navigate({ search: (before) => noiseSearch({ ...before, ...changed }), replace: true });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page
      title="Noise"
      lead="Differences that plans keep showing although nothing changes, and how to fix them."
    >
      <div role="search" className="flex flex-wrap gap-2">
        <Select
          bare
          label="Status"
          value={search.status ?? ""}
          options={[["", "Any status"], ...NOISE_STATUSES.map((word) => [word, SHOWN[word].text] as const)]}
          onChange={(status) => filter({ status })}
        />
        <Select
          bare
          label="Class"
          value={search.class ?? ""}
          options={[["", "Any class"], ...NOISE_CLASSES.map((word) => [word, inWords(word)] as const)]}
          onChange={(value) => filter({ class: value })}
        />
        {isFiltered && (
          <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </div>
      <Card padded={false}>
        <Table
          label="Noise"
          columns={COLUMNS}
          rows={noise}
          keyOf={({ fingerprint }) => fingerprint}
          empty={
            <Empty
              icon={<AudioLines className="size-5" />}
              title={isFiltered ? "Nothing matches the filters" : "No noise yet"}
            >
              {isFiltered ? "Change or clear a filter to see more." : <NoNoise />}
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function NoNoise() {
  const orgId = useOrgId();
  return (
    <>
      Differences that{" "}
      <Link
        to="/orgs/$orgId/plans"
        params={{ orgId }}
        className="text-accent underline-offset-4 hover:underline"
      >
        plans
      </Link>{" "}
      repeat without changing anything appear here.
    </>
  );
}

function Name({ row }: { row: PlanNoise }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/noise/$fingerprint"
        params={{ orgId, fingerprint: row.fingerprint }}
        title={`${row.resource_type} ${row.path_pattern}`}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {row.title}
      </Link>
      <div className="text-muted truncate font-mono text-xs">
        {row.resource_type} {row.path_pattern}
      </div>
    </div>
  );
}
