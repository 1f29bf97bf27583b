import postgres, { type Sql } from "postgres";

import { namesSeveralHosts } from "../config.ts";
import { unavailable } from "../errors.ts";
import { registerArrays } from "./arrays.ts";
import { PLAIN_VALUES } from "./plain-values.ts";

export interface LinkOptions {
  url: string;
  applicationName: string;
  connections: number;
  /** The server gives up on a statement after this. */
  statementTimeoutMs: number;
  /** Whether uses share a connection, one statement behind the other, or have one to themselves. */
  shared: boolean;
  /** Settings of the server for these connections, beside the time-outs. */
  settings?: Record<string, string>;
}

/** One connection, and what it is doing. */
export interface Link {
  sql: Sql;
  uses: number;
  /** When it last answered; 0 when it never did. */
  answeredAt: number;
  /** Not used before: the one in its place could not be opened. */
  usableAt: number;
  /** Whether its server has said that it takes no writes, where another might. */
  isOutdone(): boolean;
}

/** The connections of a lane. */
interface Links {
  /** The one with the least to do. @throws {AppError} `unavailable` when the database can't be reached or was closed */
  take(now: number): Link;
  giveBack(link: Link): void;
  /** Puts a fresh one into its place; what is under way on it fails. */
  replace(link: Link): void;
  part: Sql;
  close(): Promise<void>;
}

/**
 * As long as a database that comes back is used again within two seconds, whatever the way to it swallowed before. Of
 * several hosts each has less: a statement is waited for until the second was asked.
 */
const CONNECT_TIMEOUT_SECONDS = { alone: 1.7, oneOfSeveral: 1 };
/** A database that can't be reached is asked this seldom; meanwhile every use fails at once. */
const RETRY_MS = 100;
/** A statement whose client died ends within this, and lets go of its locks. */
const CHECK_MS = 1_000;

/** Settings by which a server tells each connection that it takes no writes, also when it comes to that later. */
const REFUSALS: ReadonlySet<string> = new Set(["in_hot_standby", "default_transaction_read_only"]);

export function openLinks(options: LinkOptions): Links {
  const links = Array.from({ length: options.connections }, () => newLink(options));
  let closed = false;
  return {
    take(now) {
      if (closed) throw unavailable("the database is closed");
      const usable = links.filter(({ usableAt }) => usableAt <= now);
      const [idlest] = usable.toSorted((a, b) => a.uses - b.uses);
      if (!idlest) throw unavailable("the database can't be reached");
      idlest.uses += 1;
      return idlest;
    },
    giveBack(link) {
      link.uses -= 1;
    },
    replace(link) {
      const place = links.indexOf(link);
      if (place === -1 || closed) return;
      links[place] = newLink(options, link.answeredAt === 0 ? performance.now() + RETRY_MS : 0);
      link.sql.end({ timeout: 0 }).catch(() => undefined); // what was under way has been rejected already
    },
    // Any connection's would do: it is never used for more than to write a statement.
    part: newLink(options).sql,
    async close() {
      closed = true;
      await Promise.all(links.map(({ sql }) => sql.end({ timeout: 5 })));
    },
  };
}

/** A connection, made when it is first used. */
function newLink(options: LinkOptions, usableAt = 0): Link {
  const isOneOfSeveral = namesSeveralHosts(options.url);
  const refusals = new Set<string>();
  const sql = postgres(options.url, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_SECONDS[isOneOfSeveral ? "oneOfSeveral" : "alone"],
    backoff: () => RETRY_MS / 1000,
    fetch_types: false,
    onnotice: () => undefined,
    onparameter: (name, value) => {
      if (!REFUSALS.has(name)) return;
      if (value === "on") refusals.add(name);
      else refusals.delete(name);
    },
    connection: {
      application_name: options.applicationName,
      ...PLAIN_VALUES, // what PostgreSQL writes as text goes out as it is
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      client_connection_check_interval: CHECK_MS,
      ...options.settings,
    },
  });
  registerArrays(sql);
  return { sql, uses: 0, answeredAt: 0, usableAt, isOutdone: () => isOneOfSeveral && refusals.size > 0 };
}
