import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { FixInput } from "@leeway/shared/contracts/analyzer/noise";
import { FindCodeSources } from "@leeway/shared/contracts/inventory/sources";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { getNoise } from "../noise/store.ts";
import type { CodeSource } from "../settlements/source.ts";

const MAX_PATHS = 100;

/**
 * Returns the source whose code a fix changes: of the wanted repository, or of one in whose plans the noise is.
 * @throws {AppError} `invalid_parameter` if there is none or more than one
 */
export async function sourceToFix(
  { bus, database }: { bus: BusConnection; database: Database },
  orgId: string,
  {
    fingerprint,
    repository,
    source_id,
  }: Pick<FixInput, "repository" | "source_id"> & { fingerprint: string },
): Promise<CodeSource> {
  const { projects = [] } = (await getNoise(database.org(orgId), fingerprint)) ?? {};
  const paths = repository === undefined ? repositoriesIn(projects) : [repository];
  const { sources } = await call(bus, FindCodeSources, {
    org_id: orgId,
    ...(source_id === undefined || repository !== undefined ? { paths } : {}),
    ...(source_id !== undefined && { source_id }),
  });
  // A plan names its source as its project.
  const named = sources.filter(({ name, repository: { path } }) => projects.includes(`${path}:${name}`));
  return onlyOf(named.length > 0 ? named : sources, paths);
}

/** @throws {AppError} `invalid_parameter` if there is none or more than one */
function onlyOf(sources: readonly CodeSource[], paths: readonly string[]): CodeSource {
  const [source, other] = sources;
  const where = paths.length === 0 ? "a repository" : `the repository ${paths.join(" or ")}`;
  if (!source)
    throw invalidParameter(
      "open_change_request",
      `needs an IaC source with ${where}; set it with PATCH /orgs/:id/iac-sources/:source_id`,
    );
  if (!other) return source;
  const names = sources.map(({ name, id }) => `${name} (${id})`).join(", ");
  throw invalidParameter("source_id", `is required, because several sources have the repository: ${names}`);
}

/** Returns the repositories of projects, which are named `<repository>:<project>`. */
function repositoriesIn(projects: readonly string[]): string[] {
  const paths = projects.map((project) => project.replace(/:.*$/s, "")).filter((path) => path !== "");
  return [...new Set(paths)].slice(0, MAX_PATHS);
}

/** @throws {AppError} `not_found` if the source is gone, or has no repository any more */
export async function findSource(bus: BusConnection, orgId: string, id: string): Promise<CodeSource> {
  const { sources } = await call(bus, FindCodeSources, { org_id: orgId, source_id: id });
  const [source] = sources;
  if (!source) throw new AppError("not_found", "the source is gone, or has no repository any more");
  return source;
}
