import type { RequestContract } from "../contracts/contract.ts";
import { unavailable, type AppError } from "../values/errors.ts";
import { isObject } from "../values/json.ts";
import type { Activity } from "../concurrency/activity.ts";
import { createConcurrencyLimits, type ConcurrencyLimits } from "../concurrency/concurrency-limits.ts";
import { createFairSemaphore, permitWithin, type FairSemaphore } from "../concurrency/fair-semaphore.ts";
import type { BusConnection } from "./connection.ts";

/** Requests with a longer timeout wait for something other than a processor. */
const QUICK_MS = 2_500;

/** Limits of one organization's requests in progress at one service. */
interface RequestLimits {
  /** Limit while no other organization is active. */
  alone: number;
  /** Limit while another organization is active, which waits for each of these requests. */
  beside: number;
  /** Limits of slow requests, so that one or a few organizations can't use up a service's capacity. */
  slow: { each: number; all: number };
}

interface Queues {
  limits: RequestLimits;
  activity: Activity;
  /** Permits of quick requests by organization, by service. */
  quick: Map<string, FairSemaphore>;
  /** Limits of slow requests, by service. */
  slow: Map<string, ConcurrencyLimits>;
}

const queuesOf = new WeakMap<BusConnection, Queues>();

/**
 * Limits the requests of an organization that are in progress at each service. The others wait here, not in the
 * service, where they would delay other organizations. Slow requests beyond their limit are rejected, because their
 * start can't be predicted.
 */
export function limitRequests(bus: BusConnection, limits: RequestLimits, activity: Activity): void {
  queuesOf.set(bus, { limits, activity, quick: new Map(), slow: new Map() });
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
  queues.activity.note(orgId);
  const permits = quickPermits(queues, service);
  const started = performance.now();
  await permitWithin(permits.acquire(orgId), timeoutMs, tooMany);
  try {
    return await work(Math.max(1, Math.ceil(timeoutMs - (performance.now() - started))));
  } finally {
    permits.release(orgId);
  }
}

function tooMany(): AppError {
  return unavailable("too many requests of this organization are in progress; retry in a moment");
}

function quickPermits({ limits, activity, quick }: Queues, service: string): FairSemaphore {
  const known =
    quick.get(service) ??
    createFairSemaphore(Infinity, (orgId) => (activity.isShared(orgId) ? limits.beside : limits.alone));
  quick.set(service, known);
  return known;
}

function slowLimits({ limits, slow }: Queues, service: string): ConcurrencyLimits {
  const known =
    slow.get(service) ??
    createConcurrencyLimits({ ...limits.slow, what: "long-running requests of this organization" });
  slow.set(service, known);
  return known;
}
