import { call } from "@leeway/shared/bus/request";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/keyring";

import { releaseSlot, type ModelDependencies } from "../narratives/ask-model.ts";
import { sealInput } from "./input.ts";
import type { Outbox } from "./outbox.ts";
import { storeJobs, storedAt, type NewJob, type StoredJobs } from "./store/jobs.ts";
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

/** Takes a job, with its slot where it needs one, or says why a gate denies it. */
export async function takeJob(
  deps: TakeDependencies,
  { orgId, id, subject, input, slot }: Wish,
  store: (job: NewJob) => Promise<StoredJobs> = (job) => storeJobs(deps.database.org(orgId), [job]),
): Promise<Submitted> {
  const { bus, database, ring, outbox } = deps;
  try {
    const reserved = slot ? await call(bus, ReserveSlot, { org_id: orgId, job_id: id }) : undefined;
    if (reserved && !reserved.granted) return { accepted: false, denial: reserved };
    const sealed = input === undefined ? undefined : sealInput(ring, orgId, id, input);
    const stored = await store({ id, subject, input: sealed });
    const createdAt = stored.get(id) ?? (await storedAt(database.org(orgId), id));
    if (!createdAt) throw new Error("a job that was stored isn't there");
    outbox.offer(orgId, id);
    return {
      accepted: true,
      job_id: id,
      kind: subject.kind,
      status: "queued",
      created_at: createdAt.toISOString(),
      ...(reserved && { grant: reserved }),
    };
  } catch (error) {
    // Also when no answer came: it may be taken all the same.
    if (slot) await releaseSlot(deps, { orgId, id });
    throw error;
  }
}
