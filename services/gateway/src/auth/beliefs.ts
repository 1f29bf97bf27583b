import { withContext } from "@leeway/shared/context";
import { sha256 } from "@leeway/shared/digest";

/** How long what a key or person may do is believed: a revoked key is refused after this, everywhere. */
const BELIEVED_MS = 1_000;
const MOST_ENTRIES = 20_000;

/** What credentials were found to be a moment ago. */
export interface Beliefs<T> {
  /** What is believed of a token of this kind, else what `find` finds now. */
  of(kind: string, token: string, find: () => Promise<T>): Promise<T>;
  forget(): void;
}

interface Entry<T> {
  found: Promise<T>;
  until: number;
}

export function createBeliefs<T>(): Beliefs<T> {
  const entries = new Map<string, Entry<T>>();

  function enter(digest: string, find: () => Promise<T>): Entry<T> {
    // Several requests may wait for it, so it doesn't end with the one that asked first.
    const found = withContext({ requestId: crypto.randomUUID() }, find);
    const entry = { found, until: Date.now() + BELIEVED_MS };
    entry.found.catch(() => {
      if (entries.get(digest) === entry) entries.delete(digest);
    });
    entries.delete(digest); // moves it to the end: the first is always the oldest
    entries.set(digest, entry);
    if (entries.size > MOST_ENTRIES) {
      const [oldest = ""] = entries.keys();
      entries.delete(oldest);
    }
    return entry;
  }

  return {
    of(kind, token, find) {
      const digest = sha256(`${kind} ${token}`).toString("base64");
      const known = entries.get(digest);
      return (known && known.until > Date.now() ? known : enter(digest, find)).found;
    },
    forget: () => entries.clear(),
  };
}
