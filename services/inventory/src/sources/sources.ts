import type { Input } from "@leeway/shared/contract";
import type {
  CreateSource,
  DeleteSource,
  IacSource,
  UpdateSource,
} from "@leeway/shared/contracts/inventory/sources";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { getAccount } from "../accounts/store.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { changeDeclared } from "./change-declared.ts";
import { createSource, deleteSource, getSource, updateSource } from "./store/sources.ts";

/** @throws {AppError} `conflict` for a name that is taken, `invalid_parameter` for an account that isn't there */
export async function addSource(
  database: Database,
  { org_id, name, cloud_account_id }: Input<typeof CreateSource>,
): Promise<IacSource> {
  await checkAccount(database, org_id, cloud_account_id);
  const id = await createSource(database.org(org_id), { name, accountId: cloud_account_id });
  if (id === undefined) throw nameTaken();
  return findSource(database, org_id, id);
}

/** @throws {AppError} `not_found` */
export async function findSource(database: Database, orgId: string, sourceId: string): Promise<IacSource> {
  const source = await getSource(database.org(orgId), sourceId);
  if (!source) throw new AppError("not_found", "no such IaC source");
  return source;
}

/** A source that changes its account changes which accounts it concerns: all of them are matched anew. */
export async function changeSource(
  platform: Platform,
  { org_id, source_id, name, cloud_account_id }: Input<typeof UpdateSource>,
): Promise<IacSource> {
  if (name === undefined && cloud_account_id === undefined) {
    throw new AppError("empty_update", "nothing to change was given");
  }
  await checkAccount(platform.database, org_id, cloud_account_id ?? undefined);
  const update = async (tx: Transaction): Promise<void> => {
    const outcome = await updateSource(tx, source_id, { name, accountId: cloud_account_id });
    if (outcome === "absent") throw new AppError("not_found", "no such IaC source");
    if (outcome === "taken") throw nameTaken();
  };
  if (cloud_account_id === undefined) await platform.database.transaction(org_id, update);
  else {
    await changeMatching(platform, org_id, (tx) => changeDeclared(tx, source_id, () => update(tx)));
  }
  return findSource(platform.database, org_id, source_id);
}

/** @throws {AppError} `not_found` */
export async function removeSource(
  platform: Platform,
  { org_id, source_id }: Input<typeof DeleteSource>,
): Promise<void> {
  await changeMatching(platform, org_id, (tx) =>
    changeDeclared(tx, source_id, async () => {
      if (!(await deleteSource(tx, source_id))) throw new AppError("not_found", "no such IaC source");
    }),
  );
}

async function checkAccount(database: Database, orgId: string, accountId: string | undefined): Promise<void> {
  if (accountId === undefined || (await getAccount(database.org(orgId), accountId))) return;
  throw invalidParameter("cloud_account_id", "names no cloud account of the organization");
}

function nameTaken(): AppError {
  return new AppError("conflict", "another IaC source has this name");
}
