import { readFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

import { AppError } from "../values/errors.ts";

export function exampleTasks() {
  let total = 0;
  let last: Uint8Array | undefined;
  return {
    add: async (one: number): Promise<number> => {
      total += one;
      await Bun.sleep(20 / one); // later calls are faster
      return total;
    },
    sum: (one: number, other: number): number => one + other,
    sleep: (ms: number): Promise<void> => Bun.sleep(ms),
    /** Uses a processor for `ms`, by default forever. */
    spin: (ms = Infinity): void => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    },
    zeros: (length: number): { zeros: Uint8Array } => ({ zeros: (last = new Uint8Array(length)) }),
    thread: (): number => threadId,
    lengthOfLast: (): number | undefined => last?.length,
    niceness: (): number =>
      Number(readFileSync("/proc/thread-self/stat", "utf8").split(") ")[1]?.split(" ")[16]),
    lengthOf: (bytes: Uint8Array): number => bytes.length,
    refuse: (): never => {
      const details = [{ field: "plan", code: "invalid", message: "is none" }];
      throw new AppError("invalid_parameter", "plan is none", { details });
    },
    fail: (): never => {
      throw new Error("a bug");
    },
  };
}
