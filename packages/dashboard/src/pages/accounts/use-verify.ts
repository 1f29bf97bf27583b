import type { Answer } from "../../api/client.ts";
import type { ApiFailure } from "../../api/failure.ts";
import { useAct } from "../../api/hooks.ts";
import { SHOWS_ACCOUNTS } from "./types.ts";

type Tried = Answer<"POST /orgs/{id}/cloud-accounts/{account_id}/verify">;

/** How the trial of an account's credentials goes. */
export interface Verify {
  start: () => void;
  isBusy: boolean;
  error: ApiFailure | null;
  /** Who the credentials are in the cloud's words; told only by the trial itself. */
  identity: string | undefined;
}

/** Tries the credentials of an account on its cloud. */
export function useVerify(accountId: string): Verify {
  const { mutate, isPending, error, data } = useAct(
    "POST /orgs/{id}/cloud-accounts/{account_id}/verify",
    SHOWS_ACCOUNTS,
  );
  const tried: Tried | undefined = data;
  return {
    start: () => mutate({ params: { account_id: accountId } }),
    isBusy: isPending,
    error,
    identity: tried?.identity,
  };
}
