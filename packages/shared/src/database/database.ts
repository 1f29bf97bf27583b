import type { Row, Sql, TransactionSql } from "postgres";

import { currentContext } from "../platform/context.ts";
import { unavailable } from "../values/errors.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { durations } from "../platform/telemetry/metrics.ts";
import { span, SpanKind } from "../platform/telemetry/trace.ts";
import { openLane, refuseAborted, type Lane, type LaneOptions } from "./lane.ts";
import { prelude, type Prelude } from "./prelude.ts";
import { createReplica, type Replica } from "./replica.ts";
import type { Rows, Statements, Value } from "./statements.ts";

export type { Row } from "postgres";
export type { Rows, Statements } from "./statements.ts";

/** Statements of one organization. Row-level security limits them to its rows. */
export interface OrgStatements extends Statements {
  readonly orgId: string;
  /**
   * Ends an `insert … select` that returns nothing. With distributed tables it makes Citus send the rows in a statement. Otherwise
   * Citus sends them with COPY, which workers refuse for tables with row-level security.
   */
  readonly withoutCopy: Part;
  /**
   * Ends a subquery that the planner must not merge into its statement. With distributed tables it is empty, because Citus refuses
   * `offset` in a subquery that refers to another one.
   */
  readonly fence: Part;
}

/** Statements of one organization in one transaction. */
export interface Transaction extends OrgStatements {
  /** Raw transaction, for COPY. */
  raw: TransactionSql;
}

type Part = ReturnType<Sql>;

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
  /** Address of a read replica, which runs the reads of requests that allow it. */
  replicaUrl?: string | undefined;
  service: string;
  /** Reports a replica that fails. */
  log?: Logger;
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
/** Less than for the primary, which then has time left to run the statement. */
const REPLICA_TIMEOUT_MS = 1_000;
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

export function openDatabase(options: DatabaseOptions): Database {
  const { service, distributed = false } = options;
  const { replica, ...lanes } = openLanes(options);
  return {
    org(orgId) {
      const caller = { service, orgId, distributed };
      const primary = orgStatements(lanes.short, caller);
      const statements = replica ? replicaFirst(replica, primary, caller) : primary;
      return Object.assign(statements, { orgId, ...partsOf(lanes.short, distributed) });
    },
    system: shortStatements(lanes.short, ""),
    transaction: (orgId, work, { lane = "transactions" } = {}) =>
      measured(lane, () => runTransaction(lanes[lane], { service, orgId, distributed }, work)),
    open: async () => {
      replica?.open();
      await Promise.all([lanes.short.open(), lanes.transactions.open()]);
    },
    close: async () => {
      await Promise.all([...Object.values(lanes), ...(replica ? [replica] : [])].map((open) => open.close()));
    },
  };
}

function openLanes({
  url,
  replicaUrl,
  service,
  log,
  connections = CONNECTIONS,
  settings = {},
  distributed = false,
  ...idle
}: DatabaseOptions) {
  if (distributed && replicaUrl !== undefined)
    throw new Error("DATABASE_READ_URL can't be used with distributed tables: unset it");
  // Generic plans, which a service may force, can't find the workers of a statement.
  const server = distributed ? {} : settings;
  const lane = (connections: number, statementTimeoutMs: number, how: Partial<LaneOptions> = {}): Lane =>
    openLane({
      url,
      applicationName: `leeway ${service}`,
      connections,
      statementTimeoutMs,
      shared: false,
      ...idle,
      ...how,
    });
  const short = { shared: true, settings: server };
  const bulk = (connections: number) =>
    lane(connections, BULK_TIMEOUT_MS, {
      settings: BULK_SETTINGS,
      endsWithCaller: true,
      reserved: Math.floor(connections / 2),
    });
  const replicaLane = (url: string) =>
    lane(connections.short, REPLICA_TIMEOUT_MS, { ...short, url, isStandby: true });
  return {
    short: lane(connections.short, SHORT_TIMEOUT_MS, short),
    transactions: lane(connections.transactions, TRANSACTION_TIMEOUT_MS, { settings: server }),
    bulk: bulk(connections.bulk),
    background: bulk(connections.background),
    replica: replicaUrl === undefined ? undefined : createReplica(replicaLane(replicaUrl), log),
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

function replicaFirst(replica: Replica, primary: Statements, { orgId, service }: Caller): Statements {
  return replica.before(primary, orgId, (query, position) =>
    goAhead(query, prelude(orgId, nameOf(service), position)),
  );
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
    return Object.assign(run, { part: lane.part, orgId, ...partsOf(lane, distributed), raw });
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

function partsOf({ part }: Lane, distributed: boolean): Pick<OrgStatements, "withoutCopy" | "fence"> {
  return distributed
    ? { withoutCopy: part`returning org_id`, fence: part`` }
    : { withoutCopy: part``, fence: part`offset 0` };
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
