import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";

import { endSession } from "./session.ts";
import { ApiFailure, mayPass } from "./failure.ts";

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

/**
 * Creates the cache of API answers, kept while they are in use. A rejected session asks the person to sign in again.
 */
export function createQueries(): QueryClient {
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

function leaveWhenSignedOut(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) endSession();
}
