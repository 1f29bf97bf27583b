import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { FileDiff, X } from "lucide-react";

import { JOB_KINDS, JOB_STATUSES } from "../../api/closed-sets.gen.ts";
import { RETENTION_DAYS } from "../../api/later-sets.gen.ts";
import type { Query } from "../../api/client.ts";
import { useOrgId, useRows } from "../../api/hooks.ts";
import { useFile } from "../../api/file.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { DataTable, type DataColumn } from "../../ui/data-table.tsx";
import { Download } from "../../ui/download.tsx";
import { Time } from "../../ui/time.tsx";
import { Typed } from "../../ui/typed.tsx";
import { KIND_NAMES, projectOf, titleOf, type ListedJob } from "../job-title.ts";
import { JobStatus } from "./about.tsx";
import { DEFAULT_KIND, plansSearch } from "./search.ts";

const PATH = "/orgs/$orgId/plans";
const FRESH_MS = 10_000;
/** As code hosts shorten commits. */
const SHORT_SHA = 8;
const STATUS_WORDS = { queued: "Waiting", running: "Running", done: "Done", error: "Failed" };

const COLUMNS: readonly DataColumn<ListedJob>[] = [
  { title: "Job", fixed: true, width: "minmax(14rem, 2.4fr)", cell: (row) => <What row={row} /> },
  { title: "Result", width: "minmax(13rem, 1.2fr)", cell: (row) => <JobStatus job={row} /> },
  {
    title: "Author",
    width: "minmax(7rem, 0.8fr)",
    wide: true,
    cell: ({ author }) => <Author name={author} />,
  },
  { title: "Started", width: "8rem", cell: ({ created_at: at }) => <Time at={at} /> },
];

const idOf = ({ id }: ListedJob): string => id;

/** Lists analyzed plans, and other work for models. */
export function PlansPage() {
  const search = useSearch({ from: PATH, select: plansSearch });
  const navigate = useNavigate({ from: PATH });
  const query: Query<"GET /orgs/{id}/llm-jobs"> = { kind: DEFAULT_KIND, ...search };
  const file = useFile("GET /orgs/{id}/llm-jobs", { query });
  const jobs = useRows("GET /orgs/{id}/llm-jobs", {
    query,
    everyMs: () => FRESH_MS,
  });
  const filter = (changed: Record<string, string>): void =>
    void navigate({ search: (before) => plansSearch({ ...before, ...changed }), replace: true });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page
      title="Plans"
      lead={`What each plan would change, its risks and its noise. Kept for ${RETENTION_DAYS.jobs} days.`}
    >
      <div role="search" className="flex flex-wrap gap-2 print:hidden">
        <Typed
          label="Repository, branch, commit or author"
          value={search.q}
          onType={(text) => filter({ q: text })}
          className="w-full sm:w-72"
        />
        <Select
          bare
          label="Kind"
          value={search.kind ?? DEFAULT_KIND}
          options={JOB_KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const)}
          onChange={(kind) => filter({ kind })}
        />
        <Select
          bare
          label="Status"
          value={search.status ?? ""}
          options={[["", "Any status"], ...JOB_STATUSES.map((word) => [word, STATUS_WORDS[word]] as const)]}
          onChange={(status) => filter({ status })}
        />
        {search.ref !== undefined && (
          <Button aria-label={`Remove the filter Branch: ${search.ref}`} onClick={() => filter({ ref: "" })}>
            <span className="max-w-72 truncate">Branch: {search.ref}</span>
            <X aria-hidden="true" className="size-3.5" />
          </Button>
        )}
        {isFiltered && (
          <Button kind="quiet" onClick={() => void navigate({ search: {}, replace: true })}>
            Clear
          </Button>
        )}
      </div>
      <Card padded={false}>
        <DataTable<ListedJob>
          label="Jobs"
          columns={COLUMNS}
          rows={jobs}
          keyOf={idOf}
          tools={<Download read={file} name="plans" />}
          empty={<Nothing isFiltered={isFiltered} />}
        />
      </Card>
    </Page>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const orgId = useOrgId();
  return (
    <Empty
      icon={<FileDiff className="size-5" />}
      title={isFiltered ? "Nothing matches the filters" : "No plans yet"}
    >
      {isFiltered ? (
        "Change or clear a filter to see more."
      ) : (
        <>
          <Link
            to="/orgs/$orgId/webhooks/new"
            params={{ orgId }}
            search={{ source: "planner" }}
            className="text-accent underline-offset-4 hover:underline"
          >
            Connect a planner
          </Link>
          , or run <code className="font-mono text-xs">leeway analyze</code> in a pipeline.
        </>
      )}
    </Empty>
  );
}

/** Links to the plans of an author. */
function Author({ name }: { name: string | undefined }) {
  const orgId = useOrgId();
  if (name === undefined) return <span className="text-muted">Unknown</span>;
  return (
    <Link
      to="/orgs/$orgId/plans"
      params={{ orgId }}
      search={(before) => plansSearch({ ...before, q: name })}
      title={`Show plans of ${name}`}
      className="block truncate underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}

function What({ row }: { row: ListedJob }) {
  const orgId = useOrgId();
  return (
    <div className="min-w-0">
      <Link
        to="/orgs/$orgId/plans/$jobId"
        params={{ orgId, jobId: row.id }}
        title={`${titleOf(row)} ${projectOf(row)}`.trim()}
        data-row
        className="block truncate font-medium hover:underline"
      >
        {titleOf(row)}
      </Link>
      <div className="text-muted truncate text-xs">
        {[projectOf(row), row.ref, row.commit_sha?.slice(0, SHORT_SHA)].filter(Boolean).join(" · ")}
      </div>
    </div>
  );
}
