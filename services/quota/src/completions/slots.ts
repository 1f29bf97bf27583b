import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";

/** One job of an organization. */
export interface Job {
  orgId: string;
  jobId: string;
}

/**
 * The platform's gates, as model calls need them. All methods are idempotent: a job has one slot, and a consumed slot
 * stays consumed. A sweep releases slots that are held too long.
 */
export interface Slots {
  /** Reserves the job's slot; it may already hold one. */
  reserve(job: Job): Promise<{ granted: true } | SlotDenial>;
  consume(job: Job): Promise<unknown>;
  /** Releases the job's slot, if it holds one. */
  release(job: Job): Promise<unknown>;
}
