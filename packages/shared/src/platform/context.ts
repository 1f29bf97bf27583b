import { AsyncLocalStorage } from "node:async_hooks";

import type { Actor } from "../contracts/common.ts";

/** Data that accompanies one request through every service, log line, span and statement. */
export interface RequestContext {
  requestId: string;
  /** Author of the request's changes, for their audit entries. */
  actor?: Actor;
  /** Aborted when the caller no longer waits for the answer. */
  signal?: AbortSignal;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that everything it logs, calls or queries carries `context`. */
export function withContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs `work` to its end, even if the current request is aborted. */
export function toItsEnd<T>(work: () => T): T {
  const { requestId = crypto.randomUUID(), actor } = currentContext() ?? {};
  return withContext({ requestId, ...(actor && { actor }) }, work);
}

/** Runs `work` with `actor` as the author of its changes, also in services it calls. */
export function actingAs<T>(actor: Actor, work: () => T): T {
  const { requestId = crypto.randomUUID(), ...context } = currentContext() ?? {};
  return withContext({ ...context, requestId, actor }, work);
}

/** Runs `work` so that it also ends when `signal` is aborted. */
export function abortable<T>(signal: AbortSignal, work: () => T): T {
  const { requestId = crypto.randomUUID(), signal: own, ...context } = currentContext() ?? {};
  const either = own ? AbortSignal.any([own, signal]) : signal;
  return withContext({ ...context, requestId, signal: either }, work);
}

/** Returns the context of the current request; undefined outside of one. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
