import type { RequestContract } from "../contracts/contract.ts";
import { unavailable } from "../values/errors.ts";
import { isObject } from "../values/json.ts";
import { createConcurrencyLimits, type ConcurrencyLimits } from "../concurrency/concurrency-limits.ts";
import type { BusConnection } from "./connection.ts";

/** Requests with a longer timeout wait for something other than a processor. */
const QUICK_MS = 2_500;

/** Time after its last request for which an organization counts as active. */
const ACTIVE_MS = 1_000;

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
  limits: RequestLimits;
  /** By organization and service. */
  waiting: Map<string, Queue>;
  /** Limits of slow requests, by service. */
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
export function limitRequests(bus: BusConnection, limits: RequestLimits): void {
  const nobody = { orgId: "", at: Number.NEGATIVE_INFINITY };
  queuesOf.set(bus, { limits, waiting: new Map(), slow: new Map(), latest: nobody, before: nobody });
}

/**
 * Runs `work` within the limits, with the rest of the contract's time.
 * @throws {AppError} `unavailable` if no time is left; `rate_limited` if too many slow requests are in progress
 */
export async function withinRequestLimits<T>(
  bus: BusConnection,
  { contract, input }: { contract: RequestContract; input: unknown },
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const { subject, timeoutMs } = contract;
  const queues = queuesOf.get(bus);
  const orgId = isObject(input) && input["org_id"];
  if (!queues || typeof orgId !== "string") return work(timeoutMs);
  const service = subject.slice(0, subject.indexOf("."));
  if (timeoutMs > QUICK_MS) return slowLimits(queues, service).within(orgId, () => work(timeoutMs));
  const key = `${orgId} ${service}`;
  markActive(queues, orgId);
  const queue = queues.waiting.get(key) ?? { underWay: 0, waiting: new Set() };
  queues.waiting.set(key, queue);
  const started = performance.now();
  if (queue.underWay < limitOf(queues, orgId)) queue.underWay += 1;
  else await waitIn(queue, timeoutMs);
  try {
    return await work(Math.max(1, Math.ceil(timeoutMs - (performance.now() - started))));
  } finally {
    queue.underWay -= 1;
    const limit = limitOf(queues, orgId);
    for (const next of queue.waiting) {
      if (queue.underWay >= limit) break;
      queue.underWay += 1;
      next();
    }
    if (queue.underWay === 0) queues.waiting.delete(key);
  }
}

function slowLimits({ limits, slow }: OrganizationQueues, service: string): ConcurrencyLimits {
  const known =
    slow.get(service) ??
    createConcurrencyLimits({ ...limits.slow, what: "long-running requests of this organization" });
  slow.set(service, known);
  return known;
}

function markActive(queues: OrganizationQueues, orgId: string): void {
  if (queues.latest.orgId !== orgId) queues.before = queues.latest;
  queues.latest = { orgId, at: performance.now() };
}

function limitOf({ limits, latest, before }: OrganizationQueues, orgId: string): number {
  const other = latest.orgId === orgId ? before : latest;
  return performance.now() - other.at < ACTIVE_MS ? limits.beside : limits.alone;
}

/** Waits until fewer requests are in progress. */
async function waitIn({ waiting }: Queue, limitMs: number): Promise<void> {
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
