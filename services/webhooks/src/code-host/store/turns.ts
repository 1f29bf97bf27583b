import type { OrgStatements } from "@leeway/shared/database/database";

/** Whose turn it is at a place, and for how long from now. */
interface Turn {
  place: Buffer;
  holder: string;
  seconds: number;
}

/** Takes the turn at a place; false while somebody else has it. */
export async function takeTurn(sql: OrgStatements, { place, holder, seconds }: Turn): Promise<boolean> {
  const taken = await sql`
    insert into webhooks.turns as t (org_id, place, holder, ends_at)
    values (${sql.orgId}, ${place}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (org_id, place) do update
       set holder = excluded.holder,
           ends_at = excluded.ends_at
     where t.ends_at < now()
  `;
  return taken.count > 0;
}

/** Keeps a turn for longer; false when it is somebody else's by now. */
export async function keepTurn(sql: OrgStatements, { place, holder, seconds }: Turn): Promise<boolean> {
  const kept = await sql`
    update webhooks.turns
       set ends_at = now() + make_interval(secs => ${seconds})
     where org_id = ${sql.orgId}
       and place = ${place}
       and holder = ${holder}
  `;
  return kept.count > 0;
}

export async function giveTurn(sql: OrgStatements, { place, holder }: Omit<Turn, "seconds">): Promise<void> {
  await sql`
    delete from webhooks.turns
     where org_id = ${sql.orgId}
       and place = ${place}
       and holder = ${holder}
  `;
}
