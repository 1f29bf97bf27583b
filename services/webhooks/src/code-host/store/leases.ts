import type { OrgStatements } from "@leeway/shared/database/database";

/** Turn of a holder at a place, with its duration from now. */
interface Turn {
  place: Buffer;
  holder: string;
  seconds: number;
}

/** Takes the turn at a place; returns false while another holder has it. */
export async function takeLease(sql: OrgStatements, { place, holder, seconds }: Turn): Promise<boolean> {
  const taken = await sql`
    insert into webhooks.turns as t (org_id, place, holder, ends_at)
    values (${sql.orgId}, ${place}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (org_id, place) do update
       set holder = excluded.holder,
           ends_at = excluded.ends_at
     where excluded.ends_at - t.ends_at > make_interval(secs => ${seconds})
  `;
  return taken.count > 0;
}

/** Extends a turn; returns false if another holder has it by now. */
export async function renewLease(sql: OrgStatements, { place, holder, seconds }: Turn): Promise<boolean> {
  const kept = await sql`
    update webhooks.turns
       set ends_at = now() + make_interval(secs => ${seconds})
     where org_id = ${sql.orgId}
       and place = ${place}
       and holder = ${holder}
  `;
  return kept.count > 0;
}

export async function releaseLease(
  sql: OrgStatements,
  { place, holder }: Omit<Turn, "seconds">,
): Promise<void> {
  await sql`
    delete from webhooks.turns
     where org_id = ${sql.orgId}
       and place = ${place}
       and holder = ${holder}
  `;
}
