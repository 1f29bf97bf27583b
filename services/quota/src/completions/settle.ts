import { toItsEnd } from "@leeway/shared/platform/context";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

/**
 * Runs the work that must follow a call of a model, even if its caller has gone: the request's own context would
 * reject it. Failures are only logged, because slots are swept and leases expire.
 */
export async function settle(log: Logger, what: string, work: () => Promise<unknown>): Promise<void> {
  await toItsEnd(work).catch((error: unknown) => log.warn({ error }, `couldn't ${what}`));
}
