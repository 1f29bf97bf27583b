import { cloudOf } from "@leeway/clouds/clouds";
import { namesOf } from "@leeway/shared/service/audit/write-audit";
import type { Input } from "@leeway/shared/contracts/contract";
import type { CloudAccount, CreateAccount, UpdateAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import { audit } from "../audit.ts";
import type { ConnectorDependencies } from "./open-account.ts";
import { lockDrift } from "../drift/store/settle.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { rematch } from "../matching/rematch.ts";
import { settleContested } from "../matching/store/matches.ts";
import { sourcesOf } from "../sources/store/sources.ts";
import { concernedAccounts } from "../sources/store/state.ts";
import {
  accountNamed,
  createAccount,
  deleteAccount,
  getAccount,
  isConnected,
  updateAccount,
} from "./store.ts";

/**
 * Connects an account.
 * @throws {AppError} `invalid_parameter` for an invalid id or credentials; `conflict`, with its id, if the
 * organization already has the account
 */
export async function addAccount(
  { database, ring, clouds }: ConnectorDependencies,
  { org_id, account_id: id = Bun.randomUUIDv7(), ...account }: Input<typeof CreateAccount>,
): Promise<CloudAccount> {
  const { provider, external_id: externalId, credentials } = account;
  const { provider: cloud, accountIds } = cloudOf(provider);
  if (accountIds && !accountIds.pattern.test(externalId))
    throw invalidParameter("external_id", accountIds.says);
  if (credentials) await clouds.check({ orgId: org_id, provider, externalId }, credentials);
  const sql = database.org(org_id);
  const made = await getAccount(sql, id);
  if (made) return made;
  try {
    return await database.transaction(org_id, async (tx) => {
      const created = await createAccount(tx, ring, { ...account, id, cloud });
      const details = { provider, external_id: externalId };
      await audit(tx, { action: "cloud_account.create", targetId: id, details });
      return created;
    });
  } catch (error) {
    if (!isConnected(error)) throw error;
  }
  const there = await accountNamed(sql, { provider, externalId });
  throw new AppError("conflict", "this account is already connected", {
    ...(there !== undefined && { fields: { id: there } }),
  });
}

export async function findAccount(
  database: Database,
  orgId: string,
  accountId: string,
): Promise<CloudAccount> {
  return found(await getAccount(database.org(orgId), accountId));
}

/** @throws {AppError} `not_found`, `empty_update`; `invalid_parameter` for invalid credentials */
export async function changeAccount(
  { database, ring, clouds }: ConnectorDependencies,
  { org_id, account_id, ...changes }: Input<typeof UpdateAccount>,
): Promise<CloudAccount> {
  if (Object.keys(changes).length === 0)
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  if (changes.credentials) {
    const { provider, external_id: externalId } = await findAccount(database, org_id, account_id);
    await clouds.check({ orgId: org_id, provider, externalId }, changes.credentials);
  }
  return database.transaction(org_id, async (tx) => {
    const changed = found(await updateAccount(tx, ring, account_id, changes));
    const { provider, external_id } = changed;
    const details = { provider, external_id, changed: namesOf(changes) };
    await audit(tx, { action: "cloud_account.update", targetId: account_id, details });
    return changed;
  });
}

/**
 * Deletes an account and its live resources. Rematches the declarations that were matched to them, and those of the
 * account's sources, which may now be in any account.
 */
export async function removeAccount(platform: Platform, orgId: string, accountId: string): Promise<void> {
  await changeMatching(platform, orgId, async (tx) => {
    const { provider, external_id, name } = found(await getAccount(tx, accountId));
    await lockDrift(tx, accountId, "compute");
    const sources = await sourcesOf(tx, accountId);
    await deleteAccount(tx, accountId);
    const details = { provider, external_id, name };
    await audit(tx, { action: "cloud_account.delete", targetId: accountId, details });
    await rematch(tx, await settleContested(tx));
    for (const sourceId of sources) await rematch(tx, await concernedAccounts(tx, sourceId));
  });
}

function found(account: CloudAccount | undefined): CloudAccount {
  if (!account) throw new AppError("not_found", "the cloud account doesn't exist");
  return account;
}
