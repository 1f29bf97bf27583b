import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";

import { call, type Input, type Operation } from "./client.ts";
import { currentSession, endSession } from "./session.ts";
import { ApiFailure, mayPass } from "./failure.ts";

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

/**
 * Creates the cache of API answers, kept while they are in use. A rejected session asks the person to sign in again.
 */
function createQueries(): QueryClient {
  // Renders state changes before the next key press, so that a dialog that must stay open can't be closed in between.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: "always",
        retry: (count, error) => count < MAX_RETRIES && error instanceof ApiFailure && mayPass(error),
      },
      mutations: { networkMode: "always", gcTime: 0 }, // variables may contain a secret
    },
  });
}

/** The cache of this page. */
export const queries = createQueries();

/** Starts to read what a page shows, before the page itself is there. `useRead` takes it up. */
export function startReading<K extends Operation>(
  operation: K,
  { params, query }: Pick<Input<K>, "params" | "query">,
): void {
  if (!currentSession()) return;
  void queries.prefetchQuery({
    queryKey: [operation, params, query],
    queryFn: ({ signal }) => call(operation, { params, signal, ...(query && { query }) }),
  });
}

function leaveWhenSignedOut(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) endSession();
}
