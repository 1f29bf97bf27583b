import type { Promised } from "@leeway/analysis/settle/promise";
import type { RequestedWay } from "@leeway/shared/contracts/analyzer/settlements";
import type { Actor, SourceRepository } from "@leeway/shared/contracts/common";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

/** A decision that code should follow. */
export interface StoredSettlement {
  fingerprint: string;
  how: RequestedWay;
  decidedBy: Actor;
  decidedAt: Date;
}

/** Stores a decision. The latest about a change counts. */
export async function putSettlement(
  tx: Transaction,
  sourceId: string,
  { fingerprint, how, decidedBy }: Omit<StoredSettlement, "decidedAt">,
): Promise<void> {
  await tx`
    insert into analyzer.settlements (org_id, fingerprint, source_id, how, decided_by)
    values (${tx.orgId}, ${fingerprint}, ${sourceId}, ${how}, ${tx.part.json(decidedBy)})
    on conflict (org_id, fingerprint) do update
       set source_id = excluded.source_id,
           how = excluded.how,
           decided_by = excluded.decided_by,
           decided_at = excluded.decided_at
  `;
}

interface SettlementRow extends Row {
  fingerprint: string;
  how: RequestedWay;
  decided_by: Actor;
  decided_at: Date;
}

/** Returns the decisions about a source's changes, oldest first. */
export async function settlementsOf(
  sql: OrgStatements,
  sourceId: string,
  atMost: number,
): Promise<StoredSettlement[]> {
  const rows = await sql<SettlementRow>`
    select fingerprint, how, decided_by, decided_at
      from analyzer.settlements
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
     order by decided_at, fingerprint
     limit ${atMost}
  `;
  return rows.map((row) => ({
    fingerprint: row.fingerprint,
    how: row.how,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
  }));
}

/** Deletes decisions about changes that are gone. */
export async function dropSettlements(sql: OrgStatements, fingerprints: readonly string[]): Promise<void> {
  await sql`
    delete from analyzer.settlements
     where org_id = ${sql.orgId}
       and fingerprint = any (${[...fingerprints]}::text[])
  `;
}

/** Returns the branch of a source in a repository; undefined if it has none there. */
export async function branchOf(
  sql: OrgStatements,
  sourceId: string,
  { path }: SourceRepository,
): Promise<string | undefined> {
  const [row] = await sql<{ branch: string }>`
    select branch
      from analyzer.settlement_branches
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
       and repository ->> 'path' = ${path}
  `;
  return row?.branch;
}

/** A branch whose request is due to be compared with the decisions. */
export interface DueBranch extends Row {
  org_id: string;
  source_id: string;
  repository: SourceRepository;
}

/** Leases branches that weren't looked at for `pauseSeconds`, of all organizations. */
export async function dueBranches(
  sql: Statements,
  { pauseSeconds, atMost }: { pauseSeconds: number; atMost: number },
): Promise<DueBranch[]> {
  return sql<DueBranch>`
    select org_id, source_id, repository
      from analyzer.due_settlement_branches(make_interval(secs => ${pauseSeconds}), ${atMost})
  `;
}

/** Deletes the decision about a change. @returns the id of its source; undefined if there was none */
export async function takeSettlement(tx: Transaction, fingerprint: string): Promise<string | undefined> {
  const [row] = await tx<{ source_id: string }>`
    delete from analyzer.settlements
     where org_id = ${tx.orgId}
       and fingerprint = ${fingerprint}
    returning source_id
  `;
  return row?.source_id;
}

/** Gives a source a branch; false if another source has it. */
export async function claimBranch(
  sql: OrgStatements,
  sourceId: string,
  { branch, repository }: { branch: string; repository: SourceRepository },
): Promise<boolean> {
  const claimed = await sql`
    insert into analyzer.settlement_branches as b (org_id, source_id, branch, repository)
    select ${sql.orgId}, ${sourceId}, ${branch}, ${sql.part.json(repository)}
     where not exists (
       select
         from analyzer.settlement_branches
        where org_id = ${sql.orgId}
          and branch = ${branch}
          and source_id <> ${sourceId}
     )
    on conflict (org_id, source_id) do update
       set branch = excluded.branch,
           repository = excluded.repository,
           opened_at = excluded.opened_at
     where b.repository ->> 'path' is distinct from excluded.repository ->> 'path'
    returning source_id
  `;
  return claimed.length > 0;
}

/** Notes the request of a source, and what it promises. */
export async function noteRequest(
  sql: OrgStatements,
  sourceId: string,
  { promised, number, url }: { promised: readonly Promised[]; number: number; url: string },
): Promise<void> {
  await sql`
    update analyzer.settlement_branches
       set promised = ${sql.part.json(promised.map((one) => ({ ...one })))},
           number = ${number},
           url = ${url},
           problem = null
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
  `;
}

/** Notes why the code host refused the request of a source. */
export async function noteProblem(sql: OrgStatements, sourceId: string, problem: string): Promise<void> {
  await sql`
    update analyzer.settlement_branches
       set problem = ${problem}
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
  `;
}

/** Returns what a branch of a repository promises; empty for other branches. */
export async function promisedBy(
  sql: OrgStatements,
  { ref, repository }: { ref: string | undefined; repository: string | undefined },
): Promise<Promised[]> {
  if (!ref?.startsWith("leeway/settle-") || repository === undefined) return [];
  const [row] = await sql<{ promised: Promised[] }>`
    select promised
      from analyzer.settlement_branches
     where org_id = ${sql.orgId}
       and branch = ${ref}
       and repository ->> 'path' = ${repository}
  `;
  return row?.promised ?? [];
}

/** Returns the repository that a source's branch is in; undefined if it has none. */
export async function repositoryOfBranch(
  sql: OrgStatements,
  sourceId: string,
): Promise<SourceRepository | undefined> {
  const [row] = await sql<{ repository: SourceRepository }>`
    select repository
      from analyzer.settlement_branches
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
  `;
  return row?.repository;
}

export async function dropBranch(sql: OrgStatements, sourceId: string): Promise<void> {
  await sql`
    delete from analyzer.settlement_branches where org_id = ${sql.orgId} and source_id = ${sourceId}
  `;
}
