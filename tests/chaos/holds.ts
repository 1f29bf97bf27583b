import type { Sql } from "postgres";

import type { Fleet } from "./fleet.ts";
import { WAIT_MS } from "./promised.ts";
import { until } from "./until.ts";

/** Point of the analyzer's work at which a statement can be held, for one organization. */
export type Place =
  | "storing"
  | "stored"
  | "delivered"
  | "beginning"
  | "keeping"
  | "reviewing"
  | "ending"
  | "ended";

/** Adds an open gate before each place. `stored` and `ended` hold a transaction during its commit. */
export async function prepareHolds(admin: Sql): Promise<void> {
  await admin.unsafe(`
    create function noted.hold() returns trigger language plpgsql security definer as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended(tg_argv[0] || new.org_id, 0));
      return new;
    end $$;
    create trigger hold_storing after insert on analyzer.jobs
      for each row execute function noted.hold('storing');
    create constraint trigger hold_stored after insert on analyzer.jobs deferrable initially deferred
      for each row execute function noted.hold('stored');
    create trigger hold_delivered before update on webhooks.deliveries
      for each row when (old.outcome = 'pending' and new.outcome = 'processed')
      execute function noted.hold('delivered');
    create trigger hold_beginning after update on analyzer.jobs
      for each row when (old.status = 'queued' and new.status = 'running') execute function noted.hold('beginning');
    create trigger hold_keeping before update on analyzer.jobs
      for each row when (old.result is null and new.result is not null) execute function noted.hold('keeping');
    create trigger hold_reviewing before insert on analyzer.hosted_reviews
      for each row execute function noted.hold('reviewing');
    create trigger hold_ending before update on analyzer.jobs
      for each row when (old.status = 'running' and new.status = 'done') execute function noted.hold('ending');
    create constraint trigger hold_ended after update on analyzer.jobs deferrable initially deferred
      for each row when (old.status = 'running' and new.status = 'done') execute function noted.hold('ended');
  `);
}

/** A hold on the analyzer's work for one organization. */
export interface Hold {
  /** Resolves when the work has reached the place. */
  reached(): Promise<unknown>;
  /** Lets the work continue. With `cut`, its database connection is closed instead and the statement is lost. */
  release(how: { cut: boolean }): Promise<void>;
}

/** Holds the analyzer's work for an organization at a place: one hold at a time, shorter than the statement timeout. */
export async function holdAt({ admin }: Fleet, place: Place, orgId: string): Promise<Hold> {
  const key = `${place}${orgId}`;
  await admin`select pg_advisory_lock(hashtextextended(${key}, 0))`;
  const held = () => admin<{ pid: number }[]>`
    select pid from pg_stat_activity where usename in ('leeway_analyzer', 'leeway_webhooks') and wait_event = 'advisory'
  `;
  return {
    reached: () => until(async () => (await held()).length > 0, WAIT_MS),
    async release({ cut }) {
      if (cut) for (const { pid } of await held()) await admin`select pg_terminate_backend(${pid}, 1000)`;
      await admin`select pg_advisory_unlock(hashtextextended(${key}, 0))`;
    },
  };
}
