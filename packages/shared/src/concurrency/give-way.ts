const MAX_MS = 5;

/**
 * Returns a function for long-running work to await between its steps. Every few milliseconds it yields to the event
 * loop.
 */
export function createGiveWay(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
