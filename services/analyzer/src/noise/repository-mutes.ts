import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";

/** Checks whether plans of a repository have had this noise. */
export async function isNoiseOf(
  sql: OrgStatements,
  fingerprint: string,
  repository: string,
): Promise<boolean> {
  const [row] = await sql`
    select 1
      from analyzer.noise_projects
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
       and (project = ${repository} or starts_with(project, ${`${repository}:`}))
     limit 1
  `;
  return row !== undefined;
}

/** Hides noise in plans of one repository, indefinitely if no end is given. */
export async function muteInRepository(
  tx: Transaction,
  { fingerprint, repository }: { fingerprint: string; repository: string },
  { until, reason, by }: { until: Date | undefined; reason: string | undefined; by: Actor },
): Promise<void> {
  await tx`
    insert into analyzer.noise_mutes (org_id, fingerprint, repository, muted_until, reason, decided_by)
    values (${tx.orgId}, ${fingerprint}, ${repository}, ${until ?? null}, ${reason ?? null}, ${tx.part.json(by)})
    on conflict (org_id, fingerprint, repository) do update
       set muted_until = excluded.muted_until,
           reason = excluded.reason,
           decided_by = excluded.decided_by,
           decided_at = excluded.decided_at
  `;
}

/**
 * Shows noise in plans again: of one repository, or of all that have muted it.
 * @returns whether any had
 */
export async function unmuteInRepositories(
  sql: OrgStatements,
  fingerprint: string,
  repository?: string,
): Promise<boolean> {
  const shown = await sql`
    delete from analyzer.noise_mutes
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
       and (${repository ?? null}::text is null or repository = ${repository ?? null})
  `;
  return shown.count > 0;
}
