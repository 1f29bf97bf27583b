import type { OrgStatements, Transaction } from "@leeway/shared/database/database";

/** Returns the job that is writing the narrative of a snapshot, if there is one. */
export async function narratingJob(sql: OrgStatements, snapshotId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>`
    select id
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and kind = 'drift_narrative'
       and status in ('queued', 'running')
       and subject->>'snapshot_id' = ${snapshotId}
     order by id
     limit 1
  `;
  return row?.id;
}

/** Locks the narration of a snapshot until the transaction ends. */
export async function lockNarration(tx: Transaction, snapshotId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('analyzer.narratives ' || ${snapshotId}, 0))`;
}
