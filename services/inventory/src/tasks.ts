import { redactLive } from "@leeway/clouds/listings/redact-properties";
import type { Tasks } from "@leeway/shared/concurrency/serve-tasks";
import { listingTasks } from "@leeway/clouds/reading/listing-tasks";
import { readPlanLines } from "@leeway/drift/reading/plan-lines";

/** Tasks whose module is loaded when one of them is first called. */
type LoadedTasks<T extends Tasks> = {
  [N in keyof T]: (...args: Parameters<T[N]>) => Promise<Awaited<ReturnType<T[N]>>>;
};

/**
 * Returns the tasks on untrusted input. They take as long as the input is large. A thread often reads only one
 * listing, and the code of the other tasks takes more time to load than a small listing takes to read.
 */
export function inventoryTasks() {
  return {
    ...listingTasks(),
    readPlanLines,
    redactLive,
    ...loaded(async () => (await import("@leeway/drift/reading/state-tasks")).stateTasks(), {
      beginState: true,
      readState: true,
      closeState: true,
    }),
    ...loaded(async () => (await import("./drift/drift-tasks.ts")).DRIFT_TASKS, {
      comparePairs: true,
      judgeRefreshes: true,
      judgePending: true,
      judgeUndeclared: true,
      adoptStored: true,
      judgeByRules: true,
      matchByCondition: true,
      whenProblem: true,
    }),
  };
}

function loaded<T extends Tasks>(load: () => Promise<T>, names: Record<keyof T, true>): LoadedTasks<T> {
  let tasks: Promise<T> | undefined;
  const later =
    (name: string) =>
    async (...args: never[]): Promise<unknown> => {
      tasks ??= load();
      return (await tasks)[name]?.(...args);
    };
  const all: Tasks = Object.fromEntries(Object.keys(names).map((name) => [name, later(name)]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name calls its own task
  return all as LoadedTasks<T>;
}
