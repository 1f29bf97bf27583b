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
  /** In milliseconds of `now`. */
  until: number;
}

const FAILURES = 5;
const PAUSE_SECONDS = 30;
const MOST_STATES = 10_000;

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
    left: (key) => Math.max(0, Math.ceil(((states.get(key)?.until ?? 0) - now()) / 1000)),
    ask: (key, seconds) => set(key, { failures: new Map(), until: now() + seconds * 1000 }),
    failed(key, kind) {
      const { failures = new Map<string, number>(), until = 0 } = states.get(key) ?? {};
      const inARow = (failures.get(kind) ?? 0) + 1;
      set(key, {
        failures: new Map(failures).set(kind, inARow),
        until: inARow >= FAILURES ? now() + PAUSE_SECONDS * 1000 : until,
      });
    },
    worked(key, kind) {
      const failures = new Map(states.get(key)?.failures);
      if (failures.delete(kind)) set(key, { failures, until: 0 });
    },
  };
}
