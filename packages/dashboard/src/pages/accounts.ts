import { useCallback, useEffect, useMemo } from "react";

import { useRows } from "../api/hooks.ts";

/**
 * Returns account names, and the accounts (optionally of one provider) as options. The chosen account is included,
 * even if it was deleted.
 */
export function useAccounts(
  chosen?: string,
  provider?: string,
): {
  nameOf: (id: string) => string;
  options: [id: string, name: string][];
  /** Whether there are no accounts. */
  isNone: boolean;
  /** Returns whether Leeway has credentials to read the account. */
  isRead: (id: string) => boolean;
} {
  const { rows, readMore, isPending, error } = useRows("GET /orgs/{id}/cloud-accounts", {
    query: { limit: 500 },
  });
  useEffect(readMore);
  const named = rows.map(({ id, name, external_id: external }): [string, string] => [id, name ?? external]);
  const names = useMemo(
    () => new Map(rows.map(({ id, name, external_id: external }) => [id, name ?? external])),
    [rows],
  );
  const read = new Set(rows.filter(({ credentials }) => credentials !== undefined).map(({ id }) => id));
  const options = named.filter((_, at) => provider === undefined || rows[at]?.provider === provider);
  if (chosen !== undefined && !names.has(chosen)) options.push([chosen, chosen]);
  return {
    nameOf: useCallback((id: string) => names.get(id) ?? id, [names]),
    options,
    isRead: (id) => read.has(id),
    isNone: options.length === 0 && !isPending && !error,
  };
}
