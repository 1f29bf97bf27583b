import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { join } from "node:path";

import { Type as t } from "@sinclair/typebox";

import type { BusConnection } from "../bus/connection.ts";
import { call } from "../bus/request.ts";
import { defineRequest } from "../contracts/contract.ts";
import type { Schema } from "../database/migrate.ts";
import { parseKeyRing } from "../security/encryption/keyring.ts";
import { checkMasterKeys } from "../security/encryption/known-keys.ts";
import {
  runProgram,
  testBus,
  testBusKeys,
  testDatabase,
  testSchema,
  testServers,
  type TestDatabase,
} from "../testing/testing.ts";

const id = `s${crypto.randomUUID().slice(0, 8)}`;
const Ask = defineRequest(`${id}.things.ask`, {
  input: t.Object({}),
  output: t.Object({ name: t.String() }),
});

/** Variables of every service. */
const SCHEMAS = [
  ["analyzer", "analyzer"],
  ["gateway", "identity"],
  ["inventory", "inventory"],
  ["quota", "quota"],
  ["webhooks", "webhooks"],
] as const;

let schema: Schema;
let db: TestDatabase;
let bus: BusConnection;
let program: string;

beforeAll(async () => {
  schema = await testSchema("shop", {
    "0001_create_things.sql": `
      create table shop.master_keys (id text primary key, check_value bytea not null);
      grant select, insert on shop.master_keys to leeway_shop;`,
  });
  db = await testDatabase([schema]);
  bus = await testBus();
  program = `
    import { Type as t } from "@sinclair/typebox";
    import { answer } from "../bus/answer.ts";
    import { loadConfig } from "../platform/config.ts";
    import { defineRequest } from "../contracts/contract.ts";
    import { HEALTH_VARIABLE, runService, SERVICE_VARIABLES } from "../service/service.ts";
    const Ask = defineRequest("${id}.things.ask", { input: t.Object({}), output: t.Object({ name: t.String() }) });
    await runService({
      schema: ${JSON.stringify(schema)},
      parts: { service: "shop", durables: [] },
      readConfig: (env) => loadConfig({ ...SERVICE_VARIABLES, ...HEALTH_VARIABLE }, env),
      start(dependencies) {
        if (process.env.FAIL) throw new Error(process.env.FAIL);
        return { dependencies, drain: async () => {} };
      },
      handlers: ({ database }) => [
        answer(Ask, async () => {
          const [row] = await database.system\`select pg_sleep(0.5)::text, current_user as name\`;
          return { name: row.name };
        }),
      ],
    });`;
});

afterAll(async () => {
  await bus.nats.close();
  await db.drop();
});

const environment = (): Record<string, string> => ({
  DATABASE_URL: db.urlOf("shop"),
  NATS_URL: testServers().natsUrl,
  LEEWAY_MASTER_KEYS: masterKey(7),
  LEEWAY_BUS_KEYS: testBusKeys("shop"),
  HEALTH_PORT: "0",
});

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop();
  return port;
}

const masterKey = (fill: number): string => `k1:${Buffer.alloc(32, fill).toString("base64")}`;

describe("a service", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "that gets %s, even twice, finishes its requests and exits with 0",
    async (signal) => {
      const health = freePort();
      const child = Bun.spawn([process.execPath, "-e", program], {
        cwd: import.meta.dir,
        env: { ...Bun.env, ...environment(), HEALTH_PORT: `${health}` },
        stdout: "pipe",
        stderr: "pipe",
      });
      let output = "";
      let asked: Promise<unknown> | undefined;
      for await (const chunk of child.stdout) {
        output += new TextDecoder().decode(chunk);
        if (asked || !output.includes('"serving"')) continue;
        for (const [path, status] of [
          ["healthz", 200],
          ["readyz", 200],
          ["metrics", 200],
          ["x", 404],
        ] as const)
          expect((await fetch(`http://127.0.0.1:${health}/${path}`)).status).toBe(status);
        asked = Promise.all([call(bus, Ask, {}), call(bus, Ask, {})]);
        await Bun.sleep(150);
        child.kill(signal);
        child.kill(signal);
      }
      expect(await asked).toEqual([{ name: "leeway_shop" }, { name: "leeway_shop" }]);
      expect(await new Response(child.stderr).text()).toBe("");
      expect({ code: await child.exited, stopped: output.match(/"stopping"/g)?.length }).toEqual({
        code: 0,
        stopped: 1,
      });
    },
  );

  test("that can't stop in time logs what it waits for and exits with 1", async () => {
    const hanging = program.replace("drain: async () => {}", "drain: () => new Promise(() => {})");
    const child = Bun.spawn([process.execPath, "-e", hanging], {
      cwd: import.meta.dir,
      env: { ...Bun.env, ...environment() },
      stdout: "pipe",
    });
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      if (output.includes('"serving"') && !output.includes('"stopping"')) child.kill();
    }
    expect(await child.exited).toBe(1);
    const last: unknown = JSON.parse(output.trim().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ level: "error", step: "workers and loops" });
  });

  test("whose trace collector is down logs that and exits normally", async () => {
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: import.meta.dir,
      env: { ...Bun.env, ...environment(), OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" },
      stdout: "pipe",
    });
    let output = "";
    let asked: Promise<unknown> | undefined;
    let stopped = false;
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      if (!output.includes('"serving"')) continue;
      asked ??= call(bus, Ask, {});
      if (stopped || !output.includes("couldn't send traces")) continue;
      stopped = true;
      child.kill();
    }
    expect(await asked).toEqual({ name: "leeway_shop" });
    expect(await child.exited).toBe(0);
    expect(output).not.toContain("unhandled promise rejection");
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "that gets %s while waiting for its database exits at once",
    async (signal) => {
      const waiting = `${program.replace("await runService", "const over = runService")} console.log("waiting"); await over;`;
      const child = Bun.spawn([process.execPath, "-e", waiting], {
        cwd: import.meta.dir,
        env: { ...Bun.env, ...environment(), DATABASE_URL: "postgres://nobody@127.0.0.1:1/shop" },
        stdout: "pipe",
        stderr: "pipe",
      });
      for await (const chunk of child.stdout)
        if (new TextDecoder().decode(chunk).includes("waiting")) child.kill(signal);
      expect({ code: await child.exited, killed: child.signalCode }).toEqual({ code: 0, killed: null });
    },
  );

  test.each([
    ["host doesn't exist", { hostname: "nowhere.invalid" }, "nowhere.invalid"],
    ["port is closed", { port: "1" }, "ECONNREFUSED"],
    ["password is wrong", { password: "no-secret-of-its-own" }, "password authentication failed"],
    ["name is wrong", { pathname: "/nowhere" }, 'database "nowhere" does not exist'],
  ])("whose database's %s logs the reason without the password", async (_, wrong, reason) => {
    const url = Object.assign(new URL(db.urlOf("shop")), wrong);
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: import.meta.dir,
      env: { ...Bun.env, ...environment(), DATABASE_URL: url.href },
      stdout: "pipe",
    });
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      if (output.includes("\n")) child.kill();
    }
    const [line = ""] = output.split("\n");
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      message: "waiting for the database",
      error: { message: expect.stringContaining(reason) },
    });
    expect(line).not.toContain(`:${url.password}@`);
  });

  test("with too few database connections logs that and keeps serving", async () => {
    const full = await testDatabase([schema]);
    await full.admin.unsafe(`alter database ${new URL(full.adminUrl).pathname.slice(1)} connection limit 4`);
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: import.meta.dir,
      env: { ...Bun.env, ...environment(), DATABASE_URL: full.urlOf("shop") },
      stdout: "pipe",
    });
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      if (output.includes('"serving"')) child.kill();
    }
    const [line = ""] = output.split("\n");
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      message: "too few connections to the database",
      error: { causes: [expect.stringContaining("too many connections")] },
    });
    await full.drop();
  });

  test("that can't start logs the reason in one line and exits", async () => {
    const failed = await runProgram(program, { ...environment(), FAIL: "no such bucket" });
    const lines = failed.stdout.trim().split("\n");
    expect({ code: failed.exitCode, lines: lines.length, stderr: failed.stderr }).toEqual({
      code: 1,
      lines: 1,
      stderr: "",
    });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "error",
      service: "shop",
      message: "couldn't start",
      error: { message: "no such bucket" },
    });
  });

  test.each([...SCHEMAS])(
    "%s with changed bytes of a known master key logs that in one line and exits",
    async (service, name) => {
      const migrations = join(import.meta.dir, `../../../../services/${service}/migrations`);
      const own = await testDatabase([{ name, service, migrations }]);
      const main = join(import.meta.dir, `../../../../services/${service}/src/main.ts`);
      await checkMasterKeys(own.open(service).system, name, parseKeyRing(masterKey(7)));
      const child = Bun.spawn([process.execPath, main], {
        env: {
          ...Bun.env,
          ...environment(),
          DATABASE_URL: own.urlOf(service),
          LEEWAY_MASTER_KEYS: masterKey(8),
          LEEWAY_BUS_KEYS: testBusKeys(service),
          OPERATOR_TOKEN: "x".repeat(32),
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      let output = "";
      for await (const chunk of child.stdout) {
        output += new TextDecoder().decode(chunk);
        if (output.includes('"serving"')) child.kill();
      }
      const [line = "", ...others] = output.trim().split("\n");
      expect({ code: await child.exited, others }).toEqual({ code: 1, others: [] });
      expect(await new Response(child.stderr).text()).toBe("");
      expect(JSON.parse(line)).toMatchObject({
        message: "couldn't start",
        error: {
          message:
            `the master key k1 differs from the key that the schema ${name} knows by this id: ` +
            "restore the original key, or give a new key an id that was never used",
        },
      });
      await own.drop();
    },
  );

  test.each(SCHEMAS.map(([service]) => service))(
    "%s without configuration logs all missing variables in one line and exits",
    async (service) => {
      const main = JSON.stringify(join(import.meta.dir, `../../../../services/${service}/src/main.ts`));
      const failed = await runProgram(`await import(${main})`, {
        ...environment(),
        DATABASE_URL: "x",
        LEEWAY_MASTER_KEYS: "",
        LEEWAY_BUS_KEYS: "",
        LOG_LEVEL: "loud",
      });
      expect({ code: failed.exitCode, stderr: failed.stderr }).toEqual({ code: 1, stderr: "" });
      const [line = "", ...others] = failed.stdout.trim().split("\n");
      expect(others).toEqual([]);
      expect(JSON.parse(line)).toMatchObject({
        service,
        message: "couldn't start",
        error: {
          message: expect.stringMatching(
            /^configuration: DATABASE_URL must.*LEEWAY_MASTER_KEYS.*LEEWAY_BUS_KEYS.*LOG_LEVEL must/,
          ),
        },
      });
    },
  );

  test("with the bus keys of another service names the wrong pair in one line of its log and ends", async () => {
    const main = JSON.stringify(join(import.meta.dir, "../../../../services/quota/src/main.ts"));
    const failed = await runProgram(`await import(${main})`, {
      ...environment(),
      LEEWAY_BUS_KEYS: testBusKeys("inventory"),
    });
    expect({ code: failed.exitCode, stderr: failed.stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(failed.stdout)).toMatchObject({
      message: "couldn't start",
      error: {
        message:
          "LEEWAY_BUS_KEYS has a key of analyzer-inventory, not of quota: use the keys of the quota service",
      },
    });
  });

  test.each([
    ["gateway", { DATABASE_URL: "postgres://leeway:p#w@db:5432/leeway" }],
    ["gateway", { DATABASE_URL: "postgres://leeway:p%w@db:5432/leeway" }],
    ["analyzer", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }],
    ["gateway", { OIDC_ISSUER: "login.example.com", OIDC_AUDIENCE: "leeway" }],
    ["inventory", { AWS_ENDPOINT_URL: "aws.internal" }],
    ["quota", { PLATFORM_LLM_BASE_URL: "models.internal/v1" }],
    ["webhooks", { GITHUB_APP_ID: "1" }],
    ["webhooks", { SMTP_URL: "smtp://mail:25" }],
  ])("%s logs in one line what is wrong with %j", async (service, wrong) => {
    const main = JSON.stringify(join(import.meta.dir, `../../../../services/${service}/src/main.ts`));
    const failed = await runProgram(`await import(${main})`, {
      ...environment(),
      ...wrong,
    });
    expect({ code: failed.exitCode, stderr: failed.stderr }).toEqual({ code: 1, stderr: "" });
    const [line = "", ...others] = failed.stdout.trim().split("\n");
    expect(others).toEqual([]);
    const [name] = Object.keys(wrong);
    expect(JSON.parse(line)).toMatchObject({
      service,
      message: "couldn't start",
      error: { message: expect.stringMatching(new RegExp(`^configuration: .*\\b${name}\\b`)) },
    });
  });
});
