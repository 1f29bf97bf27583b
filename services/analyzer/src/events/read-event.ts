import type { RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { wordOf } from "@leeway/shared/contracts/webhooks/code-hosts";
import { InboundEvent, type PlanEvent } from "@leeway/shared/contracts/webhooks/events";
import { decode } from "@leeway/shared/values/decode";
import { present } from "@leeway/shared/values/json";
import type { Static } from "@sinclair/typebox";

import type { AnalyzeSubject, Subject } from "../jobs/subject.ts";
import { quietResult, type Kept } from "../plans/result.ts";
import { projectKey } from "../reviews/project-key.ts";

/** Origin of an event, and the id of its job. */
export interface EventOrigin {
  orgId: string;
  jobId: string;
  deliveryId: string;
  configId: string;
}

/** Result of reading an event. */
export interface ReadEvent {
  /**
   * Task of the job. Absent for events without one: an apply, a planner's drift report, a failed plan outside merge
   * requests.
   */
  subject?: Subject;
  /** The masked plan, as JSON. */
  plan?: string;
  /** Result, if the plan was quiet enough to analyze at once. */
  kept?: Kept;
  /** Key of the project whose plan was applied. */
  applied?: string;
}

/** Reads an event and decides what its job does. @throws {AppError} `invalid_parameter` for an invalid event */
export function readEvent(
  text: string,
  origin: EventOrigin,
  settings: { profile: RiskProfile; publicBaseUrl: string },
): ReadEvent {
  const event = decode(InboundEvent, JSON.parse(text));
  if (event.kind === "apply") return event.status === "success" ? { applied: projectKey(event) } : {};
  const subject = subjectOf({ delivery_id: origin.deliveryId, config_id: origin.configId }, event);
  const masked = event.kind === "plan" ? planOf(event) : undefined;
  if (!subject || !masked) return present({ subject });
  const plan = JSON.stringify(masked);
  if (subject.kind !== "analyze") return { subject, plan };
  const kept = quietResult({ orgId: origin.orgId, id: origin.jobId, subject }, plan, settings);
  return { subject, plan, ...present({ kept }) };
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

/**
 * Returns the plan of an event. A failed plan counts as a plan with `errored`, so that it replaces the plan of an
 * earlier commit.
 */
function planOf({ status, plan }: Static<typeof PlanEvent>): object | undefined {
  return status === "failure" ? { format_version: "1.2", ...plan, errored: true } : plan;
}

const TOOLS = ["terraform", "opentofu", "terragrunt", "pulumi"] as const;

function planSubject({
  repository,
  change_request: change,
  commit_sha,
  author,
  project,
  tool,
}: Static<typeof PlanEvent>): AnalyzeSubject {
  return {
    kind: "analyze",
    repository,
    project,
    ...present({
      commit_sha,
      author,
      change_request: change && { number: change.number, ...present({ url: change.url }) },
      ref: change?.head_branch,
      tool: TOOLS.find((known) => known === tool),
    }),
    fail_on: "never",
    narrative: true,
    // The config belongs to the planner, so comments use the app installed on the code host.
    ...(change && { target: { source: wordOf("github"), repository, number: change.number } }),
  };
}
