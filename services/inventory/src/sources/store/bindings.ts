import type { Repository, SourceRepository } from "@leeway/shared/contracts/common";
import { hostNameIn, kindNamed, type CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

/** A source and the repository that it belongs to; undefined until a plan names one. */
export interface BoundSource {
  id: string;
  name: string;
  repository: Repository | undefined;
}

interface BoundRow extends Row {
  id: string;
  name: string;
  repository: string | null;
  repository_host: string | null;
}

/** Returns sources by name, in the order of the names, with their repositories. Locks them if `held`. */
export async function sourcesNamed(
  sql: OrgStatements,
  names: readonly string[],
  { held = false } = {},
): Promise<BoundSource[]> {
  const rows = await sql<BoundRow>`
    select id, name, repository, repository_host
      from inventory.iac_sources
     where org_id = ${sql.orgId}
       and name = any (${[...names]}::text[])
     order by array_position(${[...names]}::text[], name)
       ${held ? sql.part`for update` : sql.part``}
  `;
  return rows.map(fromRow);
}

/**
 * Binds a source to the repository of its plan, unless it is bound to another already.
 * @returns whether the binding has changed
 */
export async function bindSource(
  tx: Transaction,
  sourceId: string,
  { path, host }: Repository,
): Promise<boolean> {
  const bound = await tx`
    update inventory.iac_sources
       set repository = ${path}, repository_host = ${host ?? null}
     where org_id = ${tx.orgId}
       and id = ${sourceId}
       and (repository is null or repository = ${path} and repository_host is null and ${host !== undefined})
  `;
  return bound.count > 0;
}

/** Binds a source to a repository, or to that of its next plan (null), whatever its binding was. */
export async function rebindSource(
  tx: Transaction,
  sourceId: string,
  repository: SourceRepository | null,
): Promise<void> {
  const { path, host, dir, ref } = repository ?? {};
  await tx`
    update inventory.iac_sources
       set repository = ${path ?? null}, repository_host = ${hostNameIn(host) ?? null},
           repository_kind = ${kindNamed(host) ?? null}, repository_dir = ${dir ?? null}, repository_ref = ${ref ?? null}
     where org_id = ${tx.orgId}
       and id = ${sourceId}
  `;
}

/** Returns the source of the resource in an account's present change; undefined if the change has none. */
export async function sourceOfChange(
  tx: Transaction,
  accountId: string,
  fingerprint: string,
): Promise<BoundSource | undefined> {
  const [row] = await tx<BoundRow>`
    select s.id, s.name, s.repository, s.repository_host
      from inventory.iac_resources r
      join inventory.iac_sources s on s.org_id = r.org_id and s.id = r.source_id
     where r.org_id = ${tx.orgId}
       and r.id = (
         select (content::jsonb ->> 'iac_resource_id')::uuid
           from inventory.drift_changes
          where org_id = ${tx.orgId}
            and cloud_account_id = ${accountId}
            and fingerprint = ${fingerprint}
            and gone_at = 'infinity'
       )
  `;
  return row && fromRow(row);
}

/** A source, with its code. */
export interface DeclaringSource {
  id: string;
  name: string;
  kind: string | undefined;
  repository: SourceRepository | undefined;
}

/** Returns the source that declares a resource; undefined if there is none by now. */
export async function sourceDeclaring(
  sql: OrgStatements,
  resourceId: string,
): Promise<DeclaringSource | undefined> {
  const [row] = await sql<Row & CodeRow & { id: string; name: string; kind: string | null }>`
    select s.id, s.name, s.kind, ${codeColumns(sql)}
      from inventory.iac_resources r
      join inventory.iac_sources s on s.org_id = r.org_id and s.id = r.source_id
     where r.org_id = ${sql.orgId}
       and r.id = ${resourceId}
  `;
  return row && { id: row.id, name: row.name, kind: row.kind ?? undefined, repository: codeIn(row) };
}

/** Source with the place of its code. */
export interface PlacedSource {
  id: string;
  name: string;
  repository: SourceRepository;
}

const MAX_PLACED = 100;

/** Returns Terraform sources that know their repository, by name: the one with the id, or those of repositories. */
export async function placedSources(
  sql: OrgStatements,
  { id, paths }: { id: string | undefined; paths: readonly string[] | undefined },
): Promise<PlacedSource[]> {
  const { part } = sql;
  const rows = await sql<Row & CodeRow & { id: string; name: string }>`
    select s.id, s.name, ${codeColumns(sql)}
      from inventory.iac_sources s
     where s.org_id = ${sql.orgId}
       and s.repository is not null
       and coalesce(s.kind, 'terraform') = 'terraform'
       ${id === undefined ? part`` : part`and s.id = ${id}`}
       ${paths === undefined ? part`` : part`and s.repository = any (${[...paths]}::text[])`}
     order by s.name
     limit ${MAX_PLACED}
  `;
  return rows.flatMap((row) => {
    const repository = codeIn(row);
    return repository ? [{ id: row.id, name: row.name, repository }] : [];
  });
}

function fromRow(row: BoundRow): BoundSource {
  return { id: row.id, name: row.name, repository: repositoryIn(row) };
}

export interface CodeRow extends Pick<BoundRow, "repository" | "repository_host"> {
  repository_kind: CodeHostKind | null;
  repository_dir: string | null;
  repository_ref: string | null;
}

/** Selects the columns of a {@link CodeRow} of the source `s`. */
export const codeColumns = (sql: Statements) =>
  sql.part`s.repository, s.repository_host, s.repository_kind, s.repository_dir, s.repository_ref`;

/** Returns a source's repository with the place of its code. */
export function codeIn(row: CodeRow): SourceRepository | undefined {
  const repository = repositoryIn(row);
  if (!repository) return undefined;
  const { repository_kind: kind, repository_dir: dir, repository_ref: ref } = row;
  return { path: repository.path, ...present({ host: repository.host ?? kind, dir, ref }) };
}

/** Returns the repository in a row of a source. */
function repositoryIn({
  repository: path,
  repository_host: host,
}: Pick<BoundRow, "repository" | "repository_host">): Repository | undefined {
  return path === null ? undefined : { path, ...present({ host }) };
}
