import { Link, useParams } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";

import type { Answer } from "../../api/client.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Read } from "../../ui/states.tsx";
import { Moment } from "../../ui/time.tsx";
import { lastSearch } from "../last-search.ts";
import { Narrative } from "../narrative.tsx";
import { KIND_NAMES, projectOf, titleOf } from "../job-title.ts";
import { JobStatus } from "./about.tsx";
import { Analysis } from "./analysis.tsx";
import { Fix } from "./fix.tsx";
import { plansSearch } from "./search.ts";

export type Job = Answer<"GET /orgs/{id}/llm-jobs/{job_id}">;

const LOOK_MS = 1_500;

/** Reads a job, and polls until it has ended. */
export function useJob(jobId: string) {
  return useRead("GET /orgs/{id}/llm-jobs/{job_id}", {
    params: { job_id: jobId },
    when: jobId !== "",
    everyMs: (job) => (job && isOver(job) ? false : LOOK_MS),
  });
}

function isOver({ status }: Job): boolean {
  return status === "done" || status === "error";
}

/** Shows one job: its subject and its outcome. */
export function JobPage() {
  const orgId = useOrgId();
  const { jobId } = useParams({ from: "/orgs/$orgId/plans/$jobId" });
  const job = useJob(jobId);
  return (
    <Page
      title={job.data ? titleOf(job.data) : "Job"}
      back={
        <BackLink
          to="/orgs/$orgId/plans"
          params={{ orgId }}
          search={plansSearch(lastSearch(`/orgs/${orgId}/plans`))}
        >
          Plans
        </BackLink>
      }
    >
      <Read read={job}>
        {(job) => (
          <>
            <About job={job} />
            <Outcome job={job} />
          </>
        )}
      </Read>
    </Page>
  );
}

function About({ job }: { job: Job }) {
  return (
    <Card>
      <Facts
        facts={[
          ["Kind", KIND_NAMES[job.kind]],
          ...(isFailed(job) ? [] : [["Result", <JobStatus key="status" job={job} />] as const]),
          ...fact("Project", projectOf(job) || undefined, (project) => project),
          ...fact("Change request", job.change_request, (request) => <Request {...request} />),
          ...fact("Branch", job.ref, (ref) => <Branch name={ref} />),
          ...fact("Commit", job.commit_sha, (sha) => <code className="font-mono text-xs">{sha}</code>),
          ...fact("Author", job.author, (author) => author),
          ...fact("Pipeline", job.pipeline_url, (url) => <OutLink to={url}>View pipeline</OutLink>),
          ...fact(
            "Speculative",
            job.speculative || undefined,
            () => "Yes, so it isn’t compared with accounts",
          ),
          ...fact("Noise", job.fingerprint, (fingerprint) => <Noise fingerprint={fingerprint} />),
          ...fact("Drift", job.snapshot_id, (id) => <Snapshot id={id} />),
          ["Started", <Moment key="begun" at={job.created_at} />],
        ]}
      />
    </Card>
  );
}

/** Returns a fact about a value; none without one. */
function fact<V>(name: string, value: V | undefined, shown: (value: V) => ReactNode) {
  return value === undefined ? [] : [[name, <Fragment key={name}>{shown(value)}</Fragment>] as const];
}

/** Links to the plans of a branch. */
function Branch({ name }: { name: string }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/plans"
      params={{ orgId }}
      search={{ ref: name }}
      className="text-accent font-mono text-xs hover:underline"
    >
      {name}
    </Link>
  );
}

function Noise({ fingerprint }: { fingerprint: string }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/noise/$fingerprint"
      params={{ orgId, fingerprint }}
      className="text-accent font-mono text-xs hover:underline"
    >
      {fingerprint}
    </Link>
  );
}

function Snapshot({ id: snapshotId }: { id: string }) {
  const orgId = useOrgId();
  return (
    <Link
      to="/orgs/$orgId/drift/snapshots/$snapshotId"
      params={{ orgId, snapshotId }}
      className="text-accent hover:underline"
    >
      View snapshot
    </Link>
  );
}

/** Returns whether the job or its plan failed, which the outcome says. */
function isFailed({ error, result }: Job): boolean {
  return error !== undefined || (result !== undefined && "errored" in result && result.errored);
}

function Request({ number, url }: NonNullable<Job["change_request"]>) {
  return url === undefined ? `#${number}` : <OutLink to={url}>#{number}</OutLink>;
}

/** Shows a job's outcome, or that it is still running. */
export function Outcome({ job }: { job: Job }) {
  const { result, error } = job;
  if (error) {
    return (
      <Notice tone="critical" title="Failed">
        <p>{error.message}</p>
      </Notice>
    );
  }
  if (result === undefined) {
    return (
      <Notice tone="neutral" title={job.status === "queued" ? "Queued" : "Running"}>
        <p>The result will appear here automatically.</p>
      </Notice>
    );
  }
  if ("findings" in result) return <Analysis jobId={job.id} result={result} />;
  if ("patches" in result) return <Fix fix={result} />;
  return (
    <Card title="Summary">
      <Narrative narrative={result} />
    </Card>
  );
}
