import type { RequestContract } from "../contract.ts";
import { unavailable } from "../errors.ts";
import { isObject } from "../json.ts";
import type { BusConnection } from "./connection.ts";

/** What may take longer is rare, and waits for something else than a processor. */
const QUICK_MS = 2_500;

/** An organization's requests to one service; who waits goes in the order of coming. */
interface Queue {
  underWay: number;
  waiting: Set<() => void>;
}

const turnsOf = new WeakMap<BusConnection, { places: number; queues: Map<string, Queue> }>();

/**
 * From now on at most `places` quick requests of an organization are under way at each service. The rest waits here
 * and not there, where it would stand in everybody's way.
 */
export function takeTurns(bus: BusConnection, places: number): void {
  turnsOf.set(bus, { places, queues: new Map() });
}

/**
 * Does `work` in its turn, with what is left of the contract's time.
 * @throws {AppError} `unavailable` when nothing is left
 */
export async function inTurn<T>(
  bus: BusConnection,
  { contract, input }: { contract: RequestContract; input: unknown },
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const { subject, timeoutMs } = contract;
  const turns = turnsOf.get(bus);
  const orgId = isObject(input) && input["org_id"];
  if (!turns || typeof orgId !== "string" || timeoutMs > QUICK_MS) return work(timeoutMs);
  const key = `${orgId} ${subject.split(".", 1)[0]}`;
  const queue = turns.queues.get(key) ?? { underWay: 0, waiting: new Set() };
  turns.queues.set(key, queue);
  const started = performance.now();
  if (queue.underWay < turns.places) queue.underWay += 1;
  else await turnIn(queue, timeoutMs);
  try {
    return await work(Math.max(1, Math.ceil(timeoutMs - (performance.now() - started))));
  } finally {
    const [next] = queue.waiting;
    if (next) next();
    else queue.underWay -= 1;
    if (queue.underWay === 0) turns.queues.delete(key);
  }
}

/** Waits for a place that somebody leaves. */
async function turnIn({ waiting }: Queue, limitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (): void => {
    waiting.delete(take);
    resolve();
  };
  waiting.add(take);
  const timer = setTimeout(() => {
    waiting.delete(take);
    reject(unavailable("too much of the organization is under way"));
  }, limitMs);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}
