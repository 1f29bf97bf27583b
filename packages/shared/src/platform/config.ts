/** An environment variable: its parser and its description. */
export interface Variable<T> {
  describe: string;
  /** Default in the documentation; `required` if there is none, `none` if the variable may be absent. */
  fallback: string;
  /** Whether an empty value differs from an absent one. */
  keepsEmpty?: boolean;
  parse(raw: string | undefined): T;
}

type Values<S> = { readonly [K in keyof S]: S[K] extends Variable<infer T> ? T : never };

/** Returns a text variable. Without `fallback` it is required. */
export function text(describe: string, fallback?: string): Variable<string> {
  return variable(describe, (raw) => raw, fallback);
}

/** Returns a text variable that may be absent. */
export function optional(describe: string): Variable<string | undefined> {
  return { describe, fallback: "none", parse: (raw) => raw };
}

/** Returns a URL variable that may be absent. */
export function optionalUrl(describe: string): Variable<string | undefined> {
  return { ...optional(describe), parse: (raw) => (raw === undefined ? undefined : httpUrl(raw)) };
}

/** Returns `raw` if it is an http or https URL. @throws {Error} otherwise, without quoting it */
export function httpUrl(raw: string): string {
  if (!/^https?:$/.test(URL.parse(raw)?.protocol ?? "")) throw new Error("must be an http or https URL");
  return raw;
}

/**
 * Returns a required variable with PostgreSQL's address and user. If it has several hosts, the one that takes writes
 * is used.
 */
export function databaseUrl(describe: string): Variable<string> {
  return variable(describe, (raw) => parseDatabaseUrl(raw, "read-write"));
}

/**
 * Returns a variable with the address of a read replica, which may be absent. If it has several hosts, one that is a
 * standby is used.
 */
export function replicaUrl(describe: string): Variable<string | undefined> {
  return { ...optional(describe), parse: parseReplicaUrl };
}

function parseReplicaUrl(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : parseDatabaseUrl(raw, "standby");
}

function parseDatabaseUrl(raw: string, server: "read-write" | "standby"): string {
  const url = URL.parse(raw.replace(FURTHER_HOSTS, ""));
  if (!url || !/^postgres(ql)?:\/\/./.test(raw))
    throw new Error(
      "must be postgres://user:password@host:port/database with percent-encoded user and password",
    );
  decodeURIComponent(url.username + url.password);
  // The driver takes the name literally.
  if (url.pathname.includes("%"))
    throw new Error("names a database with percent-encoded characters; rename the database");
  const alien = [...url.searchParams.keys()].find((name) => OF_OTHER_CLIENTS.test(name));
  if (alien) throw new Error(`has the unsupported parameter ${alien}; remove it`);
  return namesSeveralHosts(raw) ? onlyOf(raw, server) : raw;
}

/**
 * Parameters of libpq and Prisma only. The driver sends unknown parameters to the server, which then rejects
 * connections.
 */
const OF_OTHER_CLIENTS =
  /^(ssl(rootcert|cert|certmode|key|password|crl|crldir|compression|sni)|ssl_m\w+_protocol_version|channel_binding|require_auth|gss\w+|krbsrvname|keepalives\w*|tcp_user_timeout|passfile|hostaddr|load_balance_hosts|pgbouncer|schema|connection_limit|pool_timeout)$/;

const FURTHER_HOSTS = /,[^@/?]*(?=[/?]|$)/;

/**
 * Returns whether a database's address has several hosts, such as `postgres://user:password@one:5432,two:5432/name`.
 */
export function namesSeveralHosts(url: string): boolean {
  return url.split(/[/?]/)[2]?.split("@").at(-1)?.includes(",") ?? false;
}

/**
 * Restricts an address to a kind of server. After a failover the first host may be a standby, which accepts connections
 * but no writes.
 */
function onlyOf(raw: string, server: "read-write" | "standby"): string {
  if (/[?&]target_session_attrs=/.test(raw)) return raw;
  return `${raw}${raw.includes("?") ? "&" : "?"}target_session_attrs=${server}`;
}

/** Returns a variable for a whole number within bounds. Without `fallback` it is required. */
export function integer(describe: string, fallback?: number, min = 0, max = 2 ** 31 - 1): Variable<number> {
  const parse = (raw: string) => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
  return variable(describe, parse, fallback);
}

/** Returns a variable for texts separated by commas, trimmed; empty when absent. */
export function list(describe: string, fallback = ""): Variable<string[]> {
  return { describe, fallback: fallback || "none", parse: (raw) => commaSeparated(raw ?? fallback) };
}

/**
 * Returns a variable for `host:port` pairs separated by commas; empty when absent. A host without a port would allow
 * nothing.
 */
export function hostPorts(describe: string): Variable<string[]> {
  const { parse, ...same } = list(describe);
  return {
    ...same,
    parse(raw) {
      const pairs = parse(raw);
      if (!pairs.every((pair) => HOST_PORT.test(pair)))
        throw new Error("must be host:port pairs, separated by commas");
      return pairs;
    },
  };
}

const HOST_PORT = /^(?:\[[\da-f:.]+\]|[^\s:/@[\]]+):\d{1,5}$/i;

/** Returns the trimmed parts between commas, without empty ones. */
export function commaSeparated(raw: string): string[] {
  return raw
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Returns a variable for one of a closed set of words. */
export function choice<T extends string>(describe: string, words: readonly T[], fallback: T): Variable<T> {
  const parse = (raw: string) => {
    const found = words.find((word) => word === raw);
    if (found === undefined) throw new Error(`must be one of ${words.join(", ")}`);
    return found;
  };
  return variable(describe, parse, fallback);
}

/** Returns a variable with its own parser. `parse` throws a plain `Error` whose message describes the problem. */
export function variable<T>(describe: string, parse: (raw: string) => T, fallback?: T): Variable<T> {
  return {
    describe,
    fallback: fallback === undefined ? "required" : String(fallback),
    parse: (raw) => {
      if (raw !== undefined) return parse(raw);
      if (fallback === undefined) throw new Error("is required");
      return fallback;
    },
  };
}

/**
 * Reads `schema` from the environment. An empty variable counts as absent, unless it `keepsEmpty`.
 * @throws {Error} that names all invalid variables at once, never a value
 */
export function loadConfig<S extends Record<string, Variable<unknown>>>(
  schema: S,
  env: Record<string, string | undefined>,
): Values<S> {
  const problems: string[] = [];
  const entries = Object.entries(schema).map(([name, { parse, keepsEmpty }]) => {
    try {
      return [name, parse(keepsEmpty ? env[name] : env[name] || undefined)];
    } catch (error) {
      problems.push(`${name} ${problemOf(error)}`);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new Error(`configuration: ${problems.join("; ")}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry came from the variable of its own name
  return Object.fromEntries(entries) as Values<S>;
}

/** Describes an error. Errors of other kinds come from the runtime or a library, and may quote the value. */
function problemOf(error: unknown): string {
  return error instanceof Error && error.name === "Error" ? error.message : "is invalid";
}
