import { FileCode, RefreshCw } from "lucide-react";

import { useAct, useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { countText } from "../../ui/number.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { useAccounts } from "../accounts.ts";
import { placeOf, type Source } from "./place.ts";

const FRESH_MS = 60_000; // counting what very many declare takes a while
/** What another state changes. */
const REFRESHED = ["GET /orgs/{id}/iac-sources", "GET /orgs/{id}/posture"] as const;

const COLUMNS: readonly Column<Source>[] = [
  { title: "Source", width: "minmax(10rem, 1.6fr)", cell: (source) => <Name source={source} /> },
  { title: "Its state", width: "minmax(12rem, 2fr)", cell: (source) => <State source={source} /> },
  { title: "Declares", width: "5rem", end: true, cell: ({ resource_count: count }) => countText(count) },
  { title: "Found", width: "5rem", end: true, cell: ({ matched_count: count }) => countText(count) },
  { title: "Missing", width: "5rem", end: true, cell: (source) => <Missing source={source} /> },
];

/** Where declarations come from, and when they did. */
export function SourcesPage() {
  const sources = useRows("GET /orgs/{id}/iac-sources", { everyMs: () => FRESH_MS });
  const may = useMay("admin");
  const actions: Column<Source> = {
    title: "What to do",
    width: "8rem",
    end: true,
    cell: (source) =>
      source.backend ? <ReadNow source={source} /> : <span className="text-muted">None</span>,
  };
  return (
    <Page title="Sources" lead="The states that say what is declared as code, and what of it was found.">
      <Card padded={false}>
        <Table
          label="Sources"
          columns={may ? [...COLUMNS, actions] : COLUMNS}
          rows={sources}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<FileCode className="size-5" />} title="No sources">
              Add one by the API, and push its state, or name the backend that has it: nothing is declared
              before.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}

function Name({ source: { name, kind, cloud_account_id: accountId } }: { source: Source }) {
  const { nameOf } = useAccounts();
  const facts = [kind && TOOLS[kind], accountId && nameOf(accountId)].filter(Boolean);
  return (
    <div className="min-w-0">
      <span className="block font-medium wrap-anywhere">{name}</span>
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
          From <Time at={at} />
        </span>
      )}
      <p className="text-muted text-xs wrap-anywhere">{backend ? placeOf(backend) : "Pushed"}</p>
      {error && (
        <p className="text-critical text-xs wrap-anywhere">
          Not read <Time at={error.at} />: {error.message}
        </p>
      )}
    </div>
  );
}

function Missing({ source: { missing_count: count } }: { source: Source }) {
  return count > 0 ? <span className="text-critical font-medium">{countText(count)}</span> : countText(count);
}

function ReadNow({ source: { id, name } }: { source: Source }) {
  const read = useAct("POST /orgs/{id}/iac-sources/{source_id}/read", REFRESHED);
  return (
    <span className="flex flex-col items-end gap-2">
      <Button
        aria-label={`Read the state of ${name} now`}
        busy={read.isPending}
        onClick={() => read.mutate({ params: { source_id: id } }, { onSuccess: sayOutcome })}
      >
        <RefreshCw aria-hidden="true" className="size-4" /> Read now
      </Button>
      {read.error && <Failure error={read.error} />}
    </span>
  );
}

function sayOutcome({ last_error: error }: Source): void {
  say(error ? "The state couldn’t be read" : "The state is read");
}
