const MOST_MS = 5;

/**
 * For work that would keep the process from everything else: awaited between its steps, what is given lets the others
 * have their turn whenever a few milliseconds are over.
 */
export function createGiveWay(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MOST_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
