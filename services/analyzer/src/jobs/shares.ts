import type { Offered, Outbox } from "./outbox.ts";

/** Gives each organization a share of the workers: whose model or code host hangs holds nobody else up. */
export interface Shares {
  /** Does `work`; where the organization has its share under way, the job is offered again once one of those is over. */
  within(job: Offered, work: () => Promise<void>): Promise<void>;
  /** Offers what waits here, for another process to take: this one stops. */
  giveBack(): void;
}

/** Jobs that wait for their turn, of one organization; what doesn't fit is left to the sweep. */
const MOST_WAITING = 100_000;

interface State {
  underWay: number;
  /** By id, in the order of coming. */
  waiting: Map<string, Offered>;
}

export function createShares({ offerAgain }: Pick<Outbox, "offerAgain">, share: number): Shares {
  const states = new Map<string, State>();

  function next(orgId: string, state: State): void {
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
      const state = states.get(orgId) ?? { underWay: 0, waiting: new Map() };
      if (state.underWay >= share) {
        // Offered twice, it is abandoned if either offer says so.
        const abandoned = job.abandoned || state.waiting.get(id)?.abandoned === true;
        if (state.waiting.size < MOST_WAITING) state.waiting.set(id, { ...job, abandoned });
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
