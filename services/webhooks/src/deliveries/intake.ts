import { withContext } from "@leeway/shared/platform/context";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";

import type { DeliveryOutbox } from "./outbox.ts";
import { firstDelivery, storeIncoming, type Incoming } from "./store/incoming.ts";

/** Outcome of a call: its own delivery, or the one that brought the same body before. */
interface Stored {
  deliveryId: string;
  isNew: boolean;
}

/** Stores calls on arrival and offers them. Concurrent calls share one commit. */
export interface Intake {
  /** Stores a call; resolves when it is on disk. @throws {AppError} `unavailable` */
  store(orgId: string, call: Incoming): Promise<Stored>;
}

interface Waiting {
  call: Incoming;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

const MAX_CALLS = 64;
const MAX_BYTES = 8 << 20;
/** Wait for more calls after a batch of several: a fuller batch costs less per call. */
const GATHER_MS = 2;

export function createIntake(database: Database, outbox: DeliveryOutbox, dedupeHours: number): Intake {
  const queues = new Map<string, Waiting[]>();

  async function work(orgId: string, queue: Waiting[]): Promise<void> {
    let together = 1;
    while (queue.length > 0) {
      if (together > 1) await Bun.sleep(GATHER_MS);
      const batch = queue.splice(0, batchLength(queue));
      together = batch.length;
      // Runs in its own context: if the first caller cancels, the others must not fail.
      await withContext({ requestId: crypto.randomUUID() }, () => storeBatch(orgId, batch));
    }
    queues.delete(orgId);
  }

  async function storeBatch(orgId: string, batch: readonly Waiting[]): Promise<void> {
    const sql = database.org(orgId);
    const bodies = [...Map.groupBy(batch, ({ call }) => `${call.source} ${call.sha256.toString("hex")}`)];
    try {
      const firsts = bodies.flatMap(([, [first]]) => (first ? [first.call] : []));
      const stored = await storeIncoming(sql, firsts, dedupeHours);
      outbox.offer(
        orgId,
        firsts.filter(({ id, ended }) => stored.has(id) && ended === undefined),
      );
      await Promise.all(bodies.map(([, same]) => settle(sql, same, stored)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    store(orgId, call) {
      const { promise, resolve, reject } = Promise.withResolvers<Stored>();
      const queue = queues.get(orgId);
      const waiting = { call, resolve, reject };
      if (queue) queue.push(waiting);
      else {
        const fresh = [waiting];
        queues.set(orgId, fresh);
        void work(orgId, fresh);
      }
      return promise;
    },
  };
}

/** Answers calls with the same body: the first is stored, the others are duplicates of it. */
async function settle(
  sql: OrgStatements,
  same: readonly Waiting[],
  stored: ReadonlySet<string>,
): Promise<void> {
  const [first] = same;
  if (!first) return;
  const { id, source, sha256 } = first.call;
  const isNew = stored.has(id);
  const deliveryId = isNew ? id : await firstDelivery(sql, source, sha256);
  // It was deleted between the two statements, or isn't visible yet: the sender should retry.
  if (deliveryId === undefined) throw unavailable("couldn't store the delivery");
  for (const one of same) one.resolve({ deliveryId, isNew: isNew && one === first });
}

/** Returns how many queued calls fit into one statement. */
function batchLength(queue: readonly Waiting[]): number {
  let bytes = 0;
  let count = 0;
  for (const { call } of queue) {
    bytes += call.sealed.length;
    if (count === MAX_CALLS || (count > 0 && bytes > MAX_BYTES)) break;
    count += 1;
  }
  return count;
}
