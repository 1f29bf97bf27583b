import type { RequestContract } from "../contracts/contract.ts";
import { unavailable } from "../values/errors.ts";
import { isObject } from "../values/json.ts";
import { createConcurrencyLimits, type ConcurrencyLimits } from "../concurrency/concurrency-limits.ts";
import type { BusConnection } from "./connection.ts";

/** Requests with a longer timeout wait for something other than a processor. */
const QUICK_MS = 2_500;

/** Time after its last request for which an organization counts as active. */
const THERE_MS = 1_000;

/** Limits of one organization's requests in progress at one service. */
interface RequestLimits {
  /** Limit while no other organization is active. */
  alone: number;
  /** Limit while another organization is active, which waits for each of these requests. */
  beside: number;
  /** Limits of slow requests, so that one or a few organizations can't use up a service's capacity. */
  slow: { each: number; all: number };
}

/** An organization's requests to one service. Waiting ones are served in order. */
interface Queue {
  underWay: number;
  waiting: Set<() => void>;
}

interface OrganizationQueues {
  places: RequestLimits;
  queues: Map<string, Queue>;
  /** ConcurrencyLimits of slow requests, by service. */
  slow: Map<string, ConcurrencyLimits>;
  /** The organization of the latest request, and the latest other organization before it. */
  latest: { orgId: string; at: number };
  before: { orgId: string; at: number };
}

const queuesOf = new WeakMap<BusConnection, OrganizationQueues>();

/**
 * Limits the requests of an organization that are in progress at each service. The others wait here, not in the
 * service, where they would delay other organizations. Slow requests beyond their limit are rejected, because their
 * start can't be predicted.
 */
export function limitRequests(bus: BusConnection, places: RequestLimits): void {
  const nobody = { orgId: "", at: Number.NEGATIVE_INFINITY };
  queuesOf.set(bus, { places, queues: new Map(), slow: new Map(), latest: nobody, before: nobody });
}

/**
 * Runs `work` in its turn, with the rest of the contract's time.
 * @throws {AppError} `unavailable` if no time is left; `rate_limited` if too many slow requests are in progress
 */
export async function withinRequestLimits<T>(
  bus: BusConnection,
  { contract, input }: { contract: RequestContract; input: unknown },
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const { subject, timeoutMs } = contract;
  const turns = queuesOf.get(bus);
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

function slowPlaces({ places, slow }: OrganizationQueues, service: string): ConcurrencyLimits {
  const known =
    slow.get(service) ??
    createConcurrencyLimits({ ...places.slow, what: "long-running requests of this organization" });
  slow.set(service, known);
  return known;
}

function noteThere(turns: OrganizationQueues, orgId: string): void {
  if (turns.latest.orgId !== orgId) turns.before = turns.latest;
  turns.latest = { orgId, at: performance.now() };
}

function placesOf({ places, latest, before }: OrganizationQueues, orgId: string): number {
  const other = latest.orgId === orgId ? before : latest;
  return performance.now() - other.at < THERE_MS ? places.beside : places.alone;
}

/** Waits for a free place. */
async function turnIn({ waiting }: Queue, limitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (): void => {
    waiting.delete(take);
    resolve();
  };
  waiting.add(take);
  const timer = setTimeout(() => {
    waiting.delete(take);
    reject(unavailable("too many requests of this organization are in progress; retry in a moment"));
  }, limitMs);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}
