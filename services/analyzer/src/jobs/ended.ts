import { broadcast, onBroadcast } from "@leeway/shared/bus/broadcast";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { changeText, OrganizationChanged } from "@leeway/shared/contracts/gateway/changes";
import { JobEnded } from "@leeway/shared/contracts/analyzer/jobs";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

/** Wakes callers that wait for a job when it ends, whichever instance worked on it. */
export interface EndedJobs {
  /** `over` resolves when the job ends, or after `waitMs`, because the notice can be lost. */
  wait(jobId: string, waitMs: number): { over: Promise<void>; forget(): void };
  publish(job: { orgId: string; id: string }): void;
}

export function createEndedJobs(bus: BusConnection, log: Logger): EndedJobs {
  const waiting = new Map<string, Set<() => void>>();
  onBroadcast(bus, { broadcast: JobEnded, log }, (jobId) => {
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
    publish: ({ orgId, id }) => {
      broadcast(bus, JobEnded, id);
      broadcast(bus, OrganizationChanged, changeText({ orgId, topic: "plans" }));
    },
  };
}
