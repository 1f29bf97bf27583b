/** A fixed number of slots, granted in the order of requests. */
export interface Semaphore {
  /** Waits until slots are free and takes them; one by default. */
  acquire(slots?: number): Promise<void>;
  release(slots?: number): void;
  /** Does `work` with a slot of its own. */
  within<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: { slots: number; grant: () => void }[] = [];

  async function acquire(slots = 1): Promise<void> {
    if (waiting.length === 0 && slots <= free) {
      free -= slots;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ slots, grant: resolve });
    await promise;
  }

  function release(slots = 1): void {
    free += slots;
    for (let [next] = waiting; next && next.slots <= free; [next] = waiting) {
      waiting.shift();
      free -= next.slots;
      next.grant();
    }
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
