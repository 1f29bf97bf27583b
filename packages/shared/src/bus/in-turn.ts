import type { RequestContract } from "../contract.ts";
import { unavailable } from "../errors.ts";
import { isObject } from "../json.ts";
import { createPlaces, type Places } from "../fairness/places.ts";
import type { BusConnection } from "./connection.ts";

/** What may take longer waits for something else than a processor. */
const QUICK_MS = 2_500;

/** How long an organization counts as there after it has asked for something. */
const THERE_MS = 1_000;

/** Places for requests of one organization at one service. */
interface UnderWay {
  /** While no other organization asks for anything. */
  alone: number;
  /** While another does: each place that one takes is time that the other waits. */
  beside: number;
  /** Of those that may take long. A service has only so many under way: one organization isn't to have them all, nor a few. */
  slow: { each: number; all: number };
}

/** An organization's requests to one service; who waits goes in the order of coming. */
interface Queue {
  underWay: number;
  waiting: Set<() => void>;
}

interface Turns {
  places: UnderWay;
  queues: Map<string, Queue>;
  /** By service. */
  slow: Map<string, Places>;
  /** Who asked last, and who before that was another. */
  latest: { orgId: string; at: number };
  before: { orgId: string; at: number };
}

const turnsOf = new WeakMap<BusConnection, Turns>();

/**
 * From now on at most so many requests of an organization are under way at each service. The rest waits here and not
 * there, where it would stand in everybody's way; what may take long is refused, since nobody knows when it would begin.
 */
export function takeTurns(bus: BusConnection, places: UnderWay): void {
  const nobody = { orgId: "", at: Number.NEGATIVE_INFINITY };
  turnsOf.set(bus, { places, queues: new Map(), slow: new Map(), latest: nobody, before: nobody });
}

/**
 * Does `work` in its turn, with what is left of the contract's time.
 * @throws {AppError} `unavailable` when nothing is left; `rate_limited` when too much is under way that takes long
 */
export async function inTurn<T>(
  bus: BusConnection,
  { contract, input }: { contract: RequestContract; input: unknown },
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const { subject, timeoutMs } = contract;
  const turns = turnsOf.get(bus);
  const orgId = isObject(input) && input["org_id"];
  if (!turns || typeof orgId !== "string") return work(timeoutMs);
  const service = subject.slice(0, subject.indexOf("."));
  if (timeoutMs > QUICK_MS) return slowPlaces(turns, service).within(orgId, () => work(timeoutMs));
  const key = `${orgId} ${service}`;
  noteThere(turns, orgId);
  const queue = turns.queues.get(key) ?? { underWay: 0, waiting: new Set() };
  turns.queues.set(key, queue);
  const started = performance.now();
  if (queue.underWay < placesOf(turns, orgId)) queue.underWay += 1;
  else await turnIn(queue, timeoutMs);
  try {
    return await work(Math.max(1, Math.ceil(timeoutMs - (performance.now() - started))));
  } finally {
    queue.underWay -= 1;
    const places = placesOf(turns, orgId);
    for (const next of queue.waiting) {
      if (queue.underWay >= places) break;
      queue.underWay += 1;
      next();
    }
    if (queue.underWay === 0) turns.queues.delete(key);
  }
}

function slowPlaces({ places, slow }: Turns, service: string): Places {
  const known =
    slow.get(service) ?? createPlaces({ ...places.slow, what: "such requests of the organization" });
  slow.set(service, known);
  return known;
}

function noteThere(turns: Turns, orgId: string): void {
  if (turns.latest.orgId !== orgId) turns.before = turns.latest;
  turns.latest = { orgId, at: performance.now() };
}

function placesOf({ places, latest, before }: Turns, orgId: string): number {
  const other = latest.orgId === orgId ? before : latest;
  return performance.now() - other.at < THERE_MS ? places.beside : places.alone;
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
