import { currentContext, withContext } from "@leeway/shared/platform/context";
import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/values/digest";

import { HostFailure } from "./failure.ts";
import { releaseLease, renewLease, takeLease } from "./store/leases.ts";

/** Lease of a turn; it exceeds the timeout of one request, and is renewed before each. */
const TURN_SECONDS = 15;
const PATIENCE_MS = 25_000;
const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;
const RETRY_SECONDS = 5;
/** Maximum of callers in line. A caller has a minute, so a longer wait would time out: it should retry later. */
const MAX_IN_LINE = 50;

/** Renews the turn for one more request. @throws {HostFailure} if the turn was lost */
export type Keep = () => Promise<void>;

interface Place {
  orgId: string;
  /** Name of the place that one caller at a time works on. */
  name: string;
}

/** Lets one caller at a time work at a place, across all processes. */
export interface RepositoryLeases {
  /** Waits for the turn, then does `work`. @throws {HostFailure} `unavailable` if the wait is too long */
  take<T>(place: Place, work: (keep: Keep) => Promise<T>): Promise<T>;
}

/**
 * Creates turns. They are rows that expire, because an advisory lock would hold a database connection while a code
 * host answers. Within a process turns go in the order of calls, and canceled calls are skipped.
 */
export function createRepositoryLeases(database: Database): RepositoryLeases {
  const lines = new Map<string, { length: number; last: Promise<void> }>();

  async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= MAX_IN_LINE) throw new HostFailure("unavailable", RETRY_SECONDS);
    const { last: ahead } = line;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    lines.set(key, { length: line.length + 1, last: done });
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
    const { length, last } = lines.get(key) ?? { length: 0, last: Promise.resolve() };
    if (length > 1) lines.set(key, { length: length - 1, last });
    else lines.delete(key);
  }

  async function atTurn<T>({ orgId, name }: Place, work: (keep: Keep) => Promise<T>): Promise<T> {
    const sql = database.org(orgId);
    const turn = { place: sha256(name), holder: crypto.randomUUID(), seconds: TURN_SECONDS };
    await untilTaken(() => takeLease(sql, turn));
    try {
      return await work(async () => {
        if (!(await renewLease(sql, turn))) throw new HostFailure("unavailable", RETRY_SECONDS);
      });
    } finally {
      await givenBack(() => releaseLease(sql, turn));
    }
  }

  return { take: (place, work) => inLine(`${place.orgId} ${place.name}`, () => atTurn(place, work)) };
}

async function untilTaken(take: () => Promise<boolean>): Promise<void> {
  const patience = performance.now() + PATIENCE_MS;
  for (let waitMs = MIN_WAIT_MS; !(await take()); waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    if (performance.now() > patience) throw new HostFailure("unavailable", RETRY_SECONDS);
    await Bun.sleep(waitMs * (0.5 + Math.random()));
  }
}

/** Ends a turn even if the caller was canceled. If that fails, the turn expires. */
async function givenBack(give: () => Promise<void>): Promise<void> {
  const requestId = currentContext()?.requestId ?? crypto.randomUUID();
  await withContext({ requestId }, give).catch(() => undefined);
}
