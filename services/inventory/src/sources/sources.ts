import { namesOf } from "@leeway/shared/service/audit/write-audit";
import type { Input } from "@leeway/shared/contracts/contract";
import type {
  CreateSource,
  DeleteSource,
  IacSource,
  UpdateSource,
} from "@leeway/shared/contracts/inventory/sources";
import type { Backend, ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Database, Transaction } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/security/egress/egress";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";
import { checkBackend } from "@leeway/connectors/backends/check-backend";

import { getAccount } from "../accounts/store.ts";
import { audit } from "../audit.ts";
import { changeMatching, changePrepared } from "../matching/change-matching.ts";
import { lockMatching } from "../matching/store/matches.ts";
import { changeDeclared } from "./change-declared.ts";
import { setBackend } from "./store/backends.ts";
import { rebindSource } from "./store/bindings.ts";
import { createSource, deleteSource, getSource, sourceNamed, updateSource } from "./store/sources.ts";
import { lockSource } from "./store/state.ts";

export interface SourceDependencies extends Platform {
  ring: KeyRing;
  egress: Egress;
}

/**
 * @throws {AppError} `conflict`, with the other source's id, for a name that is taken; `invalid_parameter` for an
 * account that doesn't exist
 */
export async function addSource(
  { database, ring, egress }: SourceDependencies,
  {
    org_id,
    source_id: id = Bun.randomUUIDv7(),
    name,
    cloud_account_id: accountId,
    repository,
    backend,
  }: Input<typeof CreateSource>,
): Promise<IacSource> {
  const made = await getSource(database.org(org_id), id);
  if (made) return made;
  await refuseTaken(database, org_id, { id, name });
  await checkPlace({ database, egress }, org_id, { accountId, backend });
  await database.transaction(org_id, async (tx) => {
    if (!(await createSource(tx, { id, name, accountId }))) throw nameTaken();
    if (repository) await rebindSource(tx, id, repository);
    if (backend) await setBackend(tx, ring, { sourceId: id, backend });
    const details = { name, repository: repository?.path };
    await audit(tx, { action: "iac_source.create", targetId: id, details });
  });
  return findSource(database, org_id, id);
}

/** @throws {AppError} `not_found` */
export async function findSource(database: Database, orgId: string, sourceId: string): Promise<IacSource> {
  const source = await getSource(database.org(orgId), sourceId);
  if (!source) throw new AppError("not_found", "the IaC source doesn't exist");
  return source;
}

/** Changes a source. If its account changes, all accounts that it concerns before or after are matched again. */
export async function changeSource(
  deps: SourceDependencies,
  { org_id, source_id, ...changes }: Input<typeof UpdateSource>,
): Promise<IacSource> {
  const { name, cloud_account_id, repository, backend } = changes;
  if (Object.values(changes).every((change) => change === undefined))
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  const { database, ring } = deps;
  const now = await findSource(database, org_id, source_id);
  await refuseTaken(database, org_id, { id: source_id, name });
  await checkPlace(deps, org_id, {
    accountId: (cloud_account_id === undefined ? now.cloud_account_id : cloud_account_id) ?? undefined,
    backend: (backend === undefined ? now.backend : backend) ?? undefined,
  });
  const update = async (tx: Transaction): Promise<void> => {
    const outcome = await updateSource(tx, source_id, { name, accountId: cloud_account_id });
    if (outcome === "absent") throw new AppError("not_found", "the IaC source doesn't exist");
    if (outcome === "taken") throw nameTaken();
    if (repository !== undefined) await rebindSource(tx, source_id, repository);
    if (backend !== undefined) await setBackend(tx, ring, { sourceId: source_id, backend });
    const details = {
      name: name ?? now.name,
      changed: namesOf(changes),
      repository: repository === null ? "none" : repository?.path,
    };
    await audit(tx, { action: "iac_source.update", targetId: source_id, details });
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
  await changePrepared(platform, org_id, async (tx) => {
    await lockSource(tx, source_id);
    await lockMatching(tx);
    await changeDeclared(tx, source_id, async () => {
      const source = await getSource(tx, source_id);
      if (!source || !(await deleteSource(tx, source_id)))
        throw new AppError("not_found", "the IaC source doesn't exist");
      await audit(tx, { action: "iac_source.delete", targetId: source_id, details: { name: source.name } });
    });
  });
}

/** Checks that a source's account exists and its backend can be read. @throws {AppError} `invalid_parameter` */
async function checkPlace(
  { database, egress }: Pick<SourceDependencies, "database" | "egress">,
  orgId: string,
  { accountId, backend }: { accountId: string | undefined; backend: Backend | ShownBackend | undefined },
): Promise<void> {
  const account = accountId === undefined ? undefined : await getAccount(database.org(orgId), accountId);
  if (accountId !== undefined && !account)
    throw invalidParameter("cloud_account_id", "isn't a cloud account of the organization");
  if (backend) await checkBackend(egress, backend, account?.provider);
}

/** @throws {AppError} `conflict`, with the other source's id, if another source has the name */
async function refuseTaken(
  database: Database,
  orgId: string,
  { id, name }: { id: string; name: string | undefined },
): Promise<void> {
  const taken = name === undefined ? undefined : await sourceNamed(database.org(orgId), name);
  if (taken !== undefined && taken !== id.toLowerCase()) throw nameTaken(taken);
}

/** @param id of the source with the name; undefined if it took the name just now */
function nameTaken(id?: string): AppError {
  const fields = id === undefined ? {} : { fields: { id } };
  return new AppError("conflict", "another IaC source already has this name", fields);
}
