import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { Repository } from "@leeway/shared/contracts/common";
import type { ExpectPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { bindSource, sourcesNamed, type BoundSource } from "./store/bindings.ts";

const IN_LEEWAY = "an owner or admin can decide in Leeway";

/**
 * Returns the source of a plan: the first named one that belongs to the plan's repository or to none yet. A plan
 * without a repository can't be of a source that belongs to one.
 * @throws {AppError} `repository_mismatch`, with the binding, if all named sources belong to other repositories
 */
export function sourceOfPlan(
  sources: readonly BoundSource[],
  repository: Repository | undefined,
): BoundSource | undefined {
  const own = sources.find(
    ({ repository: bound }) => !bound || (repository !== undefined && isSame(bound, repository)),
  );
  const [first] = sources;
  if (own || !first?.repository) return own;
  const claimed = repository ? `the plan belongs to ${textOf(repository)}` : "the plan names no repository";
  throw mismatch(
    `IaC source ${first.name} belongs to repository ${textOf(first.repository)}, but ${claimed}; rename the project, or change the source's repository as an owner or admin`,
  );
}

/** Binds the source of a plan to the plan's repository, unless it is bound already. */
export async function bindToPlan(
  tx: Transaction,
  { id, repository: bound }: BoundSource,
  repository: Repository,
): Promise<void> {
  if (bound && (bound.host !== undefined || repository.host === undefined)) return;
  if (!(await bindSource(tx, id, repository))) return;
  const details = { repository: repository.path, host: repository.host };
  await audit(tx, { action: "iac_source.bind", targetId: id, details });
}

/**
 * Checks whether a plan is accepted, and binds its source to its repository.
 * @returns `refused`, the reason, if the plan is rejected
 */
export async function expectPlan(
  database: Database,
  { org_id: orgId, source_names: names, repository }: Input<typeof ExpectPlan>,
): Promise<Output<typeof ExpectPlan>> {
  try {
    const source = sourceOfPlan(await sourcesNamed(database.org(orgId), names), repository);
    if (source && repository) await database.transaction(orgId, (tx) => bindToPlan(tx, source, repository));
    return { expected: source !== undefined };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "repository_mismatch")) throw error;
    return { expected: false, refused: error.message };
  }
}

/**
 * Lets a repository decide about a change of a source that is bound to it.
 * @throws {AppError} `repository_mismatch` that names the binding
 */
export function refuseUnlessBound(source: BoundSource | undefined, repository: Repository): void {
  if (!source) {
    throw mismatch(
      `no IaC source declares this resource, so the change belongs to no repository; ${IN_LEEWAY}`,
    );
  }
  const { name, repository: bound } = source;
  if (!bound) {
    throw mismatch(
      `IaC source ${name} belongs to no repository yet; first submit its plan from ${repository.path}, or decide in Leeway as an owner or admin`,
    );
  }
  if (!isSame(bound, repository)) {
    throw mismatch(
      `the change belongs to IaC source ${name} of repository ${textOf(bound)}; decide there, or in Leeway as an owner or admin`,
    );
  }
}

/** Compares repositories. Different hosts may have the same path; an unknown host matches any. */
function isSame(bound: Repository, { path, host }: Repository): boolean {
  return bound.path === path && (bound.host === undefined || host === undefined || bound.host === host);
}

function textOf({ path, host }: Repository): string {
  return host === undefined ? path : `${host}/${path}`;
}

function mismatch(message: string): AppError {
  return new AppError("repository_mismatch", message);
}
