import { Link } from "@tanstack/react-router";

import { useAct } from "../../api/act.ts";
import { useOrgId, useRows } from "../../api/hooks.ts";
import type { PlanNoise } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { say } from "../../ui/toast.tsx";
import { Nothing, Until, Why } from "./why.tsx";

const CHANGED = ["GET /orgs/{id}/plan-noise", "GET /orgs/{id}/plan-noise/{fingerprint}"] as const;

const COLUMNS: readonly Column<PlanNoise>[] = [
  { title: "Noise", width: "minmax(12rem, 2.2fr)", below: true, cell: (row) => <Name row={row} /> },
  {
    title: "Why",
    width: "minmax(10rem, 2fr)",
    below: true,
    cell: ({ muted_reason: reason, projects: [first] }) => <Why reason={reason}>{first}</Why>,
  },
  { title: "Until", width: "6rem", cell: ({ muted_until: until }) => <Until at={until} /> },
  { title: "Plans", width: "6rem", end: true, cell: ({ occurrences }) => countText(occurrences) },
];
const ACTIONS: Column<PlanNoise> = {
  title: "Actions",
  width: "7rem",
  end: true,
  cell: (row) => <Unmute row={row} />,
};

/** Lists the noise that people muted. */
export function MutedNoise() {
  const may = useMay("admin");
  const noise = useRows("GET /orgs/{id}/plan-noise", { query: { status: "muted" } });
  return (
    <Card title="Muted noise" padded={false}>
      <Table
        label="Muted noise"
        columns={may ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={noise}
        keyOf={({ fingerprint }) => fingerprint}
        empty={<Nothing>No noise is muted. Mute noise on its page.</Nothing>}
      />
    </Card>
  );
}

function Name({ row: { fingerprint, title, resource_type: type, path_pattern: path } }: { row: PlanNoise }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/noise/$fingerprint"
        params={{ orgId, fingerprint }}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {title}
      </Link>
      <div className="text-muted truncate font-mono text-xs">
        {type} {path}
      </div>
    </div>
  );
}

function Unmute({ row: { fingerprint, title } }: { row: PlanNoise }) {
  const change = useAct("PATCH /orgs/{id}/plan-noise/{fingerprint}", CHANGED);
  return (
    <>
      <Button
        aria-label={`Unmute ${title}`}
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { params: { fingerprint }, body: { status: "active" } },
            { onSuccess: () => say(`Unmuted ${title}`) },
          )
        }
      >
        Unmute
      </Button>
      {change.error && <Failure error={change.error} />}
    </>
  );
}
