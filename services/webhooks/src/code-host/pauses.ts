/** How long code hosts are left alone, each for one organization: a host that hangs costs others nothing. */
export interface Pauses {
  /** Seconds that are left, 0 when there is no pause. */
  left(key: string): number;
  /** The host asked for a pause. */
  ask(key: string, seconds: number): void;
  /** A request of a kind failed; after a few of that kind in a row the host is left alone. */
  failed(key: string, kind: string): void;
  /** One worked: only those of its kind, as a host may know us at once and hang on our comments. */
  worked(key: string, kind: string): void;
}

interface State {
  /** In a row, by the kind of the request. */
  failures: ReadonlyMap<string, number>;
  /** Until when it is left alone for them, in milliseconds of `now`. */
  until: number;
  /** Until when it asked for that itself: what was under way then, and works, doesn't end it. */
  asked: number;
}

const FAILURES = 5;
const PAUSE_SECONDS = 30;
const MOST_STATES = 10_000;
const NONE: State = { failures: new Map(), until: 0, asked: 0 };

/** `now` are milliseconds that only grow. */
export function createPauses(now: () => number = () => performance.now()): Pauses {
  const states = new Map<string, State>();

  function set(key: string, state: State): void {
    states.delete(key);
    states.set(key, state);
    for (const oldest of states.keys()) {
      if (states.size <= MOST_STATES) break;
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
