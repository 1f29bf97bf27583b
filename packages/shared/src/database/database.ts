import type { ParameterOrFragment, Row, Sql, TransactionSql } from "postgres";

import { currentContext } from "../context.ts";
import { unavailable } from "../errors.ts";
import { durations } from "../telemetry/metrics.ts";
import { span, SpanKind } from "../telemetry/trace.ts";
import { openLane, refuseAborted, type Lane } from "./lane.ts";
import { prelude, type Prelude } from "./prelude.ts";

export type { Row } from "postgres";

type Value = ParameterOrFragment<never>;

/** The rows of a statement, and how many it touched. */
export type Rows<R> = R[] & { count: number };

/** Tags a statement and runs it; rows come back in order. */
export interface Statements {
  <R extends Row>(strings: TemplateStringsArray, ...values: readonly Value[]): Promise<Rows<R>>;
  /** Tags a part of a statement, to be put into one; it isn't run. */
  part: Sql;
}

/** Statements of one organization: row-level security shows and takes its rows only. */
export interface OrgStatements extends Statements {
  readonly orgId: string;
}

/** Statements of one organization in one transaction. */
export interface Transaction extends OrgStatements {
  /** The raw transaction, for COPY. */
  raw: TransactionSql;
}

interface TransactionOptions {
  /** `bulk` for work that takes seconds: it has connections of its own. */
  lane?: "transactions" | "bulk";
}

/** The door to PostgreSQL: nothing reaches it another way. */
export interface Database {
  /** One statement, one round trip. */
  org(orgId: string): OrgStatements;
  /** Statements outside any organization; row-level security shows them no row of a tenant table. */
  system: Statements;
  /**
   * Runs `work` in one transaction, rolled back when it throws.
   * @throws {AppError} `unavailable` when the database goes away or takes too long
   */
  transaction<T>(
    orgId: string,
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Makes the connections that requests need, so that none of a process that has just started waits for one.
   * @throws {AppError} `unavailable` when one can't be made
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  service: string;
  /** Twice the cores of the server: while the rows of one travel, another is worked on. More buys only waiting. */
  connections?: { short: number; transactions: number; bulk: number };
  /** Settings of the server for short statements and transactions. */
  settings?: Record<string, string>;
}

const SHORT_TIMEOUT_MS = 2_000;
const TRANSACTION_TIMEOUT_MS = 2_000;
const BULK_TIMEOUT_MS = 300_000;
/**
 * Bulk work joins tables that were filled a moment ago, of which the planner knows nothing yet: hash joins
 * are right for them whatever it guesses. They fit into memory.
 */
const BULK_SETTINGS = {
  work_mem: "64MB",
  temp_buffers: "64MB",
  enable_nestloop: "off",
  enable_mergejoin: "off",
  jit: "off",
};
const CONNECTIONS = { short: 4, transactions: 4, bulk: 2 };

const statementSeconds = durations("database_seconds", "Time of statements and transactions", [
  "lane",
  "outcome",
]);

export function openDatabase({
  url,
  service,
  connections = CONNECTIONS,
  settings = {},
}: DatabaseOptions): Database {
  const lane = (
    connections: number,
    statementTimeoutMs: number,
    how: { shared?: true; settings?: Record<string, string> } = {},
  ) =>
    openLane({
      url,
      applicationName: `leeway ${service}`,
      connections,
      statementTimeoutMs,
      shared: false,
      ...how,
    });
  const lanes = {
    short: lane(connections.short, SHORT_TIMEOUT_MS, { shared: true, settings }),
    transactions: lane(connections.transactions, TRANSACTION_TIMEOUT_MS, { settings }),
    bulk: lane(connections.bulk, BULK_TIMEOUT_MS, { settings: BULK_SETTINGS }),
  };
  return {
    org: (orgId) =>
      Object.assign(
        shortStatements(lanes.short, orgId, () => prelude(orgId, nameOf(service))),
        { orgId },
      ),
    system: shortStatements(lanes.short, ""),
    transaction: (orgId, work, { lane = "transactions" } = {}) =>
      measured(lane, () => runTransaction(lanes[lane], service, orgId, work)),
    open: async () => {
      await Promise.all([lanes.short.open(), lanes.transactions.open()]);
    },
    close: async () => {
      await Promise.all(Object.values(lanes).map((open) => open.close()));
    },
  };
}

/** How the server names what runs now: `leeway inventory <request id>`, in `pg_stat_activity` and its log. */
function nameOf(service: string): string {
  const requestId = currentContext()?.requestId;
  return requestId === undefined ? `leeway ${service}` : `leeway ${service} ${requestId}`;
}

function shortStatements(lane: Lane, key: string, ahead?: () => Prelude): Statements {
  const run = <R extends Row>(strings: TemplateStringsArray, ...values: readonly Value[]): Promise<Rows<R>> =>
    measured("short", () =>
      lane.use(key, (sql) => {
        const query = sql<R[]>(strings, ...values);
        if (ahead) goAhead(query, ahead());
        return query;
      }),
    );
  return Object.assign(run, { part: lane.part });
}

/** Hands `ahead` to the driver (our patch to it), to be sent in front of the query. */
function goAhead(query: object, ahead: Prelude): void {
  const options: unknown = Reflect.get(query, "options");
  if (typeof options === "object" && options !== null) Reflect.set(options, "prelude", ahead);
}

async function runTransaction<T>(
  lane: Lane,
  service: string,
  orgId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let over = false;
  const guarded = (raw: TransactionSql): Transaction => {
    const run = async <R extends Row>(
      strings: TemplateStringsArray,
      ...values: readonly Value[]
    ): Promise<Rows<R>> => {
      // The connection may have been replaced meanwhile, and with it the transaction.
      if (over) throw unavailable("the transaction is over");
      refuseAborted();
      return raw<R[]>(strings, ...values);
    };
    return Object.assign(run, { part: lane.part, orgId, raw });
  };
  try {
    return await lane.use(orgId, async (sql) => {
      const outcome = await sql.begin(async (raw) => {
        await raw`select set_config('app.org_id', ${orgId}, true),
                         set_config('application_name', ${nameOf(service)}, true)`;
        return { value: await work(guarded(raw)) };
      });
      return outcome.value;
    });
  } finally {
    over = true;
  }
}

async function measured<T>(lane: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const observe = (outcome: string) =>
    statementSeconds.observe({ lane, outcome }, (performance.now() - started) / 1000);
  try {
    const value = await span(
      "postgresql",
      { kind: SpanKind.CLIENT, attributes: { "leeway.lane": lane } },
      work,
    );
    observe("ok");
    return value;
  } catch (error) {
    observe("error");
    throw error;
  }
}
