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
import { KIND_NAMES, projectOf, Standing, titleOf } from "./about.tsx";
import { Analysis } from "./analysis.tsx";
import { Fix } from "./fix.tsx";
import { plansSearch } from "./search.ts";

export type Job = Answer<"GET /orgs/{id}/llm-jobs/{job_id}">;

const LOOK_MS = 1_500;

/** A job as it goes on, looked at until it is over. */
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

/** One job: what it is about, and what it came to. */
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
          ["Result", <Standing key="standing" job={job} />],
          ...(project === "" ? [] : [["Project", project] as const]),
          ...(request === undefined ? [] : [["Request", <Request key="request" {...request} />] as const]),
          ...(job.speculative === true
            ? [["Tells", "nothing of an account: it is speculative"] as const]
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
                    The snapshot
                  </Link>,
                ] as const,
              ]),
          ["Begun", <Moment key="begun" at={job.created_at} />],
        ]}
      />
    </Card>
  );
}

function Request({ number, url }: NonNullable<Job["change_request"]>) {
  return url === undefined ? `#${number}` : <OutLink to={url}>#{number}</OutLink>;
}

/** What a job came to, or that it hasn't yet. */
export function Outcome({ job }: { job: Job }) {
  const { result, error } = job;
  if (error) {
    return (
      <Notice tone="critical" title="It failed">
        <p>{error.message}</p>
      </Notice>
    );
  }
  if (result === undefined) {
    return (
      <Notice tone="neutral" title={job.status === "queued" ? "It waits its turn" : "It is under way"}>
        <p>What comes of it shows here by itself.</p>
      </Notice>
    );
  }
  if ("findings" in result) return <Analysis result={result} />;
  if ("patches" in result) return <Fix fix={result} />;
  return (
    <Card title="In words">
      <Narrative narrative={result} />
    </Card>
  );
}
