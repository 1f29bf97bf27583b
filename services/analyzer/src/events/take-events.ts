import type { Input, Output } from "@leeway/shared/contract";
import type { TakeEvents } from "@leeway/shared/contracts/analyzer/jobs";
import type { RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { InboundEvent, type PlanEvent } from "@leeway/shared/contracts/webhooks/events";
import { decode } from "@leeway/shared/decode";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { createGiveWay } from "@leeway/shared/fairness/give-way";
import { present } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Static } from "@sinclair/typebox";

import { sealInput } from "../jobs/input.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { storeJobs, type NewJob, type StoredJobs } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, Subject } from "../jobs/subject.ts";
import { noteGone, recordApply } from "../noise/sightings.ts";
import { quietResult } from "../plans/quiet-plan.ts";
import type { Reports } from "../plans/reports.ts";
import { countVerdict, type Kept } from "../plans/result.ts";
import { projectKey } from "../reviews/project-key.ts";
import { findJudgement } from "../settings/settings.ts";

export interface EventDependencies {
  database: Database;
  ring: KeyRing;
  outbox: Outbox;
  reports: Reports;
  publicBaseUrl: string;
}

const NONE: StoredJobs = new Map();

/** A job of an event; with what it has come to, where that was seen at once. */
interface MadeJob extends NewJob {
  kept?: Kept | undefined;
}

interface Given {
  id: string;
  deliveryId: string;
  configId: string;
  event: InboundEvent;
}

/** Makes jobs of what webhooks brought, and does those that are quiet at once; taken again, it is the same job. */
export async function takeEvents(
  deps: EventDependencies,
  { org_id, events }: Input<typeof TakeEvents>,
  body: Uint8Array,
): Promise<Output<typeof TakeEvents>> {
  const { database, outbox } = deps;
  const orgId = org_id.toLowerCase();
  const sql = database.org(orgId);
  const given = read(events, body);
  const jobs = await jobsOf(deps, sql, given);
  const reports = await reportsOf(deps, orgId, jobs);
  const stored = jobs.length > 0 ? await storeJobs(sql, [...jobs, ...reports]) : NONE;
  await noteQuiet(
    sql,
    jobs.filter(({ id }) => stored.has(id)),
  );
  const open = [...jobs.filter(({ kept }) => !kept), ...reports];
  for (const { id } of open) if (stored.has(id)) outbox.offer(orgId, id);
  for (const { event } of given) {
    if (event.kind === "apply" && event.status === "success") await recordApply(sql, projectKey(event));
  }
  return { job_ids: jobs.map(({ id }) => id) };
}

/** @throws {AppError} `invalid_parameter` for what is no event */
function read(events: Input<typeof TakeEvents>["events"], body: Uint8Array): Given[] {
  let offset = 0;
  return events.map(({ job_id: id, delivery_id: deliveryId, config_id: configId, bytes }) => {
    const text = Buffer.from(body.subarray(offset, offset + bytes)).toString("utf8");
    offset += bytes;
    return { id, deliveryId, configId, event: decode(InboundEvent, JSON.parse(text)) };
  });
}

/** Counts the verdicts of plans that are done already; there is no noise in their projects any more. */
async function noteQuiet(sql: OrgStatements, jobs: readonly MadeJob[]): Promise<void> {
  const projects = new Set<string>();
  for (const { subject, kept } of jobs) {
    if (!kept || subject.kind !== "analyze") continue;
    countVerdict(kept);
    projects.add(projectKey(subject));
  }
  if (projects.size > 0) await noteGone(sql, [...projects], { seen: [], isProposed: false });
}

async function jobsOf(
  deps: EventDependencies,
  sql: OrgStatements,
  given: readonly Given[],
): Promise<MadeJob[]> {
  const { risk_profile: profile } = await findJudgement(sql);
  const giveWay = createGiveWay();
  const jobs: MadeJob[] = [];
  for (const one of given) {
    const job = jobOf(deps, { orgId: sql.orgId, profile }, one);
    if (job) jobs.push(job);
    await giveWay();
  }
  return jobs;
}

/** Undefined for what is only to be known: an apply, a planner's own drift report, a failed plan of no merge request. */
function jobOf(
  { ring, publicBaseUrl }: EventDependencies,
  { orgId, profile }: { orgId: string; profile: RiskProfile },
  { id, deliveryId, configId, event }: Given,
): MadeJob | undefined {
  const subject = subjectOf({ delivery_id: deliveryId, config_id: configId }, event);
  if (!subject) return undefined;
  const masked = event.kind === "plan" ? planOf(event) : undefined;
  if (!masked) return { id, subject };
  const plan = JSON.stringify(masked);
  const input = sealInput(ring, orgId, id, plan);
  if (subject.kind !== "analyze") return { id, subject, input };
  return { id, subject, input, kept: quietResult({ orgId, id, subject }, plan, { profile, publicBaseUrl }) };
}

/** The jobs that report to the inventory what those that are done say, where that wants to know. */
async function reportsOf(
  { reports }: EventDependencies,
  orgId: string,
  jobs: readonly MadeJob[],
): Promise<NewJob[]> {
  const createdAt = new Date();
  const wanted = jobs.map(async ({ id, subject, kept }) =>
    kept && subject.kind === "analyze" ? reports.of({ id, orgId, createdAt, subject }) : undefined,
  );
  return (await Promise.all(wanted)).filter((job) => job !== undefined);
}

function subjectOf(by: { delivery_id: string; config_id: string }, event: InboundEvent): Subject | undefined {
  switch (event.kind) {
    case "plan":
      return event.plan || event.change_request
        ? { ...planSubject(event), delivery_id: by.delivery_id }
        : undefined;
    case "merge_request":
      return { kind: "merge_request", ...by, event };
    case "comment":
      return { kind: "comment", ...by, event };
    case "apply":
    case "drift":
      return undefined;
  }
}

/** What the merge request is told of may be a plan of earlier code: one that failed takes its place. */
function planOf({ status, plan }: Static<typeof PlanEvent>): object | undefined {
  return status === "failure" ? { format_version: "1.2", ...plan, errored: true } : plan;
}

const TOOLS = ["terraform", "opentofu", "terragrunt", "pulumi"] as const;

function planSubject({
  repository,
  change_request: change,
  commit_sha,
  project,
  tool,
}: Static<typeof PlanEvent>): AnalyzeSubject {
  return {
    kind: "analyze",
    repository,
    project,
    ...present({
      commit_sha,
      change_request: change && { number: change.number, ...present({ url: change.url }) },
      ref: change?.head_branch,
      tool: TOOLS.find((known) => known === tool),
    }),
    fail_on: "never",
    narrative: true,
    warnings: [],
    // The config is the planner's: comments go through the app that is installed on the code host.
    ...(change && { target: { source: "planner", repository, number: change.number } }),
  };
}
