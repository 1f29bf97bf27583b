import { currentContext, withContext } from "../platform/context.ts";
import { repeat, type Repeated } from "../platform/repeat.ts";
import type { Platform } from "./service.ts";

/** A table whose rows wait to be sent. The table is the record, so whatever carries the rows may lose them. */
export interface OutboxTable<R> {
  /** Name of the loop; unique in the process. */
  name: string;
  everyMs: number;
  /** Claims waiting rows of all organizations (`skip locked`), so that no process claims them again for a while. */
  claim(): Promise<readonly (R & { org_id: string })[]>;
  /** Number of rows after which a claim ends, although more may wait. */
  limit?: number;
  /** Splits an organization's rows into those that are sent together; by default each is sent alone. */
  batches?(rows: readonly R[]): Iterable<R[]>;
  /** Sends rows of an organization. Sending them twice must do no harm. */
  send(orgId: string, rows: readonly R[]): Promise<void>;
  /** Releases claimed rows that weren't sent, so that the next sweep claims them. */
  withdraw?(orgId: string, rows: readonly R[]): Promise<void>;
  /** Sends rows again that a killed process may have taken. Runs once, before the loop's first sweep. */
  resume?(): Promise<void>;
}

/** Sends the rows of a table. */
export interface Outbox<R> {
  /** Sends rows that were just stored; never fails. The sweep sends the rows that aren't accepted. */
  offer(orgId: string, rows: readonly R[]): void;
  /**
   * Sends all waiting rows, those of an organization in order. One organization's failure doesn't affect others.
   * @throws the first failure, after all organizations
   */
  sweep(): Promise<void>;
  /** Starts the loop that sweeps. */
  start(): Repeated;
}

/** Limit of offers in flight; the sweep sends the others. */
const MAX_OFFERS = 500;

/** Creates the outbox of a table. Nothing is sent while the bus is down. */
export function createOutbox<R>(
  { bus, log }: Pick<Platform, "bus" | "log">,
  table: OutboxTable<R>,
): Outbox<R> {
  const { name, everyMs, limit = Infinity, claim } = table;
  let offers = 0;
  let hasResumed = false;

  async function sweep(): Promise<void> {
    let found = limit;
    while (found >= limit && bus.connected) {
      const claimed = await claim();
      found = claimed.length;
      const byOrg = Map.groupBy(claimed, ({ org_id }) => org_id);
      const ends = await Promise.allSettled([...byOrg].map(([orgId, own]) => sendInOrder(table, orgId, own)));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    }
  }

  async function work(): Promise<void> {
    if (!hasResumed) await table.resume?.();
    hasResumed = true;
    await sweep();
  }

  return {
    offer(orgId, rows) {
      for (const batch of batchesOf(table, rows)) {
        if (offers >= MAX_OFFERS || !bus.connected) return;
        offers += 1;
        send(table, orgId, batch)
          .catch((error: unknown) =>
            log.warn({ error, outbox: name }, "couldn't publish; the sweep tries again"),
          )
          .finally(() => {
            offers -= 1;
          });
      }
    },
    sweep,
    start: () => repeat({ name, everyMs, log, work }),
  };
}

/** Sends rows one batch after the other. After a failure, this and the later batches can be claimed again. */
async function sendInOrder<R>(table: OutboxTable<R>, orgId: string, rows: readonly R[]): Promise<void> {
  let sent = 0;
  try {
    for (const batch of batchesOf(table, rows)) {
      await send(table, orgId, batch, currentContext()?.signal);
      sent += batch.length;
    }
  } catch (error) {
    await table.withdraw?.(orgId, rows.slice(sent));
    throw error;
  }
}

function batchesOf<R>({ batches }: OutboxTable<R>, rows: readonly R[]): Iterable<R[]> {
  return batches ? batches(rows) : rows.map((row) => [row]);
}

/** Sends rows with a request id of their own. */
function send<R>(
  table: OutboxTable<R>,
  orgId: string,
  rows: readonly R[],
  signal?: AbortSignal,
): Promise<void> {
  const context = { requestId: crypto.randomUUID(), ...(signal && { signal }) };
  return withContext(context, () => table.send(orgId, rows));
}
