import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Database } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/encryption/envelope";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { getAccount, sealedCredentials } from "../accounts/store.ts";
import type { Connector } from "./connector.ts";
import type { Registry } from "./registry.ts";

export interface ConnectorDependencies {
  database: Database;
  ring: KeyRing;
  clouds: Registry;
}

/**
 * An account and the connector that reads it; another `version` of it has or may have other credentials.
 * @throws {AppError} `not_found`, `registry_not_configured`; `no_credentials`, also for some that can't be decrypted;
 * `invalid_parameter` for credentials of another cloud
 */
export async function openAccount(
  { database, ring, clouds }: ConnectorDependencies,
  orgId: string,
  accountId: string,
): Promise<{ account: CloudAccount; connector: Connector; version: string }> {
  const sql = database.org(orgId);
  const [account, sealed] = await Promise.all([
    getAccount(sql, accountId),
    sealedCredentials(sql, ring, accountId),
  ]);
  if (!account) throw new AppError("not_found", "no such cloud account");
  if (!sealed) throw noCredentials(orgId, account.id);
  const { provider, external_id: externalId } = account;
  try {
    const connector = clouds.open({ orgId, id: accountId, provider, externalId, ...sealed });
    return { account, connector, version: sealed.version };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const message = "the account's credentials can't be decrypted by this server: give them again";
    throw new AppError("no_credentials", message, { cause: error });
  }
}

/** What a scan is refused with of an account that only pushes can fill. */
export function noCredentials(orgId: string, accountId: string): AppError {
  return new AppError(
    "no_credentials",
    `the account has no credentials to read it with: push its listing with PUT /api/v2/orgs/${orgId}/cloud-accounts/${accountId}/listing`,
  );
}
