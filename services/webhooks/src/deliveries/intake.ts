import { withContext } from "@leeway/shared/context";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";

import type { Outbox } from "./outbox.ts";
import { firstDelivery, storeIncoming, type Incoming } from "./store/incoming.ts";

/** What became of a call: a delivery of its own, or the one that had brought its body before. */
interface Stored {
  deliveryId: string;
  isNew: boolean;
}

/** Stores calls as they come, those that come at the same time together, and offers them: one commit for many. */
export interface Intake {
  /** Resolves when the delivery is on disk. @throws {AppError} `unavailable` */
  store(orgId: string, call: Incoming): Promise<Stored>;
}

interface Waiting {
  call: Incoming;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

const MOST_CALLS = 64;
const MOST_BYTES = 8 << 20;
/** Where calls come many at a time, more of them are waited for: a fuller batch costs each of them less. */
const GATHER_MS = 2;

export function createIntake(database: Database, outbox: Outbox, dedupeHours: number): Intake {
  const queues = new Map<string, Waiting[]>();

  async function work(orgId: string, queue: Waiting[]): Promise<void> {
    let together = 1;
    while (queue.length > 0) {
      if (together > 1) await Bun.sleep(GATHER_MS);
      const batch = queue.splice(0, batchLength(queue));
      together = batch.length;
      // Not in the context of whoever came first, whose going away would fail them all.
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
        firsts.filter(({ id, ignored }) => stored.has(id) && ignored === undefined),
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

/** Of several calls with one body, the first is stored; each of the others repeats it. */
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
  // Forgotten between the two statements, or not yet to be seen: to be asked again.
  if (deliveryId === undefined) throw unavailable("the delivery couldn't be stored");
  for (const one of same) one.resolve({ deliveryId, isNew: isNew && one === first });
}

/** How many of the first calls fit into one statement. */
function batchLength(queue: readonly Waiting[]): number {
  let bytes = 0;
  let count = 0;
  for (const { call } of queue) {
    bytes += call.sealed.length;
    if (count === MOST_CALLS || (count > 0 && bytes > MOST_BYTES)) break;
    count += 1;
  }
  return count;
}
