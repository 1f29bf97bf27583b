import { AsyncLocalStorage } from "node:async_hooks";

/** What accompanies one request through every service, log line, span and statement. */
export interface RequestContext {
  requestId: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that everything it logs, calls or queries carries `context`. */
export function withContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs `work` to its end, whether or not anybody still waits for the answer of the request that is being answered. */
export function toItsEnd<T>(work: () => T): T {
  return withContext({ requestId: currentContext()?.requestId ?? crypto.randomUUID() }, work);
}

/** The context of the request that is being answered; undefined outside of one. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
