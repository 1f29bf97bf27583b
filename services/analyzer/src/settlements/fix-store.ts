import type { FixInput } from "@leeway/shared/contracts/analyzer/noise";
import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";

/** A fix of plan noise that a source's merge or pull request should contain. */
export interface RequestedFix {
  fingerprint: string;
  strategy: NonNullable<FixInput["strategy"]>;
  decidedBy: Actor;
  decidedAt: Date;
}

/** Stores a request. The latest about a kind of noise counts. */
export async function putFix(
  tx: Transaction,
  sourceId: string,
  { fingerprint, strategy, decidedBy }: Omit<RequestedFix, "decidedAt">,
): Promise<void> {
  await tx`
    insert into analyzer.requested_fixes (org_id, source_id, fingerprint, strategy, decided_by)
    values (${tx.orgId}, ${sourceId}, ${fingerprint}, ${strategy}, ${tx.part.json(decidedBy)})
    on conflict (org_id, source_id, fingerprint) do update
       set strategy = excluded.strategy,
           decided_by = excluded.decided_by,
           decided_at = excluded.decided_at
  `;
}

interface FixRow extends Row {
  fingerprint: string;
  strategy: RequestedFix["strategy"];
  decided_by: Actor;
  decided_at: Date;
}

/** Returns the requested fixes of a source, oldest first. */
export async function fixesOf(sql: OrgStatements, sourceId: string, atMost: number): Promise<RequestedFix[]> {
  const rows = await sql<FixRow>`
    select fingerprint, strategy, decided_by, decided_at
      from analyzer.requested_fixes
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
     order by decided_at, fingerprint
     limit ${atMost}
  `;
  return rows.map(({ fingerprint, strategy, decided_by, decided_at }) => ({
    fingerprint,
    strategy,
    decidedBy: decided_by,
    decidedAt: decided_at,
  }));
}

export async function dropFix(sql: OrgStatements, sourceId: string, fingerprint: string): Promise<void> {
  await sql`
    delete from analyzer.requested_fixes
     where org_id = ${sql.orgId}
       and source_id = ${sourceId}
       and fingerprint = ${fingerprint}
  `;
}
