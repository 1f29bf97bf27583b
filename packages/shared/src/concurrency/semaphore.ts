/** A fixed number of slots, granted in the order of requests. */
export interface Semaphore {
  /** Waits until a slot is free and takes it. */
  acquire(): Promise<void>;
  release(): void;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async acquire() {
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
