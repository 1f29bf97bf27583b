import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";

const MAX_ADDRESSES = 100;

/**
 * Records the noise of one plan; only a new plan is counted. Noise that is seen again after an apply counts as a
 * repeat.
 */
export async function recordNoise(
  tx: Transaction,
  { project, isNew }: { project: string; isNew: boolean },
  groups: readonly NoiseGroup[],
): Promise<void> {
  if (groups.length === 0) return;
  // Sorted by key, so that plans with the same noise can't deadlock.
  const ordered = groups.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  await recordKinds(tx, ordered, isNew);
  if (isNew) await countRepeats(tx, project, ordered);
  await tx`
    insert into analyzer.noise_projects (org_id, fingerprint, project, addresses, keys)
    select ${tx.orgId}::uuid, fingerprint, ${project}, array(select jsonb_array_elements_text(addresses::jsonb)),
           array(select jsonb_array_elements_text(keys::jsonb))
      from unnest(
             ${ordered.map(({ fingerprint }) => fingerprint)}::text[],
             ${ordered.map(({ addresses }) => JSON.stringify(addresses.slice(0, MAX_ADDRESSES)))}::text[],
             ${ordered.map(({ keys = [] }) => JSON.stringify(keys))}::text[]
           ) as seen (fingerprint, addresses, keys)
    on conflict (org_id, fingerprint, project) ${
      isNew
        ? tx.part`
          do update set last_seen_at = excluded.last_seen_at, gone_at = null, addresses = excluded.addresses,
                        keys = excluded.keys`
        : tx.part`do nothing`
    }
  `;
}

/** Counts noise that the project had before its latest apply. The rows of the kinds are locked, so no other plan counts it. */
async function countRepeats(tx: Transaction, project: string, groups: readonly NoiseGroup[]): Promise<void> {
  await tx`
    update analyzer.noise_projects p
       set repeats = p.repeats + 1
      from analyzer.applied_projects a
     where p.org_id = ${tx.orgId}
       and p.project = ${project}
       and p.fingerprint = any (${groups.map(({ fingerprint }) => fingerprint)}::text[])
       and a.org_id = ${tx.orgId}
       and a.project = p.project
       and a.applied_at > p.last_seen_at
  `;
}

async function recordKinds(tx: Transaction, groups: readonly NoiseGroup[], isNew: boolean): Promise<void> {
  const column = (of: (group: NoiseGroup) => string) => groups.map(of);
  await tx`
    insert into analyzer.noise as n (
      org_id, fingerprint, class, title, resource_type, provider_name, path_pattern, confidence, sample, occurrences
    )
    select ${tx.orgId}::uuid, fingerprint, class, title, resource_type, provider_name, path_pattern, confidence, sample, 1
      from unnest(
             ${column(({ fingerprint }) => fingerprint)}::text[],
             ${column((group) => group.class)}::text[],
             ${column(({ title }) => title)}::text[],
             ${column(({ resource_type }) => resource_type)}::text[],
             ${column(({ provider_name }) => provider_name)}::text[],
             ${column(({ path_pattern }) => path_pattern)}::text[],
             ${groups.map(({ confidence }) => confidence)}::double precision[],
             ${column(({ sample }) => JSON.stringify(sample))}::text[]
           ) as seen (fingerprint, class, title, resource_type, provider_name, path_pattern, confidence, sample)
    on conflict (org_id, fingerprint) do update
       set occurrences = n.occurrences + ${isNew ? tx.part`1` : tx.part`0`},
           last_seen_at = excluded.last_seen_at,
           title = excluded.title,
           confidence = excluded.confidence,
           sample = excluded.sample
  `;
}

/**
 * Records that plans of some projects lack all earlier noise except `seen`. A merge request's plan (`isProposed`)
 * only proves this for noise from before the last apply, because otherwise its own changes may hide it.
 */
export async function noteGone(
  sql: OrgStatements,
  projects: readonly string[],
  { seen, isProposed }: { seen: readonly string[]; isProposed: boolean },
): Promise<void> {
  await sql`
    update analyzer.noise_projects g
       set gone_at = now()
      from (
             select p.fingerprint, p.project
               from analyzer.noise_projects p
              where p.org_id = ${sql.orgId}
                and p.project = any (${[...projects]}::text[])
                and p.gone_at is null
                and p.fingerprint <> all (${[...seen]}::text[])
                and (not ${isProposed} or exists (
                  select from analyzer.applied_projects a
                   where a.org_id = ${sql.orgId}
                     and a.project = p.project
                     and a.applied_at > p.last_seen_at
                ))
                -- A row that another plan has locked was just seen by that plan.
                for update skip locked
           ) gone
     where g.org_id = ${sql.orgId}
       and g.fingerprint = gone.fingerprint
       and g.project = gone.project
  `;
}

/** Records that a project's plan was applied. */
export async function recordApply(sql: OrgStatements, project: string): Promise<void> {
  await sql`
    insert into analyzer.applied_projects (org_id, project)
    values (${sql.orgId}, ${project})
    on conflict (org_id, project) do update set applied_at = excluded.applied_at
  `;
}
