import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { follow } from "../api/client.ts";
import type { ServerEvent } from "../api/event-stream.ts";
import { ApiFailure } from "../api/failure.ts";
import { concerns, currentLive, setLive } from "../api/live.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A hidden page gives its connection back: without HTTP/2 a browser has only six of them. */
const HIDDEN_MS = 60_000;

const LISTED = "GET /orgs/{id}/drift-changes";

/** Follows what changes in the organization while the page can be seen, and reads again what has changed. */
export function FollowOrganization({ orgId }: { orgId: string }) {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    void followWhileSeen(orgId, queries, leaving.signal);
    return () => {
      leaving.abort();
      setLive({ isOpen: false, newChanges: 0 });
    };
  }, [orgId, queries]);
  return undefined;
}

async function followWhileSeen(orgId: string, queries: QueryClient, leaving: AbortSignal): Promise<void> {
  let [lastEventId, pauseMs]: [string | undefined, number] = [undefined, FIRST_PAUSE_MS];
  while (!leaving.aborted) {
    await untilSeen(leaving);
    if (leaving.aborted) return;
    const stopping = stoppingWhenHidden(leaving);
    try {
      const input = {
        params: { id: orgId },
        signal: stopping.signal,
        ...(lastEventId !== undefined && { lastEventId }),
      };
      await follow("GET /orgs/{id}/events", input, (event) => {
        lastEventId = event.id ?? lastEventId;
        pauseMs = FIRST_PAUSE_MS;
        setLive({ isOpen: true });
        take(event, queries);
      });
    } catch (error) {
      if (error instanceof ApiFailure && isFinal(error)) return;
      if (error instanceof ApiFailure) pauseMs = Math.max(pauseMs, 1_000 * (error.retryAfterSeconds ?? 0));
    } finally {
      stopping.forget();
      setLive({ isOpen: false });
    }
    await pause(pauseMs, leaving);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

/** Without access, or at an older server, pages poll. */
const isFinal = ({ status }: ApiFailure): boolean => status >= 400 && status < 500 && status !== 429;

/** Reads again what has changed. A list of changes stays as it is when others come, so that its rows don't jump. */
function take({ event, data }: ServerEvent, queries: QueryClient): void {
  if (event === "reload") void queries.invalidateQueries();
  if (event !== "changed") return;
  const { topics = [], new_changes: fresh = 0 }: { topics?: string[]; new_changes?: number } =
    JSON.parse(data);
  if (fresh > 0) setLive({ newChanges: currentLive().newChanges + fresh });
  void queries.invalidateQueries({
    predicate: ({ queryKey: [operation, , query, kind] }) =>
      typeof operation === "string" &&
      topics.some((topic) => concerns(topic, operation)) &&
      !(fresh > 0 && operation === LISTED && kind === "rows" && !isShort(query)),
  });
}

/** Returns whether a list is a short excerpt, such as the worst changes. */
const isShort = (query: unknown): boolean => typeof query === "object" && query !== null && "limit" in query;

function untilSeen(leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState !== "visible" && !leaving.aborted) return;
      document.removeEventListener("visibilitychange", look);
      leaving.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    leaving.addEventListener("abort", look);
    look();
  });
}

/** Returns a signal that stops with the page, or when it was hidden for a while. */
function stoppingWhenHidden(leaving: AbortSignal): { signal: AbortSignal; forget: () => void } {
  const hidden = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(() => hidden.abort(), HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", look);
  return {
    signal: AbortSignal.any([leaving, hidden.signal]),
    forget: () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

function pause(ms: number, leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    leaving.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
