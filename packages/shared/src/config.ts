/** One variable of the environment: how it is read and what it is for. */
export interface Variable<T> {
  describe: string;
  /** Shown in the documentation; `required` when there is no default, `none` when it may be absent. */
  fallback: string;
  /** Whether an empty value says something else than none. */
  keepsEmpty?: boolean;
  parse(raw: string | undefined): T;
}

type Values<S> = { readonly [K in keyof S]: S[K] extends Variable<infer T> ? T : never };

/** A text; without `fallback` it is required. */
export function text(describe: string, fallback?: string): Variable<string> {
  return variable(describe, (raw) => raw, fallback);
}

/** A text that may be absent. */
export function optional(describe: string): Variable<string | undefined> {
  return { describe, fallback: "none", parse: (raw) => raw };
}

/** An address that may be absent. */
export function optionalUrl(describe: string): Variable<string | undefined> {
  return { ...optional(describe), parse: (raw) => (raw === undefined ? undefined : httpUrl(raw)) };
}

/** `raw`, if it is an address by http or https. @throws {Error} otherwise, without it */
export function httpUrl(raw: string): string {
  if (!/^https?:$/.test(URL.parse(raw)?.protocol ?? "")) throw new Error("must be an http URL");
  return raw;
}

/** Where PostgreSQL is, and as whom; required. Of several hosts it is the one that takes writes. */
export function databaseUrl(describe: string): Variable<string> {
  return variable(describe, (raw) => {
    const url = URL.parse(raw.replace(FURTHER_HOSTS, ""));
    if (!url || !/^postgres(ql)?:\/\/./.test(raw))
      throw new Error("must be postgres://user:password@host:port/database, percent-encoded");
    decodeURIComponent(url.username + url.password);
    // The driver takes the name as it is written.
    if (url.pathname.includes("%")) throw new Error("can't name a database by percent-encoding: rename it");
    const alien = [...url.searchParams.keys()].find((name) => OF_OTHER_CLIENTS.test(name));
    if (alien) throw new Error(`can't have the parameter ${alien}: take it out`);
    return namesSeveralHosts(raw) ? ofPrimary(raw) : raw;
  });
}

/** Parameters of libpq and Prisma alone. The driver asks the server for what it doesn't know, and nobody gets in then. */
const OF_OTHER_CLIENTS =
  /^(ssl(rootcert|cert|certmode|key|password|crl|crldir|compression|sni)|ssl_m\w+_protocol_version|channel_binding|require_auth|gss\w+|krbsrvname|keepalives\w*|tcp_user_timeout|passfile|hostaddr|load_balance_hosts|pgbouncer|schema|connection_limit|pool_timeout)$/;

const FURTHER_HOSTS = /,[^@/?]*(?=[/?]|$)/;

/** Whether a database's address is of several hosts, as `postgres://user:password@one:5432,two:5432/name` is. */
export function namesSeveralHosts(url: string): boolean {
  return url.split(/[/?]/)[2]?.split("@").at(-1)?.includes(",") ?? false;
}

/** After a failover the first of several hosts may be a standby, which would let us in and take nothing. */
function ofPrimary(raw: string): string {
  if (/[?&]target_session_attrs=/.test(raw)) return raw;
  return `${raw}${raw.includes("?") ? "&" : "?"}target_session_attrs=read-write`;
}

/** A whole number within bounds; without `fallback` it is required. */
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

/** Texts separated by commas, blanks around them ignored; empty when absent. */
export function list(describe: string, fallback = ""): Variable<string[]> {
  return { describe, fallback: fallback || "none", parse: (raw) => commaSeparated(raw ?? fallback) };
}

/** `host:port` pairs separated by commas; empty when absent. One without its port would let nothing through. */
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

/** The parts between commas without the blanks around them; empty parts are left out. */
export function commaSeparated(raw: string): string[] {
  return raw
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** One of a closed set of words. */
export function choice<T extends string>(describe: string, words: readonly T[], fallback: T): Variable<T> {
  const parse = (raw: string) => {
    const found = words.find((word) => word === raw);
    if (found === undefined) throw new Error(`must be one of ${words.join(", ")}`);
    return found;
  };
  return variable(describe, parse, fallback);
}

/** A value with a reader of its own; `parse` throws a plain `Error` whose message says what is wrong. */
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
 * Reads `schema` from the environment; an empty variable counts as absent, unless it `keepsEmpty`.
 * @throws {Error} that names every variable that is wrong at once, never a value.
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

/** Errors of other kinds come from the runtime or a library, and may quote the value. */
function problemOf(error: unknown): string {
  return error instanceof Error && error.name === "Error" ? error.message : "is wrong";
}
