import { currentContext, withContext } from "@leeway/shared/platform/context";
import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/values/digest";

import { HostFailure } from "./failure.ts";
import { releaseLease, renewLease, takeLease } from "./store/leases.ts";

/** A lease exceeds the timeout of one request, and is renewed before each. */
const LEASE_SECONDS = 15;
const PATIENCE_MS = 25_000;
const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;
const RETRY_SECONDS = 5;
/** Maximum of queued callers. A caller has a minute, so a longer wait would time out: it should retry later. */
const MAX_QUEUED = 50;

/** Renews the lease for one more request. @throws {HostFailure} if it was lost */
export type Keep = () => Promise<void>;

interface Leased {
  orgId: string;
  /** One caller at a time works on what has this name. */
  name: string;
}

/** Leases that let one caller at a time work on a repository, across all processes. */
export interface RepositoryLeases {
  /** Waits for the lease, then does `work`. @throws {HostFailure} `unavailable` if the wait is too long */
  hold<T>(target: Leased, work: (keep: Keep) => Promise<T>): Promise<T>;
}

/**
 * Leases are rows that expire, because an advisory lock would hold a database connection while a code
 * host answers. Within a process leases go in the order of calls, and canceled calls are skipped.
 */
export function createRepositoryLeases(database: Database): RepositoryLeases {
  const queues = new Map<string, { length: number; last: Promise<void> }>();

  async function queued<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() };
    if (queue.length >= MAX_QUEUED) throw new HostFailure("unavailable", RETRY_SECONDS);
    const { last: ahead } = queue;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    queues.set(key, { length: queue.length + 1, last: done });
    try {
      await ahead;
      if (currentContext()?.signal?.aborted) throw new HostFailure("unavailable", RETRY_SECONDS);
      return await work();
    } finally {
      resolve();
      leave(key);
    }
  }

  function leave(key: string): void {
    const { length, last } = queues.get(key) ?? { length: 0, last: Promise.resolve() };
    if (length > 1) queues.set(key, { length: length - 1, last });
    else queues.delete(key);
  }

  async function leased<T>({ orgId, name }: Leased, work: (keep: Keep) => Promise<T>): Promise<T> {
    const sql = database.org(orgId);
    const lease = { place: sha256(name), holder: crypto.randomUUID(), seconds: LEASE_SECONDS };
    await untilTaken(() => takeLease(sql, lease));
    try {
      return await work(async () => {
        if (!(await renewLease(sql, lease))) throw new HostFailure("unavailable", RETRY_SECONDS);
      });
    } finally {
      await released(() => releaseLease(sql, lease));
    }
  }

  return { hold: (target, work) => queued(`${target.orgId} ${target.name}`, () => leased(target, work)) };
}

async function untilTaken(take: () => Promise<boolean>): Promise<void> {
  const patience = performance.now() + PATIENCE_MS;
  for (let waitMs = MIN_WAIT_MS; !(await take()); waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    if (performance.now() > patience) throw new HostFailure("unavailable", RETRY_SECONDS);
    await Bun.sleep(waitMs * (0.5 + Math.random()));
  }
}

/** Ends a lease even if the caller was canceled. If that fails, the lease expires. */
async function released(release: () => Promise<void>): Promise<void> {
  const requestId = currentContext()?.requestId ?? crypto.randomUUID();
  await withContext({ requestId }, release).catch(() => undefined);
}
