/** How long code hosts are left alone, each for one organization: a host that hangs costs others nothing. */
export interface Pauses {
  /** Seconds that are left, 0 when there is no pause. */
  left(key: string): number;
  /** The host asked for a pause. */
  ask(key: string, seconds: number): void;
  /** The host couldn't be reached; after a few times in a row it is left alone. */
  failed(key: string): void;
  worked(key: string): void;
}

interface State {
  failures: number;
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
    ask: (key, seconds) => set(key, { failures: 0, until: now() + seconds * 1000 }),
    failed(key) {
      const failures = (states.get(key)?.failures ?? 0) + 1;
      set(key, { failures, until: failures >= FAILURES ? now() + PAUSE_SECONDS * 1000 : 0 });
    },
    worked: (key) => void states.delete(key),
  };
}
