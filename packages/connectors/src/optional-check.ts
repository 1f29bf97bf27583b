import { AppError } from "@leeway/shared/values/errors";

import type { Verification } from "./connector.ts";
import { isTimeout } from "./deadline.ts";

type Check = Verification["checks"][number];

/** Max time for an optional check, about as long as the rest of a verification takes. */
const PATIENCE_MS = 10_000;

/** Runs an optional check. A timeout fails only this check, not the verification. */
export async function optionalCheck(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Check>,
): Promise<Check> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    return { ...(await work(AbortSignal.any([signal, patience]))), optional: true };
  } catch (error) {
    signal.throwIfAborted();
    if (!isTimeout(error) && !(error instanceof AppError && error.code === "unavailable")) throw error;
    return { name, ok: false, optional: true, message: "no answer; try again later" };
  }
}
