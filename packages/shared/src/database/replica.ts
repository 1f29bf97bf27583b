import postgres, { type Row, type Sql } from "postgres";

import { currentContext, withContext, type Freshness } from "../platform/context.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { counter } from "../platform/telemetry/metrics.ts";
import { AppError } from "../values/errors.ts";
import { isConnectionFailure } from "./failure.ts";
import { refuseAborted, type Lane } from "./lane.ts";
import { BEHIND } from "./prelude.ts";
import type { Rows, Statements, Value } from "./statements.ts";

const { PostgresError } = postgres;

/** Pause before a replica that failed is tried again. No request waits for the trial. */
const RETRY_MS = 1_000;

const reads = counter(
  "database_replica_reads_total",
  "Statements for a read replica, by what became of them: `replica`, or why the primary ran them",
  ["outcome"],
);

/** Adds to `query` what makes it fail on a replica that hasn't replayed `position`. */
type Guard = (query: object, position: string) => void;

/** A server that follows the primary and runs some of its reads. */
export interface Replica {
  /**
   * Returns statements that the replica runs if the current request allows it, and `primary` otherwise. The primary
   * also runs a statement that fails on the replica.
   */
  before(primary: Statements, orgId: string, guard: Guard): Statements;
  /** Looks whether the replica answers, without waiting for it. */
  open(): void;
  close(): Promise<void>;
}

export function createReplica(lane: Lane, log: Logger | undefined): Replica {
  const health = createHealth(lane, log);

  /** Returns undefined if the primary has to run the statement. */
  async function ask<T>(orgId: string, work: (sql: Sql) => PromiseLike<T>): Promise<T | undefined> {
    if (!health.isUp()) {
      reads.inc({ outcome: "down" });
      return undefined;
    }
    try {
      const rows = await lane.use(orgId, work);
      reads.inc({ outcome: "replica" });
      return rows;
    } catch (error) {
      refuseAborted();
      if (isFault(error)) health.fail(error);
      reads.inc({ outcome: isBehind(error) ? "behind" : "failed" });
      return undefined;
    }
  }

  return {
    before(primary, orgId, guard) {
      const run = async <R extends Row>(
        strings: TemplateStringsArray,
        ...values: readonly Value[]
      ): Promise<Rows<R>> => {
        const freshness = currentContext()?.freshness;
        if (!freshness || freshness.answeredBy === "primary") return primary<R>(strings, ...values);
        const rows = await ask(orgId, (sql) => {
          const query = sql<R[]>(strings, ...values);
          guard(query, freshness.position);
          return query;
        });
        note(freshness, rows ? "replica" : "primary");
        return rows ?? primary<R>(strings, ...values);
      };
      return Object.assign(run, { part: primary.part });
    },
    open: () => void health.isUp(),
    close: lane.close,
  };
}

/** Notes who has run a statement. Another of the same request may have needed the primary. */
function note(freshness: Freshness, by: "replica" | "primary"): void {
  if (freshness.answeredBy !== "primary") freshness.answeredBy = by;
}

interface Health {
  /** Reports whether the replica answered last time. If it didn't, tries again without waiting. */
  isUp(): boolean;
  fail(error: unknown): void;
}

function createHealth(lane: Lane, log: Logger | undefined): Health {
  const state = { isUp: false, isReported: false, isTrying: false, triedAt: -Infinity };

  function fail(error: unknown): void {
    state.isUp = false;
    state.triedAt = performance.now();
    if (!state.isReported) log?.warn({ error }, "the read replica can't be used; the primary runs its reads");
    state.isReported = true;
  }

  async function tryAgain(): Promise<void> {
    state.isTrying = true;
    try {
      await withContext({ requestId: crypto.randomUUID() }, () => lane.use("", (sql) => sql`select`));
      state.isUp = true;
      if (state.isReported) log?.info("the read replica is used again");
      state.isReported = false;
    } catch (error) {
      fail(error);
    } finally {
      state.isTrying = false;
    }
  }

  return {
    isUp() {
      if (!state.isUp && !state.isTrying && performance.now() > state.triedAt + RETRY_MS) void tryAgain();
      return state.isUp;
    },
    fail,
  };
}

/** Returns whether the replica itself is at fault, not the statement, its speed or the replica's delay. */
function isFault(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.code === "unavailable" &&
    (error.cause === undefined || isConnectionFailure(error.cause))
  );
}

function isBehind(error: unknown): boolean {
  return error instanceof PostgresError && error.code === BEHIND;
}
