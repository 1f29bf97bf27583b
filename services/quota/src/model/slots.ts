import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";

/** One job of an organization. */
export interface Job {
  orgId: string;
  jobId: string;
}

/**
 * The platform's gates, as a call of its model needs them. Each may be asked again for the same job: it is
 * one slot, and what was consumed stays so. One that is held for too long is given back by a sweep.
 */
export interface Slots {
  /** Takes the job's slot, which it may hold already. */
  reserve(job: Job): Promise<{ granted: true } | SlotDenial>;
  consume(job: Job): Promise<unknown>;
  /** Gives back what the job holds; nothing when it holds nothing. */
  release(job: Job): Promise<unknown>;
}
