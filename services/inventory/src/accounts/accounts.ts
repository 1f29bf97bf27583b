import type { Input } from "@leeway/shared/contract";
import type { CloudAccount, CreateAccount, UpdateAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { cloudOf } from "../clouds/clouds.ts";
import type { ConnectorDependencies } from "../connectors/open-account.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { rematch } from "../matching/rematch.ts";
import { lockMatching, settleContested } from "../matching/store/matches.ts";
import { sourcesOf } from "../sources/store/sources.ts";
import { concernedAccounts } from "../sources/store/state.ts";
import { createAccount, deleteAccount, getAccount, purgeOrg, updateAccount } from "./store.ts";

/** @throws {AppError} `invalid_parameter` for credentials that can't be right; `conflict` when the organization has the account already */
export async function addAccount(
  { database, ring, clouds }: ConnectorDependencies,
  { org_id, account_id: id = Bun.randomUUIDv7(), ...account }: Input<typeof CreateAccount>,
): Promise<CloudAccount> {
  const { provider, external_id: externalId, credentials } = account;
  if (credentials) clouds.check({ orgId: org_id, provider, externalId }, credentials);
  const cloud = cloudOf(account.provider).provider;
  const sql = database.org(org_id);
  const made = await getAccount(sql, id);
  if (made) return made;
  const created = await createAccount(sql, ring, { ...account, id, cloud });
  if (!created) throw new AppError("conflict", "this provider's account is in the organization already");
  return created;
}

export async function findAccount(
  database: Database,
  orgId: string,
  accountId: string,
): Promise<CloudAccount> {
  return found(await getAccount(database.org(orgId), accountId));
}

/** @throws {AppError} `not_found`, `empty_update`; `invalid_parameter` for credentials that can't be right */
export async function changeAccount(
  { database, ring, clouds }: ConnectorDependencies,
  { org_id, account_id, ...changes }: Input<typeof UpdateAccount>,
): Promise<CloudAccount> {
  if (Object.keys(changes).length === 0) throw new AppError("empty_update", "nothing to change was given");
  if (changes.credentials) {
    const { provider, external_id: externalId } = await findAccount(database, org_id, account_id);
    clouds.check({ orgId: org_id, provider, externalId }, changes.credentials);
  }
  return found(await updateAccount(database.org(org_id), ring, account_id, changes));
}

/**
 * Removes an account and its live resources. What was matched to them is looked at anew, and so is what its
 * sources declare: they have no account any more, and can be in any.
 */
export async function removeAccount(platform: Platform, orgId: string, accountId: string): Promise<void> {
  await changeMatching(platform, orgId, async (tx) => {
    const sources = await sourcesOf(tx, accountId);
    if (!(await deleteAccount(tx, accountId))) throw new AppError("not_found", "no such cloud account");
    await rematch(tx, await settleContested(tx));
    for (const sourceId of sources) await rematch(tx, await concernedAccounts(tx, sourceId));
  });
}

/** Forgets an organization, and what whoever is at work in it would still write. */
export async function purge(database: Database, orgId: string): Promise<void> {
  await database.transaction(orgId, purgeLocked, { lane: "bulk" });
}

async function purgeLocked(tx: Transaction): Promise<void> {
  await lockMatching(tx);
  await purgeOrg(tx);
}

function found(account: CloudAccount | undefined): CloudAccount {
  if (!account) throw new AppError("not_found", "no such cloud account");
  return account;
}
