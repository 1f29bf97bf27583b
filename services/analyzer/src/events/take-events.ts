import type { Input, Output } from "@leeway/shared/contract";
import type { TakeEvents } from "@leeway/shared/contracts/analyzer/jobs";
import { InboundEvent, type PlanEvent } from "@leeway/shared/contracts/webhooks/events";
import { decode } from "@leeway/shared/decode";
import type { Database } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/keyring";
import type { Static } from "@sinclair/typebox";

import { sealInput } from "../jobs/input.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { storeJobs, type NewJob, type StoredJobs } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, Subject } from "../jobs/subject.ts";
import { recordApply } from "../noise/store.ts";
import { projectKey } from "../reviews/project-key.ts";

export interface EventDependencies {
  database: Database;
  ring: KeyRing;
  outbox: Outbox;
}

const NONE: StoredJobs = new Map();

interface Given {
  id: string;
  deliveryId: string;
  configId: string;
  event: InboundEvent;
}

/** Makes jobs of what webhooks brought; taken again, it is the same job. */
export async function takeEvents(
  { database, ring, outbox }: EventDependencies,
  { org_id, events }: Input<typeof TakeEvents>,
  body: Uint8Array,
): Promise<Output<typeof TakeEvents>> {
  const orgId = org_id.toLowerCase();
  const sql = database.org(orgId);
  const given = read(events, body);
  const jobs = given.flatMap((one) => jobOf(ring, orgId, one) ?? []);
  const stored = jobs.length > 0 ? await storeJobs(sql, jobs) : NONE;
  for (const id of stored.keys()) outbox.offer(orgId, id);
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

/** Undefined for what is only to be known: an apply, a planner's own drift report, a failed plan of no merge request. */
function jobOf(ring: KeyRing, orgId: string, { id, deliveryId, configId, event }: Given): NewJob | undefined {
  const subject = subjectOf({ delivery_id: deliveryId, config_id: configId }, event);
  if (!subject) return undefined;
  const plan = event.kind === "plan" ? planOf(event) : undefined;
  return { id, subject, input: plan && sealInput(ring, orgId, id, JSON.stringify(plan)) };
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
