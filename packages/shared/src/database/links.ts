import postgres, { type Sql } from "postgres";

import { namesSeveralHosts } from "../platform/config.ts";
import { unavailable } from "../values/errors.ts";
import { registerArrays } from "./arrays.ts";
import { PLAIN_VALUES } from "./plain-values.ts";

export interface LinkOptions {
  url: string;
  applicationName: string;
  connections: number;
  /** Server-side timeout of a statement. */
  statementTimeoutMs: number;
  /** Whether uses pipeline their statements on one connection, or each has a connection to itself. */
  shared: boolean;
  /** Further server settings for these connections. */
  settings?: Record<string, string>;
  /** Whether the server only has to read. */
  isStandby?: boolean;
  /** Time after which a connection without work is closed. One takes 2 to 10 MB of the server. */
  idleSeconds?: number;
}

/** A connection and its state. */
export interface Link {
  sql: Sql;
  uses: number;
  /** Time of its last answer; 0 if it never answered. */
  answeredAt: number;
  /** Time before which it isn't used, because the connection it replaces could not be opened. */
  usableAt: number;
  /** Checks whether its server has turned read-only while another host might accept writes. */
  isOutdone(): boolean;
}

/** The connections of a lane. */
interface Links {
  /**
   * Takes the least busy connection.
   * @throws {AppError} `unavailable` if the database can't be reached or was closed
   */
  acquire(now: number): Link;
  release(link: Link): void;
  /** Replaces a connection with a fresh one. Its statements in flight fail. */
  replace(link: Link): void;
  part: Sql;
  close(): Promise<void>;
}

/**
 * Connect timeouts that let a returning database be used within two seconds, even if earlier packets were lost. With
 * several hosts each gets less, so that a statement's deadline covers the second host.
 */
const CONNECT_TIMEOUT_SECONDS = { alone: 1.7, oneOfSeveral: 1 };
/** Delay between attempts to connect; until then every use fails at once. */
const RETRY_MS = 100;
const IDLE_SECONDS = 60;
/**
 * Interval at which the server checks that the client is alive. A dead client's statement ends within it and releases
 * its locks.
 */
const CHECK_MS = 500;

/** Parameters that report a read-only server, at connect and whenever they change. */
const REFUSALS: ReadonlySet<string> = new Set(["in_hot_standby", "default_transaction_read_only"]);

export function openLinks(options: LinkOptions): Links {
  const links = Array.from({ length: options.connections }, () => newLink(options));
  let closed = false;
  return {
    acquire(now) {
      if (closed) throw unavailable("the database is closed");
      const usable = links.filter(({ usableAt }) => usableAt <= now);
      const [idlest] = usable.toSorted((a, b) => a.uses - b.uses);
      if (!idlest) throw unavailable("the database can't be reached");
      idlest.uses += 1;
      return idlest;
    },
    release(link) {
      link.uses -= 1;
    },
    replace(link) {
      const place = links.indexOf(link);
      if (place === -1 || closed) return;
      links[place] = newLink(options, link.answeredAt === 0 ? performance.now() + RETRY_MS : 0);
      link.sql.end({ timeout: 0 }).catch(() => undefined); // statements in flight have already been rejected
    },
    // Only builds fragments, so it never connects.
    part: newLink(options).sql,
    async close() {
      closed = true;
      await Promise.all(links.map(({ sql }) => sql.end({ timeout: 5 })));
    },
  };
}

/** Creates a connection that is opened on first use. */
function newLink(options: LinkOptions, usableAt = 0): Link {
  const isOneOfSeveral = namesSeveralHosts(options.url);
  const refusals = new Set<string>();
  const isOutdone = (): boolean => isOneOfSeveral && !options.isStandby && refusals.size > 0;
  const sql = postgres(options.url, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_SECONDS[isOneOfSeveral ? "oneOfSeveral" : "alone"],
    backoff: () => RETRY_MS / 1000,
    idle_timeout: options.idleSeconds ?? IDLE_SECONDS,
    fetch_types: false,
    onnotice: () => undefined,
    onparameter: (name, value) => {
      if (!REFUSALS.has(name)) return;
      if (value === "on") refusals.add(name);
      else refusals.delete(name);
    },
    connection: {
      application_name: options.applicationName,
      ...PLAIN_VALUES, // byte parameters and values arrive in a fixed text format
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      client_connection_check_interval: CHECK_MS,
      ...options.settings,
    },
  });
  registerArrays(sql);
  return { sql, uses: 0, answeredAt: 0, usableAt, isOutdone };
}
