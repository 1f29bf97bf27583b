import { currentContext, withContext } from "@leeway/shared/context";
import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/digest";

import { HostFailure } from "./failure.ts";
import { giveTurn, keepTurn, takeTurn } from "./store/turns.ts";

/** Longer than one request to a code host may take: a turn is kept before each. */
const TURN_SECONDS = 15;
const PATIENCE_MS = 25_000;
const LEAST_WAIT_MS = 20;
const MOST_WAIT_MS = 250;
const RETRY_SECONDS = 5;
/** Who asks has a minute: what would wait for longer had better come again. */
const MOST_IN_LINE = 50;

/** Keeps the turn for one more request. @throws {HostFailure} when it was lost meanwhile */
export type Keep = () => Promise<void>;

interface Place {
  orgId: string;
  /** What is worked on one after the other. */
  name: string;
}

/** Lets one at a time work at a place, in all processes. */
export interface Turns {
  /** @throws {HostFailure} `unavailable` when the turn doesn't come */
  take<T>(place: Place, work: (keep: Keep) => Promise<T>): Promise<T>;
}

/**
 * Turns are rows that end by themselves: a lock of the database's own would hold one of its few connections
 * for as long as a code host takes. Within a process they go in the order of asking, those left out that nobody waits for
 * any more.
 */
export function createTurns(database: Database): Turns {
  const lines = new Map<string, { length: number; last: Promise<void> }>();

  async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { length: 0, last: Promise.resolve() };
    if (line.length >= MOST_IN_LINE) throw new HostFailure("unavailable", RETRY_SECONDS);
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
    await untilTaken(() => takeTurn(sql, turn));
    try {
      return await work(async () => {
        if (!(await keepTurn(sql, turn))) throw new HostFailure("unavailable", RETRY_SECONDS);
      });
    } finally {
      await givenBack(() => giveTurn(sql, turn));
    }
  }

  return { take: (place, work) => inLine(`${place.orgId} ${place.name}`, () => atTurn(place, work)) };
}

async function untilTaken(take: () => Promise<boolean>): Promise<void> {
  const patience = performance.now() + PATIENCE_MS;
  for (let waitMs = LEAST_WAIT_MS; !(await take()); waitMs = Math.min(waitMs * 2, MOST_WAIT_MS)) {
    if (performance.now() > patience) throw new HostFailure("unavailable", RETRY_SECONDS);
    await Bun.sleep(waitMs * (0.5 + Math.random()));
  }
}

/** Also when nobody waits for the answer any more; what can't be given back ends by itself. */
async function givenBack(give: () => Promise<void>): Promise<void> {
  const requestId = currentContext()?.requestId ?? crypto.randomUUID();
  await withContext({ requestId }, give).catch(() => undefined);
}
