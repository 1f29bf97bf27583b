import { AppError } from "@leeway/shared/errors";

import type { Verification } from "./connector.ts";
import { isTimeout } from "./deadline.ts";

type Check = Verification["checks"][number];

/** As long as the rest of a verification mostly takes. */
const PATIENCE_MS = 10_000;

/** A check of what accounts are read without, too: where nobody answers, that is its result, and not the verification's. */
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
    return { name, ok: false, optional: true, message: "it doesn't answer; try again later" };
  }
}
