import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";

import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";

/** Requires no permission. */
const GET_IDENTITY = "sts:GetCallerIdentity";

/** Returns the caller that the credentials belong to. */
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

/** Explains why credentials of `account` don't fit `accountId`; undefined if they do. */
export function mismatch(account: string, accountId: string): string | undefined {
  return account === accountId ? undefined : `the credentials belong to account ${account}, not ${accountId}`;
}

/**
 * Requires that the credentials belong to `accountId`, so that another account is never stored as this one.
 * @throws {AwsFailure} `permission_denied` when they belong to another account
 */
export async function requireAccount(
  clients: AwsClients,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const { account } = await callerIdentity(clients, signal);
  const message = mismatch(account, accountId);
  if (message !== undefined) throw new AwsFailure({ code: "permission_denied", message }, "AccountMismatch");
}
