import { graceMs } from "../platform/stop-time.ts";

/** An organization's work from the bus. */
interface Job {
  orgId: string;
  id: string;
}

/**
 * Limits each organization to a share of the workers, so that one with a hanging model, code host or cloud delays no
 * other.
 */
export interface Shares<J extends Job> {
  /** Runs `work`. If the organization already has its share in flight, the job is offered again once there is room. */
  within(job: J, work: () => Promise<void>): Promise<void>;
  /** Returns waiting jobs to the bus, as long as this process may take to stop. The sweep offers the others. */
  returnWaiting(): Promise<void>;
}

interface ShareOptions<J extends Job> {
  /** Maximum number of workers for one organization. */
  share: number;
  /**
   * Total number of workers. If set, an organization takes no more than it leaves free, so that the first
   * organizations to hang can't take all.
   */
  workers?: number;
  /** Returns a job to the bus, for any process to take. A job that no process takes keeps waiting here. */
  offerAgain(job: J): Promise<void>;
  /** Combines two offers of the same job; defaults to the later one. */
  merge?(known: J, job: J): J;
}

/** Limit on waiting jobs per organization; the sweep picks up the rest. */
const MAX_WAITING = 100_000;
/** Time until an offered job has come back or another process has taken it. */
const LOOK_AGAIN_MS = 20;
const RETURNED_AT_ONCE = 100;

export function createShares<J extends Job>(options: ShareOptions<J>): Shares<J> {
  const shares = new Map<string, Share<J>>();
  const { share: limit, workers = Infinity } = options;
  let busy = 0;
  const pool: Workers = {
    limit: () => Math.min(limit, workers - busy),
    acquire: () => void (busy += 1),
    release: () => void (busy -= 1),
  };

  function shareOf(orgId: string): Share<J> {
    const known = shares.get(orgId);
    if (known) return known;
    const share = new Share(options, pool, () => {
      if (shares.get(orgId) === share) shares.delete(orgId);
    });
    shares.set(orgId, share);
    return share;
  }

  return {
    within: (job, work) => shareOf(job.orgId).within(job, work),
    async returnWaiting() {
      for (const share of shares.values()) await share.returnWaiting();
    },
  };
}

/** The workers, shared by all organizations. */
interface Workers {
  /**
   * Returns an organization's current limit, following dynamic thresholds for switch buffers (Choudhury and Hahne,
   * 1998).
   */
  limit(): number;
  acquire(): void;
  release(): void;
}

/** Jobs of one organization, in flight and waiting. */
class Share<J extends Job> {
  readonly #options: ShareOptions<J>;
  readonly #workers: Workers;
  readonly #onIdle: () => void;
  #underWay = 0;
  /** Waiting jobs by id, in order of arrival. */
  readonly #waiting = new Map<string, J>();
  /** Set while jobs are waiting. */
  #timer: Timer | undefined;

  constructor(options: ShareOptions<J>, workers: Workers, onIdle: () => void) {
    this.#options = options;
    this.#workers = workers;
    this.#onIdle = onIdle;
  }

  async within(job: J, work: () => Promise<void>): Promise<void> {
    if (this.#room() === 0) return this.#wait(job);
    this.#underWay += 1;
    this.#workers.acquire();
    try {
      await work();
    } finally {
      this.#underWay -= 1;
      this.#workers.release();
      void this.#offer(Math.min(1, this.#room()));
    }
  }

  #room(): number {
    return Math.max(0, this.#workers.limit() - this.#underWay);
  }

  async returnWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    const jobs = [...this.#waiting.values()];
    this.#waiting.clear();
    for (let at = 0; at < jobs.length && graceMs() > 0; at += RETURNED_AT_ONCE) {
      const some = jobs.slice(at, at + RETURNED_AT_ONCE);
      await Promise.allSettled(some.map((job) => this.#options.offerAgain(job)));
    }
  }

  #wait(job: J): void {
    const { merge = (_, later) => later } = this.#options;
    const known = this.#waiting.get(job.id);
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(job.id, known ? merge(known, job) : job);
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_AGAIN_MS);
  }

  /**
   * Offers as many jobs as there is room for. The offer made when a job ended here may have gone to another process.
   */
  async #look(): Promise<void> {
    await this.#offer(this.#room());
    const waits = this.#waiting.size > 0;
    this.#timer = waits ? setTimeout(() => void this.#look(), LOOK_AGAIN_MS) : undefined;
  }

  async #offer(count: number): Promise<void> {
    const jobs = [...this.#waiting.values().take(count)];
    for (const { id } of jobs) this.#waiting.delete(id);
    await Promise.all(jobs.map((job) => this.#options.offerAgain(job).catch(() => this.#wait(job))));
    if (this.#underWay === 0 && this.#waiting.size === 0) this.#onIdle();
  }
}
