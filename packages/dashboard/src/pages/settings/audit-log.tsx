import { Link, useSearch } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { Fragment } from "react";

import { RETENTION_DAYS } from "../../api/later-sets.gen.ts";
import { useOrgId, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import type { AuditEntry } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Moment } from "../../ui/time.tsx";
import { auditFilter, AuditFilters } from "./audit-filters.tsx";
import { AuditTarget } from "./audit-target.tsx";
import { actionText, factText } from "./audit-words.ts";
import { auditSearch } from "./search.ts";

const OUTCOMES: Readonly<Record<AuditEntry["outcome"], { tone: Tone; text: string; title?: string }>> = {
  done: { tone: "good", text: "Done" },
  refused: { tone: "medium", text: "Refused" },
  unknown: {
    tone: "neutral",
    text: "Unknown",
    title: "The request was interrupted: it may have taken effect",
  },
};
const ACTORS: Readonly<Record<AuditEntry["actor"]["type"], string>> = {
  person: "Person",
  api_key: "API key",
  operator: "Operator",
  system: "Leeway",
  code_host_user: "Code host user",
  ci: "CI job",
};

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: "Action", width: "minmax(12rem, 1.6fr)", cell: (entry) => <What entry={entry} /> },
  {
    title: "Details",
    width: "minmax(12rem, 1.8fr)",
    below: true,
    cell: (entry) => <Details entry={entry} />,
  },
  { title: "Actor", width: "minmax(11rem, 1.2fr)", cell: ({ actor }) => <By actor={actor} /> },
  { title: "Outcome", width: "6rem", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { title: "Time", width: "10.5rem", cell: ({ at }) => <Moment at={at} /> },
];

const PATH = "/orgs/$orgId/settings/audit-log";

/** Lists who changed what. */
export function AuditLogPage() {
  const may = useMay("admin");
  const search = useSearch({ from: PATH, select: auditFilter });
  const entries = useRows("GET /orgs/{id}/audit-log", { query: search, when: may });
  if (!may) return <Empty title="Owners and admins only">Ask one of them what was changed.</Empty>;
  const [first] = entries.rows;
  return (
    <>
      <AuditFilters chosenName={first && nameOf(first.actor)} />
      <Card padded={false}>
        <Table
          label="Audit log"
          columns={COLUMNS}
          rows={entries}
          keyOf={({ id }) => id}
          empty={<NothingFound isFiltered={Object.keys(search).length > 0} />}
        />
      </Card>
    </>
  );
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty
      icon={<ScrollText className="size-5" />}
      title={isFiltered ? "Nothing matches the filters" : "No entries yet"}
    >
      {isFiltered
        ? `Change or clear a filter to see more. Entries are kept for ${RETENTION_DAYS.auditLog} days.`
        : "Every change to keys, members, accounts and settings is recorded here."}
    </Empty>
  );
}

function What({ entry: { action, target } }: { entry: AuditEntry }) {
  return (
    <div className="min-w-0">
      <div title={action} className="font-medium">
        {actionText(action)}
      </div>
      <AuditTarget target={target} action={action} />
    </div>
  );
}

function Details({ entry: { details } }: { entry: AuditEntry }) {
  const facts = Object.entries(details).map(([name, value]) => factText(name, value));
  return <span className="text-muted block text-xs wrap-anywhere">{facts.join(", ") || "None"}</span>;
}

function By({ actor }: { actor: AuditEntry["actor"] }) {
  const { type, id, name } = actor;
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to={PATH}
        params={{ orgId }}
        search={(before) => auditSearch({ ...before, actor_id: id })}
        title="Show only this actor"
        className="wrap-anywhere underline-offset-4 hover:underline"
      >
        <Breakable text={nameOf(actor)} />
      </Link>
      {name === undefined ? (
        <div className="text-muted font-mono text-xs break-all">{id}</div>
      ) : (
        <div title={id} className="text-muted text-xs">
          {ACTORS[type]}
        </div>
      )}
    </div>
  );
}

/** Lets an e-mail address break before its domain instead of within a word. */
function Breakable({ text }: { text: string }) {
  const [local = "", ...domain] = text.split(/(?=@)/);
  return (
    <>
      {local}
      {domain.map((part) => (
        <Fragment key={part}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}

function nameOf({ name, type }: AuditEntry["actor"]): string {
  return name ?? ACTORS[type];
}

function Outcome({ outcome }: Pick<AuditEntry, "outcome">) {
  const { tone, text, title } = OUTCOMES[outcome];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}
