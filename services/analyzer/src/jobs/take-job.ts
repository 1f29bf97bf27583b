import { call } from "@leeway/shared/bus/request";
import { toItsEnd } from "@leeway/shared/context";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { releaseSlot, type ModelDependencies } from "../narratives/ask-model.ts";
import { sealInput } from "./input.ts";
import type { Outbox } from "./outbox.ts";
import { standingOf, storeJobs, type NewJob, type Standing, type StoredJobs } from "./store/jobs.ts";
import type { AnalyzeSubject, FixSubject, NarrateSubject } from "./subject.ts";

export interface TakeDependencies extends ModelDependencies {
  database: Database;
  ring: KeyRing;
  outbox: Outbox;
}

interface Wish {
  orgId: string;
  id: string;
  subject: AnalyzeSubject | FixSubject | NarrateSubject;
  /** JSON that is kept sealed. */
  input?: string;
  /** Whether it may call a model, and needs a slot for that. */
  slot: boolean;
}

type Accepted = Extract<Submitted, { accepted: true }>;
type Store = (job: NewJob) => Promise<StoredJobs>;

/** Takes a job, with its slot where it needs one, or says why a gate denies it. One that was taken before is the same. */
export async function takeJob(
  deps: TakeDependencies,
  wish: Wish,
  store: Store = (job) => storeJobs(deps.database.org(wish.orgId), [job]),
): Promise<Submitted> {
  const { orgId, id, slot } = wish;
  const known = await standingOf(deps.database.org(orgId), id);
  if (known) return accepted(wish, known);
  if (!slot) return make(deps, wish, store);
  try {
    const reserved = await call(deps.bus, ReserveSlot, { org_id: orgId, job_id: id });
    if (!reserved.granted) return { accepted: false, denial: reserved };
    return { ...(await make(deps, wish, store)), grant: reserved };
  } catch (error) {
    // Also when no answer came: it may be taken all the same. That of a job that is there, made by a repeat say, is its own.
    if (!(await isThere(deps, wish))) await releaseSlot(deps, wish);
    throw error;
  }
}

/** Whoever can't tell lets go: a slot too many is given back, one too few is only not counted. */
function isThere({ database }: TakeDependencies, { orgId, id }: Wish): Promise<boolean> {
  return toItsEnd(() => standingOf(database.org(orgId), id)).then(
    (standing) => standing !== undefined,
    () => false,
  );
}

async function make(
  { database, ring, outbox }: TakeDependencies,
  wish: Wish,
  store: Store,
): Promise<Accepted> {
  const { orgId, id, subject, input } = wish;
  const sealed = input === undefined ? undefined : sealInput(ring, orgId, id, input);
  const createdAt = (await store({ id, subject, input: sealed })).get(id);
  if (createdAt) outbox.offer(orgId, id);
  const standing = createdAt
    ? { status: "queued" as const, createdAt }
    : await standingOf(database.org(orgId), id);
  if (!standing) throw new Error("a job that was taken by another isn't there");
  return accepted(wish, standing);
}

function accepted({ id, subject }: Wish, { status, createdAt }: Standing): Accepted {
  const created_at = createdAt.toISOString();
  return { accepted: true, job_id: id, kind: subject.kind, status, created_at };
}
