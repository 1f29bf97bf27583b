import { Link } from "@tanstack/react-router";
import { FileCode, Plus } from "lucide-react";
import { useState } from "react";

import { useOrgId, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useAccounts } from "../accounts.ts";
import { EditSource } from "./edit-source.tsx";
import { placeOf, type Source } from "./place.ts";
import { PushState } from "./push-state.tsx";
import { DeleteSource, SourceActions, type SourceAction } from "./source-actions.tsx";

const FRESH_MS = 15_000;
type Open = { action: "add" } | { action: SourceAction; source: Source };

const COLUMNS: readonly Column<Source>[] = [
  { title: "Source", width: "minmax(10rem, 1.6fr)", cell: (source) => <Name source={source} /> },
  { title: "State", width: "minmax(12rem, 2fr)", cell: (source) => <State source={source} /> },
  { title: "Declares", width: "5rem", end: true, cell: ({ resource_count: count }) => countText(count) },
  { title: "Found", width: "5rem", end: true, cell: ({ matched_count: count }) => countText(count) },
  { title: "Missing", width: "5rem", end: true, cell: (source) => <Missing source={source} /> },
];

/** Lists the sources of declarations, and when they were last read. */
export function SourcesPage() {
  const sources = useRows("GET /orgs/{id}/iac-sources", { everyMs: () => FRESH_MS });
  const may = useMay("admin");
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const actions: Column<Source> = {
    title: "Actions",
    width: "15.5rem",
    end: true,
    cell: (source) => <SourceActions source={source} onOpen={(action) => setOpen({ action, source })} />,
  };
  const add = may && (
    <Button kind="primary" onClick={() => setOpen({ action: "add" })}>
      <Plus aria-hidden="true" className="size-4" /> Add a source
    </Button>
  );
  return (
    <Page
      title="Sources"
      lead="The states that declare resources as code, and which resources were found."
      actions={add}
    >
      <Card padded={false}>
        <Table
          label="Sources"
          columns={may ? [...COLUMNS, actions] : COLUMNS}
          rows={sources}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<FileCode className="size-5" />} title="No sources" action={add}>
              {may
                ? "Add a source, then push its state or let Leeway read it from a backend."
                : "Ask an owner or admin to add one."}
            </Empty>
          }
        />
      </Card>
      {open && <Opened open={open} onClose={close} />}
    </Page>
  );
}

function Opened({ open, onClose }: { open: Open; onClose: () => void }) {
  switch (open.action) {
    case "add":
      return <EditSource onClose={onClose} />;
    case "edit":
      return <EditSource source={open.source} onClose={onClose} />;
    case "push":
      return <PushState source={open.source} onClose={onClose} />;
    case "delete":
      return <DeleteSource source={open.source} onClose={onClose} />;
  }
}

function Name({ source: { id, name, kind, cloud_account_id: accountId } }: { source: Source }) {
  const orgId = useOrgId();
  const { nameOf } = useAccounts();
  const facts = [kind && TOOLS[kind], accountId && nameOf(accountId)].filter(Boolean);
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/sources/$sourceId"
        params={{ orgId, sourceId: id }}
        className="block w-fit font-medium wrap-anywhere hover:underline"
      >
        {name}
      </Link>
      {facts.length > 0 && <span className="text-muted block truncate text-xs">{facts.join(", ")}</span>}
    </div>
  );
}

const TOOLS = { terraform: "Terraform", pulumi: "Pulumi", cloudformation: "CloudFormation" };

function State({ source }: { source: Source }) {
  const { backend, pushed_at: at, last_error: error } = source;
  return (
    <div className="min-w-0">
      {at === undefined ? (
        <Badge tone="medium">{backend ? "Not read yet" : "Not pushed yet"}</Badge>
      ) : (
        <span>
          Updated <Time at={at} />
        </span>
      )}
      <p className="text-muted text-xs wrap-anywhere">{backend ? placeOf(backend) : "Pushed"}</p>
      {error && (
        <p className="text-critical text-xs wrap-anywhere">
          Read failed <Time at={error.at} />: {error.message}
        </p>
      )}
    </div>
  );
}

function Missing({ source: { id, name, missing_count: count } }: { source: Source }) {
  const orgId = useOrgId();
  if (count === 0) return <span className="text-muted">0</span>;
  return (
    <Link
      to="/orgs/$orgId/sources/$sourceId"
      params={{ orgId, sourceId: id }}
      search={{ match: "missing" }}
      aria-label={`${countText(count)} missing in ${name}`}
      className="text-critical font-medium underline underline-offset-4"
    >
      {countText(count)}
    </Link>
  );
}
