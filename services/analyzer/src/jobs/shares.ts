import type { Outbox } from "./outbox.ts";

/** Gives each organization a share of the workers: whose model or code host hangs holds nobody else up. */
export interface Shares {
  /** Does `work`; where the organization has its share under way, the job is offered again once one of those is over. */
  within(job: { orgId: string; id: string }, work: () => Promise<void>): Promise<void>;
}

/** Jobs that wait for their turn, of one organization; what doesn't fit is left to the sweep. */
const MOST_WAITING = 100_000;

interface State {
  underWay: number;
  /** Ids, in the order of coming. */
  waiting: Set<string>;
}

export function createShares({ offerAgain }: Pick<Outbox, "offerAgain">, share: number): Shares {
  const states = new Map<string, State>();

  function next(orgId: string, state: State): void {
    state.underWay -= 1;
    const [id] = state.waiting;
    if (id !== undefined) {
      state.waiting.delete(id);
      offerAgain(orgId, id);
    } else if (state.underWay === 0) states.delete(orgId);
  }

  return {
    async within({ orgId, id }, work) {
      const state = states.get(orgId) ?? { underWay: 0, waiting: new Set() };
      if (state.underWay >= share) {
        if (state.waiting.size < MOST_WAITING) state.waiting.add(id);
        return;
      }
      states.set(orgId, state);
      state.underWay += 1;
      await work().finally(() => next(orgId, state));
    },
  };
}
