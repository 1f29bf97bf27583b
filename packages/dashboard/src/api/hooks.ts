import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo, useRef, useSyncExternalStore } from "react";

import { call, readFile, type Answer, type Body, type Operation, type Query, type Row } from "./client.ts";
import { ApiFailure, isLost } from "./failure.ts";
import { currentLive, onLive, paceOf, type Live } from "./live.ts";
import type { Operations } from "./openapi.gen.ts";

/** Path parameters of an operation besides the page's organization. */
type Steps<K extends Operation> = Omit<Operations[K]["params"], "id">;
type Named<K extends Operation> = keyof Steps<K> extends never
  ? { params?: undefined }
  : { params: Steps<K> };

type Reading<K extends Operation> = Named<K> & {
  query?: Query<K>;
  /** Refetch interval; a function receives the latest answer. */
  everyMs?: number | ((answer: Answer<K> | undefined) => number | false);
  /** Whether to send the request. */
  when?: boolean;
};

type ListOperation = {
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

type Listing<K extends Operation> = Named<K> & {
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

/** Reads all rows of a listing as a file. */
export type ReadFile = (type: Parameters<typeof readFile>[2]) => Promise<Blob>;

/** Returns how to read all rows of a listing as a file. */
export function useFile<K extends ListOperation>(operation: K, reading: Listing<K>): ReadFile {
  const params = { id: useOrgId(), ...reading.params };
  const { query } = reading;
  return (type) => readFile(operation, { params, ...(query && { query }) }, type);
}

type Doing<K extends Operation> = Named<K> & { body?: Body<K>; query?: Query<K> };

/**
 * Prepares an operation that changes the page's organization. Afterwards, the operations in `refreshes` are
 * refetched. Retrying after a lost answer is safe, because the retry has the same key.
 */
export function useAct<K extends Operation>(
  operation: K,
  refreshes: readonly Operation[] = [],
): UseMutationResult<Answer<K>, ApiFailure, Doing<K>> {
  const orgId = useOrgId();
  const client = useQueryClient();
  const keyed = useKeys();
  return useMutation<Answer<K>, ApiFailure, Doing<K>>({
    mutationFn: ({ params, body, query }) =>
      keyed(JSON.stringify({ params, body, query }), (key) =>
        call(operation, {
          params: { id: orgId, ...params },
          ...(body !== undefined && { body }),
          ...(query && { query }),
          ...(operation.startsWith("POST ") && { idempotencyKey: key }),
        }),
      ),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [asked] }) => refreshes.some((one) => one === asked),
      }),
  });
}

/** Assigns each request a new idempotency key, but reuses the key of a request whose answer was lost. */
function useKeys(): <T>(request: string, send: (key: string) => Promise<T>) => Promise<T> {
  const lost = useRef<{ request: string; key: string }>(undefined);
  return async (request, send) => {
    const { key } = lost.current?.request === request ? lost.current : { key: newKey() };
    lost.current = { request, key };
    try {
      const answer = await send(key);
      lost.current = undefined;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiFailure && isLost(error))) lost.current = undefined;
      throw error;
    }
  };
}

/** Returns a unique key. `crypto.randomUUID` needs https, but Leeway may be served over plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
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
