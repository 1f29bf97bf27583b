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
  /**
   * How many workers there are, where one organization shall take no more than it leaves free: the first ones that
   * hang don't take them all.
   */
  workers?: number;
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
  const { share: most, workers = Infinity } = options;
  let busy = 0;
  const places: Places = {
    most: () => Math.min(most, workers - busy),
    take: () => void (busy += 1),
    leave: () => void (busy -= 1),
  };

  function shareOf(orgId: string): Share<J> {
    const known = shares.get(orgId);
    if (known) return known;
    const share = new Share(options, places, () => {
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

/** The workers, which all organizations share. */
interface Places {
  /** How many an organization may have by now, as a switch shares its buffers (Choudhury and Hahne, 1998). */
  most(): number;
  take(): void;
  leave(): void;
}

/** What one organization has under way, and what waits. */
class Share<J extends Job> {
  readonly #options: ShareOptions<J>;
  readonly #places: Places;
  readonly #onIdle: () => void;
  #underWay = 0;
  /** By id, in the order of coming. */
  readonly #waiting = new Map<string, J>();
  /** Runs while something waits. */
  #timer: Timer | undefined;

  constructor(options: ShareOptions<J>, places: Places, onIdle: () => void) {
    this.#options = options;
    this.#places = places;
    this.#onIdle = onIdle;
  }

  async within(job: J, work: () => Promise<void>): Promise<void> {
    if (this.#room() === 0) return this.#wait(job);
    this.#underWay += 1;
    this.#places.take();
    try {
      await work();
    } finally {
      this.#underWay -= 1;
      this.#places.leave();
      void this.#offer(Math.min(1, this.#room()));
    }
  }

  #room(): number {
    return Math.max(0, this.#places.most() - this.#underWay);
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
