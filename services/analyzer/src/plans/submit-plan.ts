import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import type { SubmitPlan, Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { ReleaseSlot, ReserveSlot, type SlotGrant } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import { invalidParameter } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";
import type { KeyRing } from "@leeway/shared/keyring";

import { sealInput } from "../jobs/input.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { storeJobs, type NewJob } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import type { PlanReader } from "./plan-reader.ts";
import type { ReadSubmission } from "./read-submission.ts";

export interface SubmitDependencies {
  database: Database;
  bus: BusConnection;
  bodies: Bodies;
  ring: KeyRing;
  reader: PlanReader;
  outbox: Outbox;
}

const MOST_BYTES = 20 << 20;

/** Takes a plan for analysis. @throws {AppError} as the contract says */
export async function submitPlan(
  deps: SubmitDependencies,
  { org_id, body }: Input<typeof SubmitPlan>,
): Promise<Submitted> {
  const orgId = org_id.toLowerCase();
  const submission = await deps.reader.read(await bytesOf(deps.bodies, body.ref));
  const subject = subjectOf(submission);
  const id = Bun.randomUUIDv7();
  const input = { json: submission.plan };
  return takeJob(deps, { orgId, id, subject, input, slot: subject.narrative });
}

async function bytesOf(bodies: Bodies, ref: string): Promise<Uint8Array> {
  try {
    return Buffer.concat(await Array.fromAsync(inflated(await bodies.open(ref), MOST_BYTES)));
  } finally {
    await bodies.delete(ref);
  }
}

function subjectOf({ wish, warnings }: ReadSubmission): AnalyzeSubject {
  const { fail_on = "never", narrative = true, comment = false, ...origin } = wish;
  const subject: AnalyzeSubject = { kind: "analyze", ...origin, fail_on, narrative, warnings };
  if (!comment) return subject;
  const { repository, change_request: change } = origin;
  if (repository === undefined) throw invalidParameter("repository", "is required for a comment", "required");
  if (!change) throw invalidParameter("change_request", "is required for a comment", "required");
  return { ...subject, target: { source: "vcs", repository, number: change.number } };
}

interface Wish {
  orgId: string;
  id: string;
  subject: NewJob["subject"];
  input?: { json: string };
  /** Whether it may call a model, and needs a slot for that. */
  slot: boolean;
}

/** Takes a job, with its slot where it needs one, or says why a gate denies it. */
export async function takeJob(
  { database, bus, ring, outbox }: Omit<SubmitDependencies, "bodies" | "reader">,
  { orgId, id, subject, input, slot }: Wish,
): Promise<Submitted> {
  const reserved = slot ? await call(bus, ReserveSlot, { org_id: orgId, job_id: id }) : undefined;
  if (reserved && !reserved.granted) return { accepted: false, denial: reserved };
  try {
    const sealed = input && sealInput(ring, orgId, id, input.json);
    await storeJobs(database.org(orgId), [{ id, subject, input: sealed }]);
  } catch (error) {
    // Else it comes back when nobody has ended it for a while.
    if (reserved) await call(bus, ReleaseSlot, { org_id: orgId, job_id: id }).catch(() => undefined);
    throw error;
  }
  outbox.offer(orgId, id);
  return accepted(id, subject.kind, reserved);
}

function accepted(id: string, kind: NewJob["subject"]["kind"], grant: SlotGrant | undefined): Submitted {
  if (kind === "merge_request" || kind === "comment" || kind === "plan_report")
    throw new Error("nobody submits what comes by itself");
  return {
    accepted: true,
    job_id: id,
    kind,
    status: "queued",
    created_at: new Date().toISOString(),
    ...(grant && { grant }),
  };
}
