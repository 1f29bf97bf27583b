import type { Answer } from "../../api/client.ts";
import type { ApiFailure } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import { SHOWS_ACCOUNTS } from "./types.ts";

type Tried = Answer<"POST /orgs/{id}/cloud-accounts/{account_id}/verify">;

/** State of verifying an account's credentials. */
export interface Verify {
  start: () => void;
  isBusy: boolean;
  error: ApiFailure | null;
  /** Identity of the credentials in the cloud; returned only by the verification itself. */
  identity: string | undefined;
}

/** Verifies an account's credentials in its cloud. */
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
