import type { Fleet, Receiver } from "./fleet.ts";
import { until } from "./until.ts";

/** What the database says of an organization's events. */
export interface Ledger {
  deliveries: number;
  /** Different bodies among them. */
  bodies: number;
  processed: number;
  /** Events that the analyzer hasn't taken yet. */
  untaken: number;
  /** Jobs that the analyzer has made of them. */
  jobs: number;
  /** Processed deliveries whose own job isn't done. */
  undone: number;
  /** Deliveries that came to an end more than once, or whose event was written or worked off more than once. */
  twice: number;
}

/** Reads what became of an organization's events. */
export async function ledgerOf({ admin }: Fleet, { orgId }: Receiver): Promise<Ledger> {
  const [ledger] = await admin<Ledger[]>`
    with own as (select * from webhooks.deliveries where org_id = ${orgId})
    select count(*)::int as deliveries,
           count(distinct body_sha256)::int as bodies,
           count(*) filter (where outcome = 'processed')::int as processed,
           (select count(*)::int from webhooks.events where org_id = ${orgId}) as untaken,
           (select count(*)::int from analyzer.jobs where org_id = ${orgId}) as jobs,
           (
             select count(*)::int
               from own
              where outcome = 'processed'
                and not exists (select from analyzer.jobs j where j.id = own.job_id and j.status = 'done')
           ) as undone,
           (
             select count(*)::int
               from (
                 select from noted.endings e join own on own.id = e.delivery_id
                  group by e.delivery_id, e.what having count(*) > 1
               ) again
           ) as twice
      from own
  `;
  if (!ledger) throw new Error("an aggregate without a row");
  return ledger;
}

/** Of those bodies that were answered 202, by the id that was named, how many aren't there under it. */
export async function lostOf({ admin }: Fleet, ids: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await admin<{ id: string; sha256: string }[]>`
    select id, encode(body_sha256, 'hex') as sha256 from webhooks.deliveries where outcome = 'processed'
  `;
  const stored = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  return [...ids].filter(([body, id]) => stored.get(id) !== sha256Of(body)).map(([, id]) => id);
}

/** The deliveries that wait to be worked off. */
export async function waiting({ admin }: Fleet): Promise<string[]> {
  const rows = await admin<{ id: string }[]>`select id from webhooks.deliveries where outcome = 'pending'`;
  return rows.map(({ id }) => id);
}

/** Waits until no delivery waits any more, and gives the milliseconds that it took. */
export function drained(fleet: Fleet, limitMs: number): Promise<number> {
  return until(async () => (await waiting(fleet)).length === 0, limitMs);
}

/**
 * Waits until no delivery waits, no event is left to be taken and no job to be worked off.
 * @throws {Error} with what is left, when it takes longer
 */
export async function settled(fleet: Fleet, limitMs: number): Promise<number> {
  let left: readonly object[] = [];
  const isNothingLeft = async (): Promise<boolean> => {
    left = await fleet.admin`
      select kind as what, status, created_at as since, offered_at
        from analyzer.jobs where status in ('queued', 'running')
      union all
      select 'delivery', outcome, received_at, null from webhooks.deliveries where outcome = 'pending'
      union all
      select 'event', null, null, null from webhooks.events
       limit 20
    `;
    return left.length === 0;
  };
  return until(isNothingLeft, limitMs).catch((cause: unknown) => {
    throw new Error(`this is left: ${JSON.stringify(left)}`, { cause });
  });
}

function sha256Of(body: string): string {
  return new Bun.CryptoHasher("sha256").update(body).digest("hex");
}
