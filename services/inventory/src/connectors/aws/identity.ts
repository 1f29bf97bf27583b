import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";

import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";

/** Nobody needs a permission for it. */
const GET_IDENTITY = "sts:GetCallerIdentity";

/** Who the credentials are. */
export async function callerIdentity(
  clients: AwsClients,
  signal: AbortSignal,
): Promise<{ arn: string; account: string }> {
  const { Arn = "", Account = "" } = await clients.ask(
    { action: GET_IDENTITY, region: clients.home },
    signal,
    (options) => clients.sts.send(new GetCallerIdentityCommand({}), options),
  );
  return { arn: Arn, account: Account };
}

/** Why credentials of `account` are no good for `accountId`; undefined when they are. */
export function mismatch(account: string, accountId: string): string | undefined {
  return account === accountId ? undefined : `the credentials are of account ${account}, not of ${accountId}`;
}

/** @throws {AwsFailure} `permission_denied` when the credentials are of another account: it must not pass for this one */
export async function requireAccount(
  clients: AwsClients,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const { account } = await callerIdentity(clients, signal);
  const message = mismatch(account, accountId);
  if (message !== undefined) throw new AwsFailure({ code: "permission_denied", message }, "AccountMismatch");
}
