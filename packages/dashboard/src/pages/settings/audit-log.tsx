import { ScrollText } from "lucide-react";

import { useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import type { AuditEntry } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Moment } from "../../ui/time.tsx";

const OUTCOMES: Readonly<Record<AuditEntry["outcome"], { tone: Tone; text: string; title?: string }>> = {
  done: { tone: "good", text: "Done" },
  refused: { tone: "medium", text: "Refused" },
  unknown: { tone: "neutral", text: "Unknown", title: "It was cut off: it may have been done or not" },
};
const ACTORS: Readonly<Record<AuditEntry["actor"]["type"], string>> = {
  person: "Person",
  api_key: "API key",
  operator: "Operator",
  system: "Leeway",
};

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: "What", width: "minmax(12rem, 1.2fr)", cell: (entry) => <What entry={entry} /> },
  { title: "Details", width: "minmax(12rem, 2fr)", cell: (entry) => <Details entry={entry} /> },
  { title: "By", width: "minmax(8rem, 1fr)", cell: ({ actor }) => <By actor={actor} /> },
  { title: "Outcome", width: "6rem", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { title: "When", width: "10.5rem", cell: ({ at }) => <Moment at={at} /> },
];

/** Who changed what. */
export function AuditLogPage() {
  const may = useMay("admin");
  const entries = useRows("GET /orgs/{id}/audit-log", { when: may });
  if (!may) return <Empty title="For admins and owners">Who changed what is told to them only.</Empty>;
  return (
    <Card padded={false}>
      <Table
        label="Audit log"
        columns={COLUMNS}
        rows={entries}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<ScrollText className="size-5" />} title="Nothing was changed yet">
            Every change to keys, members, accounts and settings is written down here.
          </Empty>
        }
      />
    </Card>
  );
}

function What({ entry: { action, target } }: { entry: AuditEntry }) {
  return (
    <div className="min-w-0">
      <div className="truncate font-medium">{action}</div>
      {target.id !== undefined && <div className="text-muted font-mono text-xs break-all">{target.id}</div>}
    </div>
  );
}

function Details({ entry: { details } }: { entry: AuditEntry }) {
  const facts = Object.entries(details).map(([name, value]) => `${name}: ${String(value)}`);
  return <span className="text-muted block text-xs wrap-anywhere">{facts.join(", ")}</span>;
}

function By({ actor: { type, id, name } }: { actor: AuditEntry["actor"] }) {
  return (
    <div className="min-w-0">
      <div className="wrap-anywhere">{name ?? ACTORS[type]}</div>
      <div className="text-muted text-xs break-all">
        {name !== undefined && `${ACTORS[type]} `}
        <span className="font-mono">{id}</span>
      </div>
    </div>
  );
}

function Outcome({ outcome }: Pick<AuditEntry, "outcome">) {
  const { tone, text, title } = OUTCOMES[outcome];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}
