import { call } from "@leeway/shared/bus/request";
import { toItsEnd } from "@leeway/shared/platform/context";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { releaseSlot, type ModelDependencies } from "../narratives/ask-model.ts";
import { sealInput } from "./input.ts";
import type { JobOutbox } from "./outbox.ts";
import { standingOf, storeJobs, type NewJob, type Standing, type StoredJobs } from "./store/jobs.ts";
import type { AnalyzeSubject, FixSubject, NarrateSubject } from "./subject.ts";

export interface TakeDependencies extends ModelDependencies {
  database: Database;
  ring: KeyRing;
  outbox: JobOutbox;
}

interface JobRequest {
  orgId: string;
  id: string;
  subject: AnalyzeSubject | FixSubject | NarrateSubject;
  /** Input as JSON; it is stored sealed. */
  input?: string;
  /** Whether the job may call a model, which needs a slot. */
  slot: boolean;
}

type Accepted = Extract<Submitted, { accepted: true }>;
type Store = (job: NewJob) => Promise<StoredJobs>;

/**
 * Stores a job, and reserves its slot if it needs one. Returns the reason when a gate denies it. A job that exists
 * already is returned unchanged.
 */
export async function takeJob(
  deps: TakeDependencies,
  request: JobRequest,
  store: Store = (job) => storeJobs(deps.database.org(request.orgId), [job]),
): Promise<Submitted> {
  const { orgId, id, slot } = request;
  const known = await standingOf(deps.database.org(orgId), id);
  if (known) return accepted(request, known);
  if (!slot) return make(deps, request, store);
  try {
    const reserved = await call(deps.bus, ReserveSlot, { org_id: orgId, job_id: id });
    if (!reserved.granted) return { accepted: false, denial: reserved };
    return { ...(await make(deps, request, store)), grant: reserved };
  } catch (error) {
    // Without an answer the job may still have been stored. The slot of an existing job, stored by a repeated call,
    // belongs to that job.
    if (!(await isThere(deps, request))) await releaseSlot(deps, request);
    throw error;
  }
}

/**
 * Returns whether the job exists; false if the database can't answer. Releasing a slot too many only leaves a job
 * uncounted.
 */
function isThere({ database }: TakeDependencies, { orgId, id }: JobRequest): Promise<boolean> {
  return toItsEnd(() => standingOf(database.org(orgId), id)).then(
    (standing) => standing !== undefined,
    () => false,
  );
}

async function make(
  { database, ring, outbox }: TakeDependencies,
  request: JobRequest,
  store: Store,
): Promise<Accepted> {
  const { orgId, id, subject, input } = request;
  const sealed = input === undefined ? undefined : sealInput(ring, orgId, id, input);
  const createdAt = (await store({ id, subject, input: sealed })).get(id);
  if (createdAt) outbox.offer(orgId, [{ id }]);
  const standing = createdAt
    ? { status: "queued" as const, createdAt }
    : await standingOf(database.org(orgId), id);
  if (!standing) throw new Error("the job was stored by another request but can't be found");
  return accepted(request, standing);
}

function accepted({ id, subject }: JobRequest, { status, createdAt }: Standing): Accepted {
  const created_at = createdAt.toISOString();
  return { accepted: true, job_id: id, kind: subject.kind, status, created_at };
}
