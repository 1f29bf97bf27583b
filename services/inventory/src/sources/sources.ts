import type { Input } from "@leeway/shared/contract";
import type {
  CreateSource,
  DeleteSource,
  IacSource,
  UpdateSource,
} from "@leeway/shared/contracts/inventory/sources";
import type { Backend, ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Database, Transaction } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/egress/egress";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { getAccount } from "../accounts/store.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { checkBackend } from "./backends/check-backend.ts";
import { changeDeclared } from "./change-declared.ts";
import { setBackend } from "./store/backends.ts";
import { createSource, deleteSource, getSource, updateSource } from "./store/sources.ts";

export interface SourceDependencies extends Platform {
  ring: KeyRing;
  egress: Egress;
}

/** @throws {AppError} `conflict` for a name that is taken, `invalid_parameter` for an account that isn't there */
export async function addSource(
  { database, ring, egress }: SourceDependencies,
  {
    org_id,
    source_id: id = Bun.randomUUIDv7(),
    name,
    cloud_account_id: accountId,
    backend,
  }: Input<typeof CreateSource>,
): Promise<IacSource> {
  const made = await getSource(database.org(org_id), id);
  if (made) return made;
  await checkPlace({ database, egress }, org_id, { accountId, backend });
  await database.transaction(org_id, async (tx) => {
    if (!(await createSource(tx, { id, name, accountId }))) throw nameTaken();
    if (backend) await setBackend(tx, ring, { sourceId: id, backend });
  });
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
  deps: SourceDependencies,
  { org_id, source_id, name, cloud_account_id, backend }: Input<typeof UpdateSource>,
): Promise<IacSource> {
  if (name === undefined && cloud_account_id === undefined && backend === undefined)
    throw new AppError("empty_update", "nothing to change was given");
  const { database, ring } = deps;
  const now = await findSource(database, org_id, source_id);
  await checkPlace(deps, org_id, {
    accountId: (cloud_account_id === undefined ? now.cloud_account_id : cloud_account_id) ?? undefined,
    backend: (backend === undefined ? now.backend : backend) ?? undefined,
  });
  const update = async (tx: Transaction): Promise<void> => {
    const outcome = await updateSource(tx, source_id, { name, accountId: cloud_account_id });
    if (outcome === "absent") throw new AppError("not_found", "no such IaC source");
    if (outcome === "taken") throw nameTaken();
    if (backend !== undefined) await setBackend(tx, ring, { sourceId: source_id, backend });
  };
  if (cloud_account_id === undefined) await database.transaction(org_id, update);
  else await changeMatching(deps, org_id, (tx) => changeDeclared(tx, source_id, () => update(tx)));
  return findSource(database, org_id, source_id);
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

/** Whether a source's account is there, and its backend one that can be read. @throws {AppError} `invalid_parameter` */
async function checkPlace(
  { database, egress }: Pick<SourceDependencies, "database" | "egress">,
  orgId: string,
  { accountId, backend }: { accountId: string | undefined; backend: Backend | ShownBackend | undefined },
): Promise<void> {
  const account = accountId === undefined ? undefined : await getAccount(database.org(orgId), accountId);
  if (accountId !== undefined && !account)
    throw invalidParameter("cloud_account_id", "names no cloud account of the organization");
  if (backend) await checkBackend(egress, backend, account?.provider);
}

function nameTaken(): AppError {
  return new AppError("conflict", "another IaC source has this name");
}
