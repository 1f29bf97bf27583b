const DAY_MS = 24 * 60 * 60 * 1000;
/** Age of the newest key at which the next one is created. */
const RENEWED_AFTER_MS = 60 * DAY_MS;
/** Time for which a key is published before it signs. Clouds cache keys, some of them for a day. */
const PUBLISHED_AHEAD_MS = 7 * DAY_MS;
/** Time for which a key stays published after its last signature. */
const PUBLISHED_AFTER_MS = DAY_MS;

interface DatedKey {
  createdAt: Date;
}

/** State of the signing keys at a given time. */
interface Rotation<K> {
  /** The key that signs; undefined if there is none yet. */
  signs: K | undefined;
  /** Whether another key must be created. */
  isDue: boolean;
  /** Keys that are no longer needed. */
  spent: K[];
}

export function keyRotation<K extends DatedKey>(keys: readonly K[], now: Date): Rotation<K> {
  const newestFirst = keys.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const ageOf = ({ createdAt }: DatedKey): number => now.getTime() - createdAt.getTime();
  const [newest] = newestFirst;
  const signs = newestFirst.find((key) => ageOf(key) >= PUBLISHED_AHEAD_MS) ?? newestFirst.at(-1);
  const hasReplaced = signs !== undefined && ageOf(signs) >= PUBLISHED_AHEAD_MS + PUBLISHED_AFTER_MS;
  return {
    signs,
    isDue: newest === undefined || ageOf(newest) >= RENEWED_AFTER_MS,
    spent: hasReplaced ? newestFirst.slice(newestFirst.indexOf(signs) + 1) : [],
  };
}
