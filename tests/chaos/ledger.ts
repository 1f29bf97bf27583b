import type { Fleet, Receiver } from "./fleet.ts";
import { until } from "./until.ts";

/** Counts of an organization's events, read from the database. */
export interface Ledger {
  deliveries: number;
  /** Number of different bodies. */
  bodies: number;
  processed: number;
  /** Jobs that the analyzer created for them. */
  jobs: number;
  /** Processed deliveries whose own job isn't done. */
  undone: number;
  /** Deliveries with more than one outcome, or whose job was processed more than once. */
  twice: number;
}

/** Reads the counts of an organization's events. */
export async function ledgerOf({ admin }: Fleet, { orgId }: Receiver): Promise<Ledger> {
  const [ledger] = await admin<Ledger[]>`
    with own as (select * from webhooks.deliveries where org_id = ${orgId})
    select count(*)::int as deliveries,
           count(distinct body_sha256)::int as bodies,
           count(*) filter (where outcome = 'processed')::int as processed,
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

/** Returns the ids from answers 202 under which the body isn't stored as processed. */
export async function lostOf({ admin }: Fleet, ids: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await admin<{ id: string; sha256: string }[]>`
    select id, encode(body_sha256, 'hex') as sha256 from webhooks.deliveries where outcome = 'processed'
  `;
  const stored = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  return [...ids].filter(([body, id]) => stored.get(id) !== sha256Of(body)).map(([, id]) => id);
}

/** Returns the ids of pending deliveries. */
export async function waiting({ admin }: Fleet): Promise<string[]> {
  const rows = await admin<{ id: string }[]>`select id from webhooks.deliveries where outcome = 'pending'`;
  return rows.map(({ id }) => id);
}

/** Waits until no delivery is pending. Returns the milliseconds it took. */
export function drained(fleet: Fleet, limitMs: number): Promise<number> {
  return until(async () => (await waiting(fleet)).length === 0, limitMs);
}

/**
 * Waits until no delivery is pending and no job is unfinished.
 * @throws {Error} with the remaining work, when it takes too long
 */
export async function settled(fleet: Fleet, limitMs: number): Promise<number> {
  let left: readonly object[] = [];
  const isNothingLeft = async (): Promise<boolean> => {
    left = await fleet.admin`
      select kind as what, status, created_at as since, offered_at
        from analyzer.jobs where status in ('queued', 'running')
      union all
      select 'delivery', outcome, received_at, null from webhooks.deliveries where outcome = 'pending'
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
