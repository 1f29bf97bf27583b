import { RETENTION } from "@leeway/shared/contracts/retention";
import type { OrgStatements, Statements, Transaction } from "@leeway/shared/database/database";

/**
 * Takes up to `count` mails from the organization's budget for today.
 * @returns the number that it got
 */
export async function takeMails(sql: OrgStatements, count: number, maxPerDay: number): Promise<number> {
  await sql`
    insert into webhooks.mail_days (org_id, day, mails)
    values (${sql.orgId}, (now() at time zone 'utc')::date, 0)
    on conflict do nothing
  `;
  const [row] = await sql<{ got: number }>`
    with today as (
      select day, greatest(0, least(${count}::integer, ${maxPerDay}::integer - mails)) as got
        from webhooks.mail_days
       where org_id = ${sql.orgId}
         and day = (now() at time zone 'utc')::date
         for update
    )
    update webhooks.mail_days d
       set mails = d.mails + today.got
      from today
     where d.org_id = ${sql.orgId}
       and d.day = today.day
    returning today.got
  `;
  return row?.got ?? 0;
}

/** Returns mails to the budget that were taken and not sent. */
export async function refundMails(sql: OrgStatements, count: number): Promise<void> {
  await sql`
    update webhooks.mail_days
       set mails = greatest(0, mails - ${count}::integer)
     where org_id = ${sql.orgId}
       and day = (now() at time zone 'utc')::date
  `;
}

/** Limit of confirmation mails for a subject: at most `most` within `hours`. */
export interface ConfirmationLimit {
  subject: Buffer;
  hours: number;
  most: number;
}

/**
 * Counts a confirmation mail for every subject in `limits`, unless one of the limits is reached.
 * @returns whether it was counted
 */
export async function countConfirmation(
  tx: Transaction,
  limits: readonly ConfirmationLimit[],
): Promise<boolean> {
  const subjects = [...new Set(limits.map(({ subject }) => subject.toString("hex")))].toSorted();
  for (const subject of subjects) {
    await tx`select pg_advisory_xact_lock(hashtextextended('webhooks.confirmations ' || ${subject}, 0))`;
  }
  const counted = await tx`
    insert into webhooks.confirmations_sent (subject)
    select decode(subject, 'hex') from unnest(${subjects}::text[]) as s (subject)
     where not exists (
       select from unnest(
                ${limits.map(({ subject }) => subject.toString("hex"))}::text[],
                ${tx.part.array(limits.map(({ hours }) => hours))}::integer[],
                ${tx.part.array(limits.map(({ most }) => most))}::integer[]
              ) as l (subject, hours, most)
        where (select count(*) from webhooks.confirmations_sent c
                where c.subject = decode(l.subject, 'hex')
                  and c.sent_at > now() - make_interval(hours => l.hours)) >= l.most
     )
  `;
  return counted.count > 0;
}

/** Deletes counts of all organizations that no limit uses any more. */
export async function forgetMailCounts(sql: Statements): Promise<void> {
  await sql`select webhooks.forget_mail_counts(${RETENTION.confirmations.days})`;
}
