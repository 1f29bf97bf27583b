const DAY_MS = 24 * 60 * 60 * 1000;
/** So old is the newest key when the next one is made. */
const RENEWED_AFTER_MS = 60 * DAY_MS;
/** So long a key is published before it signs: clouds keep what they were told, and some don't ask again for a day. */
const PUBLISHED_AHEAD_MS = 7 * DAY_MS;
/** So long a key stays published after it signed last. */
const PUBLISHED_AFTER_MS = DAY_MS;

interface DatedKey {
  createdAt: Date;
}

/** What is to be done with signing keys at a time. */
interface Rotation<K> {
  /** The one that signs; undefined when there is none yet. */
  signs: K | undefined;
  /** Whether another one is to be made. */
  isDue: boolean;
  /** Those that nobody needs any more. */
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
