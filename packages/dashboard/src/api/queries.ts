import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";

import { endSession } from "../session/session.ts";
import { ApiFailure, mayPass } from "./failure.ts";

const FRESH_MS = 5_000;
const MOST_RETRIES = 2;

/** What was read of the API, kept for as long as it is looked at. Whoever is signed out is asked to sign in again. */
export function createQueries(): QueryClient {
  // What has begun shows before the next press of a key is heard: a dialog that is held by it can't be closed meanwhile.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: "always",
        retry: (count, error) => count < MOST_RETRIES && error instanceof ApiFailure && mayPass(error),
      },
      mutations: { networkMode: "always", gcTime: 0 }, // what was sent may hold a secret
    },
  });
}

function leaveWhenSignedOut(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) endSession();
}
