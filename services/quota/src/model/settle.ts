import { toItsEnd } from "@leeway/shared/context";
import type { Logger } from "@leeway/shared/telemetry/log";

/**
 * Does what has to be done after a call of a model, whether or not anybody still waits for its answer: a
 * request's own context would refuse it then. What fails here, time heals: slots are swept, leases end.
 */
export async function settle(log: Logger, what: string, work: () => Promise<unknown>): Promise<void> {
  await toItsEnd(work).catch((error: unknown) => log.warn({ error }, `couldn't ${what}`));
}
