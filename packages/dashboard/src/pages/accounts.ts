import { useEffect } from "react";

import { useRows } from "../api/hooks.ts";

/** Said where one is to be chosen. */
export const NO_ACCOUNT = "There is no cloud account yet: connect one under Accounts";

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
} {
  const { rows, readMore, isPending, error } = useRows("GET /orgs/{id}/cloud-accounts", {
    query: { limit: 500 },
  });
  useEffect(readMore);
  const named = rows.map(({ id, name, external_id: external }): [string, string] => [id, name ?? external]);
  const names = new Map(named);
  const options = named.filter((_, at) => provider === undefined || rows[at]?.provider === provider);
  if (chosen !== undefined && !names.has(chosen)) options.push([chosen, chosen]);
  return {
    nameOf: (id) => names.get(id) ?? id,
    options,
    isNone: options.length === 0 && !isPending && !error,
  };
}
