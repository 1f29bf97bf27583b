import { AsyncLocalStorage } from "node:async_hooks";

import type { Actor } from "../contracts/common.ts";

/** Data that accompanies one request through every service, log line, span and statement. */
export interface RequestContext {
  requestId: string;
  /** Author of the request's changes, for their audit entries. */
  actor?: Actor;
  /** Aborted when the caller no longer waits for the answer. */
  signal?: AbortSignal;
  /** Set if a read replica may answer. */
  freshness?: Freshness;
}

/** How far a replica must be to answer a request, and which server has answered so far. */
export interface Freshness {
  /** Position in the write-ahead log, such as `0/16B3748`, that the replica must have replayed. */
  position: string;
  /** Once the primary has answered, it answers the rest of the request, too. */
  answeredBy?: "replica" | "primary";
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

/** Runs `work` so that a read replica may answer its reads. */
export function withFreshness<T>(freshness: Freshness, work: () => T): T {
  const { requestId = crypto.randomUUID(), ...context } = currentContext() ?? {};
  return withContext({ ...context, requestId, freshness }, work);
}

/** Returns the context of the current request; undefined outside of one. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
