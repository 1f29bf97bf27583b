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

interface State<J> {
  underWay: number;
  /** By id, in the order of coming. */
  waiting: Map<string, J>;
  /** Runs while something waits. */
  look?: Timer | undefined;
}

export function createShares<J extends Job>({
  share,
  offerAgain,
  merge = (_, job) => job,
}: ShareOptions<J>): Shares<J> {
  const states = new Map<string, State<J>>();

  function stateOf(orgId: string): State<J> {
    const state = states.get(orgId) ?? { underWay: 0, waiting: new Map<string, J>() };
    states.set(orgId, state);
    return state;
  }

  function forgetIdle(orgId: string, { underWay, waiting }: State<J>): void {
    if (underWay === 0 && waiting.size === 0) states.delete(orgId);
  }

  function wait(state: State<J>, job: J): void {
    const known = state.waiting.get(job.id);
    if (state.waiting.size < MOST_WAITING) state.waiting.set(job.id, known ? merge(known, job) : job);
    state.look ??= setTimeout(() => look(job.orgId, state), LOOK_AGAIN_MS);
  }

  /** Offers what there is room for: another process can have taken what was offered when a job ended here. */
  async function look(orgId: string, state: State<J>): Promise<void> {
    await offer(state, Math.max(0, share - state.underWay));
    state.look = state.waiting.size > 0 ? setTimeout(() => look(orgId, state), LOOK_AGAIN_MS) : undefined;
    forgetIdle(orgId, state);
  }

  async function offer(state: State<J>, count: number): Promise<void> {
    const jobs = [...state.waiting.values().take(count)];
    for (const { id } of jobs) state.waiting.delete(id);
    await Promise.all(jobs.map((job) => offerAgain(job).catch(() => wait(state, job))));
  }

  return {
    async within(job, work) {
      const state = stateOf(job.orgId);
      if (state.underWay >= share) return wait(state, job);
      state.underWay += 1;
      await work().finally(() => {
        state.underWay -= 1;
        void offer(state, 1);
        forgetIdle(job.orgId, state);
      });
    },
    async giveBack() {
      const all = [...states.values()];
      states.clear();
      for (const { waiting, look: timer } of all) {
        clearTimeout(timer);
        const jobs = [...waiting.values()];
        for (let at = 0; at < jobs.length; at += GIVEN_BACK_AT_ONCE)
          await Promise.allSettled(jobs.slice(at, at + GIVEN_BACK_AT_ONCE).map(offerAgain));
      }
    },
  };
}
