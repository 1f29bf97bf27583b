import { unavailable } from "@leeway/shared/errors";

/** How many bytes of bodies may be in memory at once. */
export interface BodyBudget {
  /** @throws {AppError} `unavailable` when there is no room for `bytes` more */
  take(bytes: number): void;
  give(bytes: number): void;
}

export function createBodyBudget(mostBytes: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > mostBytes) throw unavailable("too many bodies are being received");
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
