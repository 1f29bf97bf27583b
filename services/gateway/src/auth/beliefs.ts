import { withContext } from "@leeway/shared/platform/context";

/** Cache time of a credential's rights: a revoked key is rejected everywhere after this. */
const BELIEVED_MS = 1_000;
/** A lookup in the last 400 ms refreshes in the background, so steady callers never wait. */
const RENEWED_MS = 400;
const MAX_ENTRIES = 20_000;

/** Cache of credentials that were looked up a moment ago. */
export interface Beliefs<T> {
  /** Returns the cached result for a token of this kind, or else the result of `find`. */
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
    entries.delete(digest); // moves the entry to the end: the first is always the oldest
    entries.set(digest, entry);
    if (entries.size > MAX_ENTRIES) {
      const [oldest = ""] = entries.keys();
      entries.delete(oldest);
    }
  }

  /** Refreshes an entry. Until that succeeds, the old result is used for the rest of its cache time. */
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
      const digest = new Bun.CryptoHasher("sha256").update(`${kind} ${token}`).digest("base64");
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

/** Starts a lookup in its own context: several requests may wait for it, so it must not end with the first. */
function lookUp<T>(find: () => Promise<T>): Entry<T> {
  const found = withContext({ requestId: crypto.randomUUID() }, find);
  return { found, until: Date.now() + BELIEVED_MS, renewed: false };
}
