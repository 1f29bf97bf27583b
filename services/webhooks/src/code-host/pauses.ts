/** Pauses of requests to code hosts, per organization: a host that hangs doesn't delay other organizations. */
export interface Pauses {
  /** Returns the seconds left, 0 without a pause. */
  left(key: string): number;
  /** Starts a pause that the host asked for. */
  ask(key: string, seconds: number): void;
  /** Notes a failed request. After a few failures in a row of the same kind the host gets a pause. */
  failed(key: string, kind: string): void;
  /**
   * Notes a successful request. It only resets failures of its own kind: a host may answer `/user` at once and hang
   * on comments.
   */
  worked(key: string, kind: string): void;
}

interface State {
  /** Consecutive failures, by kind of request. */
  failures: ReadonlyMap<string, number>;
  /** End of the pause after failures, in ms of `now`. */
  until: number;
  /** End of the pause that the host asked for. A request that was in flight and succeeds doesn't end it. */
  asked: number;
}

const FAILURES = 5;
const PAUSE_SECONDS = 30;
const MAX_STATES = 10_000;
const NONE: State = { failures: new Map(), until: 0, asked: 0 };

/** Creates pauses. @param now a monotonic clock, in ms */
export function createPauses(now: () => number = () => performance.now()): Pauses {
  const states = new Map<string, State>();

  function set(key: string, state: State): void {
    states.delete(key);
    states.set(key, state);
    for (const oldest of states.keys()) {
      if (states.size <= MAX_STATES) break;
      states.delete(oldest);
    }
  }

  return {
    left(key) {
      const { until, asked } = states.get(key) ?? NONE;
      return Math.max(0, Math.ceil((Math.max(until, asked) - now()) / 1000));
    },
    ask(key, seconds) {
      const { asked } = states.get(key) ?? NONE;
      set(key, { ...NONE, asked: Math.max(asked, now() + seconds * 1000) });
    },
    failed(key, kind) {
      const state = states.get(key) ?? NONE;
      const inARow = (state.failures.get(kind) ?? 0) + 1;
      set(key, {
        ...state,
        failures: new Map(state.failures).set(kind, inARow),
        until: inARow >= FAILURES ? now() + PAUSE_SECONDS * 1000 : state.until,
      });
    },
    worked(key, kind) {
      const state = states.get(key) ?? NONE;
      const failures = new Map(state.failures);
      if (failures.delete(kind)) set(key, { ...state, failures, until: 0 });
    },
  };
}
