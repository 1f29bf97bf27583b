import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";

import { call, type Answer, type Body, type Operation, type Query } from "./client.ts";
import { ApiFailure, isLost } from "./failure.ts";
import { useOrgId, type Named } from "./hooks.ts";

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
