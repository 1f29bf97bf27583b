/** Counts by key. Keys at zero take no memory. */
export interface Counts {
  of(key: string): number;
  add(key: string, change: 1 | -1): void;
}

export function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key, change) {
      const count = (counts.get(key) ?? 0) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}
