import { useEffect } from "react";

import { useRows } from "../api/hooks.ts";

/**
 * Gives what to call a cloud account, and all of them to choose from, or those of a provider, with the one that is
 * chosen: of an account that was deleted there is still what it had.
 */
export function useAccounts(
  chosen?: string,
  provider?: string,
): {
  nameOf: (id: string) => string;
  options: [id: string, name: string][];
  /** Whether there is none. */
  isNone: boolean;
  /** Whether Leeway has credentials to read it with. */
  isRead: (id: string) => boolean;
} {
  const { rows, readMore, isPending, error } = useRows("GET /orgs/{id}/cloud-accounts", {
    query: { limit: 500 },
  });
  useEffect(readMore);
  const named = rows.map(({ id, name, external_id: external }): [string, string] => [id, name ?? external]);
  const names = new Map(named);
  const read = new Set(rows.filter(({ credentials }) => credentials !== undefined).map(({ id }) => id));
  const options = named.filter((_, at) => provider === undefined || rows[at]?.provider === provider);
  if (chosen !== undefined && !names.has(chosen)) options.push([chosen, chosen]);
  return {
    nameOf: (id) => names.get(id) ?? id,
    options,
    isRead: (id) => read.has(id),
    isNone: options.length === 0 && !isPending && !error,
  };
}
