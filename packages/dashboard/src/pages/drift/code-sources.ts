import { useRows } from "../../api/hooks.ts";

/** Returns the sources that adopted resources can join, those of the account first. */
export function useCodeSources(accountId: string | undefined) {
  const { rows } = useRows("GET /orgs/{id}/iac-sources", { query: { limit: 500 } });
  return rows
    .filter(({ repository, kind = "terraform" }) => repository && kind === "terraform")
    .toSorted(
      (one, other) =>
        Number(other.cloud_account_id === accountId) - Number(one.cloud_account_id === accountId),
    );
}
