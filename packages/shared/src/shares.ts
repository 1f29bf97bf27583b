/** Work of an organization that the bus brought. */
interface Job {
  orgId: string;
  id: string;
}

/** Gives each organization a share of the workers: whose model, code host or cloud hangs holds nobody else up. */
export interface Shares<J extends Job> {
  /** Does `work`; where the organization has its share under way, the job is offered again once one of those is over. */
  within(job: J, work: () => Promise<void>): Promise<void>;
  /** Offers what waits here, for another process to take: this one stops. */
  giveBack(): void;
}

interface ShareOptions<J extends Job> {
  /** Of the workers, what one organization may take. */
  share: number;
  offerAgain(job: J): void;
  /** What waits of a job that was offered twice; the later offer where nothing else is said. */
  merge?(known: J, job: J): J;
}

/** Jobs that wait for their turn, of one organization; what doesn't fit is left to the sweep. */
const MOST_WAITING = 100_000;

interface State<J> {
  underWay: number;
  /** By id, in the order of coming. */
  waiting: Map<string, J>;
}

export function createShares<J extends Job>({
  share,
  offerAgain,
  merge = (_, job) => job,
}: ShareOptions<J>): Shares<J> {
  const states = new Map<string, State<J>>();

  function next(orgId: string, state: State<J>): void {
    state.underWay -= 1;
    const [job] = state.waiting.values();
    if (job) {
      state.waiting.delete(job.id);
      offerAgain(job);
    } else if (state.underWay === 0) states.delete(orgId);
  }

  return {
    async within(job, work) {
      const { orgId, id } = job;
      const state = states.get(orgId) ?? { underWay: 0, waiting: new Map<string, J>() };
      if (state.underWay >= share) {
        const known = state.waiting.get(id);
        if (state.waiting.size < MOST_WAITING) state.waiting.set(id, known ? merge(known, job) : job);
        return;
      }
      states.set(orgId, state);
      state.underWay += 1;
      await work().finally(() => next(orgId, state));
    },
    giveBack() {
      for (const { waiting } of states.values()) for (const job of waiting.values()) offerAgain(job);
      states.clear();
    },
  };
}
