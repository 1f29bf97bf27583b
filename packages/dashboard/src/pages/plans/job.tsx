import { Link, useParams } from "@tanstack/react-router";

import type { Answer } from "../../api/client.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
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
  const orgId = useOrgId();
  const { change_request: request, fingerprint, snapshot_id: snapshotId } = job;
  const project = projectOf(job);
  return (
    <Card>
      <Facts
        facts={[
          ["Kind", KIND_NAMES[job.kind]],
          ...(isFailed(job) ? [] : [["Result", <JobStatus key="status" job={job} />] as const]),
          ...(project === "" ? [] : [["Project", project] as const]),
          ...(request === undefined
            ? []
            : [["Change request", <Request key="request" {...request} />] as const]),
          ...(job.speculative === true
            ? [["Speculative", "Yes, so it isn’t compared with accounts"] as const]
            : []),
          ...(fingerprint === undefined
            ? []
            : [
                [
                  "Noise",
                  <Link
                    key="noise"
                    to="/orgs/$orgId/noise/$fingerprint"
                    params={{ orgId, fingerprint }}
                    className="text-accent font-mono text-xs hover:underline"
                  >
                    {fingerprint}
                  </Link>,
                ] as const,
              ]),
          ...(snapshotId === undefined
            ? []
            : [
                [
                  "Drift",
                  <Link
                    key="drift"
                    to="/orgs/$orgId/drift/snapshots/$snapshotId"
                    params={{ orgId, snapshotId }}
                    className="text-accent hover:underline"
                  >
                    View snapshot
                  </Link>,
                ] as const,
              ]),
          ["Started", <Moment key="begun" at={job.created_at} />],
        ]}
      />
    </Card>
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
  if ("findings" in result) return <Analysis result={result} />;
  if ("patches" in result) return <Fix fix={result} />;
  return (
    <Card title="Summary">
      <Narrative narrative={result} />
    </Card>
  );
}
