import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { LevelBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { nameOfChange, type DriftChange } from "../drift/change.tsx";
import { Decide } from "../drift/decide.tsx";
import { DecidedBy } from "../drift/decided-by.tsx";
import { differenceText } from "../drift/difference.ts";
import { Nothing, Until, Why } from "./why.tsx";

const COLUMNS: readonly Column<DriftChange>[] = [
  { title: "Change", width: "minmax(12rem, 2.2fr)", below: true, cell: (row) => <Change row={row} /> },
  {
    title: "Why",
    width: "minmax(10rem, 2fr)",
    below: true,
    cell: ({ disposition: { reason, by } }) => <Why reason={reason}>{by && <DecidedBy actor={by} />}</Why>,
  },
  { title: "Until", width: "6rem", cell: ({ disposition: { until } }) => <Until at={until} /> },
  { title: "Risk", width: "6rem", cell: ({ risk_level: level }) => <LevelBadge level={level} /> },
];

/** Lists the changes that people decided to ignore. */
export function IgnoredDrift() {
  const may = useMay("admin");
  const [reopened, setReopened] = useState<DriftChange>();
  const changes = useRows("GET /orgs/{id}/drift-changes", { query: { disposition: "ignored" } });
  const actions: Column<DriftChange> = {
    title: "Actions",
    width: "7rem",
    end: true,
    cell: (row) => (
      <Button aria-label={`Reopen ${nameOfChange(row)}`} onClick={() => setReopened(row)}>
        Reopen
      </Button>
    ),
  };
  return (
    <Card title="Ignored drift" padded={false}>
      <Table
        label="Ignored drift"
        columns={may ? [...COLUMNS, actions] : COLUMNS}
        rows={changes}
        keyOf={({ id }) => id}
        empty={<Nothing>No change is ignored. Ignore one on its page or in the list of drift.</Nothing>}
      />
      {reopened && <Decide change={reopened} decision="open" onClose={() => setReopened(undefined)} />}
    </Card>
  );
}

function Change({ row }: { row: DriftChange }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/drift/$fingerprint"
        params={{ orgId, fingerprint: row.fingerprint }}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {nameOfChange(row)}
      </Link>
      <div className="text-muted truncate text-xs">{differenceText(row)}</div>
    </div>
  );
}
