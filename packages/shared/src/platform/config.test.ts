import { describe, expect, test } from "bun:test";

import {
  choice,
  databaseUrl,
  hostPorts,
  integer,
  list,
  loadConfig,
  optional,
  text,
  variable,
  replicaUrl,
} from "./config.ts";
import { parseKeyRing } from "../security/encryption/keyring.ts";

const SCHEMA = {
  NAME: text("a name"),
  GREETING: text("a greeting", "hello"),
  NOTE: optional("a note"),
  PORT: integer("a port", 8080, 1, 65_535),
  COUNT: integer("a count"),
  HOSTS: list("some hosts"),
  LEVEL: choice("a level", ["low", "high"], "low"),
  KEYS: variable("keys", parseKeyRing),
  DATABASE: databaseUrl("a database"),
  ADDRESS: variable("an address", (raw) => new URL(raw).host, "none"),
};
const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const DATABASE = "postgres://someone@localhost/leeway";
const RIGHT = { NAME: "n", COUNT: "0", KEYS, DATABASE };

function problem(env: Record<string, string | undefined>): string {
  try {
    loadConfig(SCHEMA, env);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

test.each(["localhost", "git.internal:443,other", "https://a.b:443", "a:b", "[::1]", ":443"])(
  "%s isn't a list of hosts with ports",
  (raw) => {
    const message = "configuration: ALLOW must be host:port pairs, separated by commas";
    expect(() => loadConfig({ ALLOW: hostPorts("hosts") }, { ALLOW: raw })).toThrow(message);
  },
);

test.each([
  "postgres://localhost/leeway",
  "postgresql://leeway:p,w%40@db:5432/leeway?sslmode=verify-full",
  "postgres://leeway:pw@db/leeway?options=-c%20search_path=a,b",
  "postgres://leeway:pw@db/leeway?sslmode=require&connect_timeout=10&application_name=leeway",
  "postgres://leeway:pw@first:5432,second:5433/leeway?target_session_attrs=primary",
])("%s is a database URL", (raw) => {
  expect(loadConfig({ DATABASE_URL: databaseUrl("it") }, { DATABASE_URL: raw }).DATABASE_URL).toBe(raw);
});

test.each([
  ["postgres://leeway:pw@first:5432,second:5433/leeway", "?target_session_attrs=read-write"],
  ["postgres://leeway:pw@first,second/leeway?sslmode=require", "&target_session_attrs=read-write"],
  ["postgres://leeway:pw@[::1]:5432,second", "?target_session_attrs=read-write"],
])("a database URL with the hosts %s prefers the writable one", (raw, added) => {
  const { DATABASE_URL } = loadConfig({ DATABASE_URL: databaseUrl("it") }, { DATABASE_URL: raw });
  expect(DATABASE_URL).toBe(`${raw}${added}`);
});

test("a read replica with several hosts is the first that is a standby", () => {
  const raw = "postgres://leeway:pw@first,second/leeway";
  const { DATABASE_READ_URL } = loadConfig(
    { DATABASE_READ_URL: replicaUrl("it") },
    { DATABASE_READ_URL: raw },
  );
  expect(DATABASE_READ_URL).toBe(`${raw}?target_session_attrs=standby`);
});

test.each(["sslrootcert", "channel_binding", "keepalives_idle", "pgbouncer"])(
  "a database URL with %s, which the driver would send to the server, is refused",
  (name) => {
    const DATABASE_URL = `postgres://leeway:pw@db/leeway?sslmode=require&${name}=canary`;
    expect(() => loadConfig({ DATABASE_URL: databaseUrl("it") }, { DATABASE_URL })).toThrow(
      `configuration: DATABASE_URL has the unsupported parameter ${name}; remove it`,
    );
  },
);

test("a percent-encoded database name is refused", () => {
  const DATABASE_URL = "postgres://leeway:pw@db/my%20base";
  expect(() => loadConfig({ DATABASE_URL: databaseUrl("it") }, { DATABASE_URL })).toThrow(
    "DATABASE_URL names a database with percent-encoded characters; rename the database",
  );
});

test("host and port pairs accept names and IPv4 and IPv6 addresses", () => {
  const ALLOW = "git.internal:443, 10.0.0.1:8080,[fd00::1]:443";
  expect(loadConfig({ ALLOW: hostPorts("hosts") }, { ALLOW }).ALLOW).toHaveLength(3);
  expect(loadConfig({ ALLOW: hostPorts("hosts") }, {}).ALLOW).toEqual([]);
});

describe("a configuration", () => {
  test("has the given values, and defaults for the others", () => {
    const config = loadConfig(SCHEMA, { ...RIGHT, HOSTS: " a, ,b ", LEVEL: "high", PORT: "99" });
    expect({ ...config, KEYS: config.KEYS.current.id }).toEqual({
      NAME: "n",
      GREETING: "hello",
      NOTE: undefined,
      PORT: 99,
      COUNT: 0,
      HOSTS: ["a", "b"],
      LEVEL: "high",
      KEYS: "k1",
      DATABASE,
      ADDRESS: "none",
    });
  });

  test("treats an empty variable as missing", () => {
    expect(loadConfig(SCHEMA, { ...RIGHT, GREETING: "", PORT: "" })).toMatchObject({
      GREETING: "hello",
      PORT: 8080,
    });
    expect(problem({ ...RIGHT, NAME: "" })).toBe("configuration: NAME is required");
  });

  test("reports all errors in one message, without the values", () => {
    const secret = "Canary7hunter2";
    const message = problem({
      PORT: secret,
      COUNT: "-1",
      LEVEL: secret,
      KEYS: secret,
      DATABASE: secret,
      ADDRESS: secret,
      NOTE: secret,
    });
    expect(message).toBe(
      "configuration: NAME is required; PORT must be a whole number from 1 to 65535; " +
        "COUNT must be a whole number from 0 to 2147483647; LEVEL must be one of low, high; " +
        'KEYS key 1 needs an id of letters, digits, "_", "." or "-"; ' +
        "DATABASE must be postgres://user:password@host:port/database with percent-encoded user and password; ADDRESS is invalid",
    );
  });

  test.each(["0x10", "1e3", " 7", "7 ", "7.0", "1.5", "NaN", "Infinity", "9".repeat(400), "٣"])(
    "refuses %p as an integer",
    (raw) => {
      expect(problem({ ...RIGHT, COUNT: raw })).toContain("COUNT must be a whole number");
    },
  );

  test("documents every variable", () => {
    expect(Object.values(SCHEMA).map(({ fallback }) => fallback)).toEqual([
      "required",
      "hello",
      "none",
      "8080",
      "required",
      "none",
      "low",
      "required",
      "required",
      "none",
    ]);
  });
});
