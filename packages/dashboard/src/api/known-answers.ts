const MOST = 100;

interface Known {
  etag: string;
  answer: unknown;
}

/** The latest answers by URL, so that the server needn't send them again while they are the same. */
export interface KnownAnswers {
  get(url: string): Known | undefined;
  /** Keeps an answer, and forgets the one that was kept longest. */
  keep(url: string, etag: string | null, answer: unknown): void;
}

export function createKnownAnswers(): KnownAnswers {
  const all = new Map<string, Known>();
  return {
    get: (url) => all.get(url),
    keep(url, etag, answer) {
      all.delete(url);
      if (etag !== null) all.set(url, { etag, answer });
      const [oldest] = all.keys();
      if (all.size > MOST && oldest !== undefined) all.delete(oldest);
    },
  };
}
