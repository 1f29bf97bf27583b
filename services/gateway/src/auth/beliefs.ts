import { withContext } from "@leeway/shared/context";
import { sha256 } from "@leeway/shared/digest";

/** How long what a key or person may do is believed: a revoked key is refused after this, everywhere. */
const BELIEVED_MS = 1_000;
/** Who asks in the last of it has it looked up anew meanwhile: whoever asks steadily never waits for it. */
const RENEWED_MS = 400;
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
  renewed: boolean;
}

export function createBeliefs<T>(): Beliefs<T> {
  const entries = new Map<string, Entry<T>>();

  function enter(digest: string, entry: Entry<T>): void {
    entry.found.catch(() => {
      if (entries.get(digest) === entry) entries.delete(digest);
    });
    entries.delete(digest); // moves it to the end: the first is always the oldest
    entries.set(digest, entry);
    if (entries.size > MOST_ENTRIES) {
      const [oldest = ""] = entries.keys();
      entries.delete(oldest);
    }
  }

  /** Until it is there, and where it can't be had, what is known goes on to be believed for as long as it is. */
  async function renew(digest: string, known: Entry<T>, find: () => Promise<T>): Promise<void> {
    known.renewed = true;
    const fresh = lookUp(find);
    const isFound = await fresh.found.then(
      () => true,
      () => false,
    );
    if (isFound && entries.get(digest) === known) enter(digest, fresh);
  }

  return {
    of(kind, token, find) {
      const digest = sha256(`${kind} ${token}`).toString("base64");
      const known = entries.get(digest);
      const left = known ? known.until - Date.now() : 0;
      if (!known || left <= 0) {
        const fresh = lookUp(find);
        enter(digest, fresh);
        return fresh.found;
      }
      if (left <= RENEWED_MS && !known.renewed) void renew(digest, known, find);
      return known.found;
    },
    forget: () => entries.clear(),
  };
}

/** Several requests may wait for it, so it doesn't end with the one that asked first. */
function lookUp<T>(find: () => Promise<T>): Entry<T> {
  const found = withContext({ requestId: crypto.randomUUID() }, find);
  return { found, until: Date.now() + BELIEVED_MS, renewed: false };
}
