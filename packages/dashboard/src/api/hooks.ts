import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type QueryKey,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo, useSyncExternalStore } from "react";

import { call, type Answer, type Operation, type Query, type Row } from "./client.ts";
import type { ApiFailure } from "./failure.ts";
import { currentLive, onLive, paceOf, type Live } from "./live.ts";
import type { Operations } from "./openapi.gen.ts";

/** Path parameters of an operation besides the page's organization. */
type Steps<K extends Operation> = Omit<Operations[K]["params"], "id">;
export type Named<K extends Operation> = keyof Steps<K> extends never
  ? { params?: undefined }
  : { params: Steps<K> };

type Reading<K extends Operation> = Named<K> & {
  query?: Query<K>;
  /** Refetch interval; a function receives the latest answer. */
  everyMs?: number | ((answer: Answer<K> | undefined) => number | false);
  /** Whether to send the request. */
  when?: boolean;
};

export type ListOperation = {
  [K in Operation]: Answer<K> extends { data: unknown[] } ? K : never;
}[Operation];

/** Returns the organization of the page. */
export function useOrgId(): string {
  return useParams({ strict: false }).orgId ?? "";
}

/** Returns what is known of the organization's event stream. */
export function useLive(): Live {
  return useSyncExternalStore(onLive, currentLive);
}

/** Reads an operation for the page's organization. */
export function useRead<K extends Operation>(
  operation: K,
  reading: Reading<K>,
): UseQueryResult<Answer<K>, ApiFailure> {
  const params = { id: useOrgId(), ...reading.params };
  const { query, everyMs, when = true } = reading;
  const { isOpen } = useLive();
  return useQuery<Answer<K>, ApiFailure>({
    queryKey: [operation, params, query],
    queryFn: ({ signal }) => call(operation, { params, signal, ...(query && { query }) }),
    enabled: when,
    ...(everyMs !== undefined && {
      refetchInterval: ({ state }) =>
        againMs(
          state.error,
          paceOf(operation, typeof everyMs === "number" ? everyMs : everyMs(state.data), isOpen),
        ),
    }),
  });
}

export type Listing<K extends Operation> = Named<K> & {
  query?: Query<K>;
  /** Refetch interval given the known rows; false for none. */
  everyMs?: (rows: Row<K>[]) => number | false;
  /** Whether to send the request. */
  when?: boolean;
};

/** A listing, as far as it has been read. */
export interface Rows<R> {
  rows: R[];
  /** Total number of rows, if the query asks for it. */
  total: number | undefined;
  hasMore: boolean;
  /** Reads the next page, unless a request failed; in that case call `retry`. */
  readMore: () => void;
  isPending: boolean;
  isReadingMore: boolean;
  error: ApiFailure | null;
  /** Whether the failed request was for the next page. */
  isErrorOfMore: boolean;
  /** Time when the rows were read, in ms since 1970. */
  readAt: number;
  retry: () => void;
}

/** Reads the rows of a listing page by page, on demand. */
export function useRows<K extends ListOperation>(operation: K, reading: Listing<K>): Rows<Row<K>> {
  const params = { id: useOrgId(), ...reading.params };
  const { query, everyMs, when = true } = reading;
  const { isOpen } = useLive();
  const found = useInfiniteQuery<Answer<K>, ApiFailure, InfiniteData<Answer<K>, string>, QueryKey, string>({
    queryKey: [operation, params, query, "rows"],
    queryFn: ({ signal, pageParam }) =>
      call(operation, { params, signal, query: pageParam === "" ? { ...query } : next(query, pageParam) }),
    initialPageParam: "",
    getNextPageParam: nextCursor,
    enabled: when,
    ...(everyMs && {
      refetchInterval: ({ state }) =>
        againMs(
          state.error,
          paceOf(operation, everyMs((state.data?.pages ?? []).flatMap((page) => rowsOf<K>(page))), isOpen),
        ),
    }),
  });
  const { data } = found;
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => rowsOf<K>(page)), [data]);
  return {
    rows,
    total: totalOf(data?.pages[0]),
    hasMore: found.hasNextPage,
    readMore: () => {
      if (!found.hasNextPage || found.isFetchingNextPage || found.isError) return;
      void found.fetchNextPage({ cancelRefetch: false });
    },
    isPending: found.isPending,
    isReadingMore: found.isFetchingNextPage,
    error: found.error,
    isErrorOfMore: found.isFetchNextPageError,
    readAt: found.dataUpdatedAt,
    retry: () => void (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch()),
  };
}

/** Returns the refetch interval: not before the API's `Retry-After`, and none if the answer would be the same. */
function againMs(error: ApiFailure | null, everyMs: number | false): number | false {
  if (!error || everyMs === false) return everyMs;
  const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429;
  return !isFinal && Math.max(everyMs, 1_000 * (error.retryAfterSeconds ?? 0));
}

/** Returns the query for the next page, without the total count, which the first page included. */
function next(query: object = {}, cursor: string): object {
  return { ...query, include: undefined, cursor };
}

function nextCursor(page: object): string | undefined {
  return "next_cursor" in page && typeof page.next_cursor === "string" ? page.next_cursor : undefined;
}

function totalOf(page: object | undefined): number | undefined {
  return page && "total_count" in page && typeof page.total_count === "number" ? page.total_count : undefined;
}

function rowsOf<K extends ListOperation>(page: Answer<K>): Row<K>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every ListOperation returns rows
  return (page as { data: Row<K>[] }).data;
}
