import { broadcast, hear } from "@leeway/shared/bus/broadcast";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { JobEnded } from "@leeway/shared/contracts/analyzer/jobs";
import type { Logger } from "@leeway/shared/telemetry/log";

/** Tells who waits for a job when it is over, whichever instance worked it off. */
export interface EndedJobs {
  /** Resolves when the job is over, or after `waitMs`: what is told can be lost. */
  wait(jobId: string, waitMs: number): { over: Promise<void>; forget(): void };
  tell(jobId: string): void;
}

export function createEndedJobs(bus: BusConnection, log: Logger): EndedJobs {
  const waiting = new Map<string, Set<() => void>>();
  hear(bus, { broadcast: JobEnded, log }, (jobId) => {
    for (const wake of waiting.get(jobId) ?? []) wake();
  });
  return {
    wait(jobId, waitMs) {
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const all = waiting.get(jobId) ?? new Set();
      waiting.set(jobId, all.add(resolve));
      const timer = setTimeout(resolve, waitMs);
      return {
        over,
        forget() {
          clearTimeout(timer);
          all.delete(resolve);
          if (all.size === 0) waiting.delete(jobId);
        },
      };
    },
    tell: (jobId) => broadcast(bus, JobEnded, jobId),
  };
}
