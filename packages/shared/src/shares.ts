/** Work of an organization that the bus brought. */
interface Job {
  orgId: string;
  id: string;
}

/** Gives each organization a share of the workers: whose model, code host or cloud hangs holds nobody else up. */
export interface Shares<J extends Job> {
  /** Does `work`; where the organization has its share under way, the job is offered again once there is room. */
  within(job: J, work: () => Promise<void>): Promise<void>;
  /** Offers what waits here, for another process to take: this one stops. */
  giveBack(): Promise<void>;
}

interface ShareOptions<J extends Job> {
  /** Of the workers, what one organization may take. */
  share: number;
  /** Gives a job to the bus, whichever process takes it then; what isn't taken goes on waiting here. */
  offerAgain(job: J): Promise<void>;
  /** What waits of a job that was offered twice; the later offer where nothing else is said. */
  merge?(known: J, job: J): J;
}

/** Jobs that wait for their turn, of one organization; what doesn't fit is left to the sweep. */
const MOST_WAITING = 100_000;
/** What was offered is back by then, or somebody else has it. */
const LOOK_AGAIN_MS = 20;
const GIVEN_BACK_AT_ONCE = 100;

export function createShares<J extends Job>(options: ShareOptions<J>): Shares<J> {
  const shares = new Map<string, Share<J>>();

  function shareOf(orgId: string): Share<J> {
    const known = shares.get(orgId);
    if (known) return known;
    const share = new Share(options, () => {
      if (shares.get(orgId) === share) shares.delete(orgId);
    });
    shares.set(orgId, share);
    return share;
  }

  return {
    within: (job, work) => shareOf(job.orgId).within(job, work),
    async giveBack() {
      for (const share of shares.values()) await share.giveBack();
    },
  };
}

/** What one organization has under way, and what waits. */
class Share<J extends Job> {
  readonly #options: ShareOptions<J>;
  readonly #onIdle: () => void;
  #underWay = 0;
  /** By id, in the order of coming. */
  readonly #waiting = new Map<string, J>();
  /** Runs while something waits. */
  #timer: Timer | undefined;

  constructor(options: ShareOptions<J>, onIdle: () => void) {
    this.#options = options;
    this.#onIdle = onIdle;
  }

  async within(job: J, work: () => Promise<void>): Promise<void> {
    if (this.#underWay >= this.#options.share) return this.#wait(job);
    this.#underWay += 1;
    try {
      await work();
    } finally {
      this.#underWay -= 1;
      void this.#offer(1);
    }
  }

  async giveBack(): Promise<void> {
    clearTimeout(this.#timer);
    const jobs = [...this.#waiting.values()];
    this.#waiting.clear();
    for (let at = 0; at < jobs.length; at += GIVEN_BACK_AT_ONCE) {
      const some = jobs.slice(at, at + GIVEN_BACK_AT_ONCE);
      await Promise.allSettled(some.map((job) => this.#options.offerAgain(job)));
    }
  }

  #wait(job: J): void {
    const { merge = (_, later) => later } = this.#options;
    const known = this.#waiting.get(job.id);
    if (this.#waiting.size < MOST_WAITING) this.#waiting.set(job.id, known ? merge(known, job) : job);
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_AGAIN_MS);
  }

  /** Offers what there is room for: another process can have taken what was offered when a job ended here. */
  async #look(): Promise<void> {
    await this.#offer(Math.max(0, this.#options.share - this.#underWay));
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
