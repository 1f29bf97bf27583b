import { useState, type ReactNode } from "react";

import type { Rows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge, LevelBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { Decided, KIND_NAMES, resourceOf, type DriftChange } from "./change.tsx";
import { Decide, type Decision } from "./decide.tsx";
import { Differences } from "./differences.tsx";

interface ChangesProps {
  label: string;
  rows: Rows<DriftChange>;
  empty: ReactNode;
}

/** Changes, worst first, each with what differs, and with what can be decided about it. */
export function Changes({ label, rows, empty }: ChangesProps) {
  const [open, setOpen] = useState<{ change: DriftChange; decision: Decision }>();
  const may = useMay("member");
  const columns: readonly Column<DriftChange>[] = [
    ...COLUMNS,
    {
      title: "What to do",
      width: "14rem",
      end: true,
      cell: (change) => <Decisions change={change} onDecide={(decision) => setOpen({ change, decision })} />,
    },
  ];
  return (
    <>
      <Table
        label={label}
        columns={may ? columns : COLUMNS}
        rows={rows}
        keyOf={({ fingerprint }) => fingerprint}
        tall
        empty={empty}
      />
      {open && <Decide {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<DriftChange>[] = [
  { title: "Risk", width: "6.5rem", cell: ({ risk_level: level }) => <LevelBadge level={level} /> },
  { title: "Change", width: "minmax(16rem, 3fr)", below: true, cell: (change) => <What change={change} /> },
  { title: "Decision", width: "minmax(8rem, 1fr)", cell: (change) => <Decided {...change} /> },
  { title: "Since", width: "7rem", cell: ({ first_seen_at: at }) => <Time at={at} /> },
];

function What({ change }: { change: DriftChange }) {
  const { nameOf } = useAccounts();
  const { resource_name: name } = change;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {name !== undefined && <span className="font-medium wrap-anywhere">{name}</span>}
      <code className={`font-mono text-xs break-all ${name === undefined ? "font-medium" : "text-muted"}`}>
        {resourceOf(change)}
      </code>
      <span className="text-muted flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <Badge>{KIND_NAMES[change.kind]}</Badge>
        {change.address === undefined && <span className="break-all">{change.resource_type}</span>}
        {change.noise && <Noise {...change.noise} />}
        {nameOf(change.cloud_account_id)}
      </span>
      {change.actor && <By {...change.actor} />}
      <Differences change={change} />
    </div>
  );
}

function Noise({ confidence }: NonNullable<DriftChange["noise"]>) {
  return <Badge title={`Nothing of it changes anything: ${Math.round(confidence * 100)}% sure`}>Noise</Badge>;
}

/** Who made it, as the cloud's audit log tells. */
function By({ principal, event, at }: NonNullable<DriftChange["actor"]>) {
  return (
    <span className="text-muted text-xs break-all">
      By <span className="text-ink">{principal}</span> ({event}) <Time at={at} />
    </span>
  );
}

interface DecisionsProps {
  change: DriftChange;
  onDecide: (decision: Decision) => void;
}

function Decisions({ change, onDecide }: DecisionsProps) {
  const isAdmin = useMay("admin");
  const { status } = change.disposition;
  const name = resourceOf(change);
  if (status === "resolved") return undefined;
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {status === "open" && (
        <Button onClick={() => onDecide("acknowledged")} aria-label={`Acknowledge ${name}`}>
          Acknowledge
        </Button>
      )}
      {isAdmin && status !== "ignored" && (
        <Button onClick={() => onDecide("ignored")} aria-label={`Ignore ${name}`}>
          Ignore
        </Button>
      )}
      {isAdmin && status !== "open" && (
        <Button onClick={() => onDecide("open")} aria-label={`Open again ${name}`}>
          Open again
        </Button>
      )}
    </span>
  );
}
