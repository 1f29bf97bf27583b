/** A fixed number of slots, granted in the order of requests. */
export interface Semaphore {
  /** Waits until a slot is free and takes it. */
  acquire(): Promise<void>;
  release(): void;
  /** Does `work` with a slot of its own. */
  within<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];

  async function acquire(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  }

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    acquire,
    release,
    async within(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
