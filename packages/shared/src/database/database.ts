import type { ParameterOrFragment, Row, Sql, TransactionSql } from "postgres";

import { currentContext } from "../platform/context.ts";
import { unavailable } from "../values/errors.ts";
import { durations } from "../platform/telemetry/metrics.ts";
import { span, SpanKind } from "../platform/telemetry/trace.ts";
import { openLane, refuseAborted, type Lane } from "./lane.ts";
import { prelude, type Prelude } from "./prelude.ts";

export type { Row } from "postgres";

type Value = ParameterOrFragment<never>;

/** Rows of a statement, and the number of rows that it affected. */
export type Rows<R> = R[] & { count: number };

/** Runs the tagged statement and returns its rows in order. */
export interface Statements {
  <R extends Row>(strings: TemplateStringsArray, ...values: readonly Value[]): Promise<Rows<R>>;
  /** Tags a fragment to be used inside a statement; it isn't run. */
  part: Sql;
}

/** Statements of one organization. Row-level security limits them to its rows. */
export interface OrgStatements extends Statements {
  readonly orgId: string;
}

/** Statements of one organization in one transaction. */
export interface Transaction extends OrgStatements {
  /** Raw transaction, for COPY. */
  raw: TransactionSql;
}

interface TransactionOptions {
  /**
   * `bulk` for work that takes seconds, and `background` if no caller waits for it. Each has its own connections, so an
   * organization's background work never delays its callers.
   */
  lane?: "transactions" | "bulk" | "background";
}

/** Access to PostgreSQL for all of a service's statements. */
export interface Database {
  /** Runs statements, each in one round trip. */
  org(orgId: string): OrgStatements;
  /** Statements outside any organization. Row-level security hides all rows of tenant tables from them. */
  system: Statements;
  /**
   * Runs `work` in one transaction and rolls it back if `work` throws. In the `bulk` and `background` lanes it ends
   * within a second of the caller going away, also on the server.
   * @throws {AppError} `unavailable` if the database can't be reached or takes too long
   */
  transaction<T>(
    orgId: string,
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Opens the connections for requests, so that a new process's first requests don't wait for them.
   * @throws {AppError} `unavailable` if a connection can't be opened
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  service: string;
  /**
   * Number of connections by lane. Twice the server's cores: while one connection transfers rows, another can work.
   * More only adds waiting. One organization uses at most half of the `bulk` and of the `background` connections.
   */
  connections?: { short: number; transactions: number; bulk: number; background: number };
  /** Server settings for short statements and transactions. */
  settings?: Record<string, string>;
  /** Time after which a connection without work is closed; by default a minute. */
  idleSeconds?: number;
  /** Whether tables are distributed over several servers, which then all check row-level security. */
  distributed?: boolean;
}

interface Caller {
  service: string;
  orgId: string;
  distributed: boolean;
}

const SHORT_TIMEOUT_MS = 2_000;
const TRANSACTION_TIMEOUT_MS = 2_000;
const BULK_TIMEOUT_MS = 300_000;
/**
 * Settings of bulk work. It joins tables that were just filled, for which the planner has no statistics. They fit
 * into memory, so hash joins are right whatever the planner estimates.
 */
const BULK_SETTINGS = {
  work_mem: "64MB",
  temp_buffers: "64MB",
  enable_nestloop: "off",
  enable_mergejoin: "off",
  jit: "off",
};
const CONNECTIONS = { short: 4, transactions: 4, bulk: 4, background: 4 };

const statementSeconds = durations("database_seconds", "Duration of statements and transactions", [
  "lane",
  "outcome",
]);

export function openDatabase({
  url,
  service,
  connections = CONNECTIONS,
  settings = {},
  distributed = false,
  ...idle
}: DatabaseOptions): Database {
  // Generic plans, which a service may force, can't find the workers of a statement.
  const server = distributed ? {} : settings;
  const lane = (
    connections: number,
    statementTimeoutMs: number,
    how: Partial<Parameters<typeof openLane>[0]> = {},
  ) =>
    openLane({
      url,
      applicationName: `leeway ${service}`,
      connections,
      statementTimeoutMs,
      shared: false,
      ...idle,
      ...how,
    });
  const bulk = (connections: number) =>
    lane(connections, BULK_TIMEOUT_MS, {
      settings: BULK_SETTINGS,
      endsWithCaller: true,
      reserved: Math.floor(connections / 2),
    });
  const lanes = {
    short: lane(connections.short, SHORT_TIMEOUT_MS, { shared: true, settings: server }),
    transactions: lane(connections.transactions, TRANSACTION_TIMEOUT_MS, { settings: server }),
    bulk: bulk(connections.bulk),
    background: bulk(connections.background),
  };
  return {
    org: (orgId) => Object.assign(orgStatements(lanes.short, { service, orgId, distributed }), { orgId }),
    system: shortStatements(lanes.short, ""),
    transaction: (orgId, work, { lane = "transactions" } = {}) =>
      measured(lane, () => runTransaction(lanes[lane], { service, orgId, distributed }, work)),
    open: async () => {
      await Promise.all([lanes.short.open(), lanes.transactions.open()]);
    },
    close: async () => {
      await Promise.all(Object.values(lanes).map((open) => open.close()));
    },
  };
}

/** Returns the name shown in `pg_stat_activity` and the server's log, such as `leeway inventory <request id>`. */
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

function orgStatements(lane: Lane, caller: Caller): Statements {
  const { service, orgId, distributed } = caller;
  if (!distributed) return shortStatements(lane, orgId, () => prelude(orgId, nameOf(service)));
  // The workers of a cluster take no setting without a transaction.
  const run = <R extends Row>(strings: TemplateStringsArray, ...values: readonly Value[]): Promise<Rows<R>> =>
    measured("short", () => runTransaction(lane, caller, (tx) => tx<R>(strings, ...values)));
  return Object.assign(run, { part: lane.part });
}

/** Passes `ahead` to the driver (patched by us), which sends it before the query. */
function goAhead(query: object, ahead: Prelude): void {
  const options: unknown = Reflect.get(query, "options");
  if (typeof options === "object" && options !== null) Reflect.set(options, "prelude", ahead);
}

async function runTransaction<T>(
  lane: Lane,
  { service, orgId, distributed }: Caller,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let over = false;
  const guarded = (raw: TransactionSql): Transaction => {
    const run = async <R extends Row>(
      strings: TemplateStringsArray,
      ...values: readonly Value[]
    ): Promise<Rows<R>> => {
      // The connection, and with it the transaction, may have been replaced.
      if (over) throw unavailable("the transaction has ended");
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
        if (distributed) await raw.unsafe(`set local app.org_id = ${literal(orgId)}`); // also on workers
        return { value: await work(guarded(raw)) };
      });
      return outcome.value;
    });
  } finally {
    over = true;
  }
}

/** Quotes a text for a statement without parameters. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
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
