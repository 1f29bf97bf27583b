import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Database } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/security/encryption/envelope";
import { AppError } from "@leeway/shared/values/errors";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { getAccount, sealedCredentials } from "./store.ts";
import type { Connector } from "@leeway/connectors/connector";
import type { Registry } from "@leeway/connectors/registry";

export interface ConnectorDependencies {
  database: Database;
  ring: KeyRing;
  clouds: Registry;
}

/**
 * Opens an account and its connector; `version` changes when the credentials may have changed.
 * @throws {AppError} `not_found`, `registry_not_configured`; `no_credentials`, also if they can't be decrypted;
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
  if (!account) throw new AppError("not_found", "the cloud account doesn't exist");
  if (!sealed) throw noCredentials(orgId, account.id);
  const { provider, external_id: externalId } = account;
  try {
    const connector = await clouds.open({ orgId, id: accountId, provider, externalId, ...sealed });
    return { account, connector, version: sealed.version };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const message = "the account's credentials can't be decrypted; save them again";
    throw new AppError("no_credentials", message, { cause: error });
  }
}

/** Returns the error for scanning an account that only takes pushed listings. */
export function noCredentials(orgId: string, accountId: string): AppError {
  return new AppError(
    "no_credentials",
    `the account has no credentials; add some, or push its listing with PUT /api/v2/orgs/${orgId}/cloud-accounts/${accountId}/listing`,
  );
}
