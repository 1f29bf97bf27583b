import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { join } from "node:path";

import { Type as t } from "@sinclair/typebox";

import type { BusConnection } from "./bus/connection.ts";
import { call } from "./bus/request.ts";
import { defineRequest } from "./contract.ts";
import type { Schema } from "./database/migrate.ts";
import { parseKeyRing } from "./encryption/keyring.ts";
import { checkMasterKeys } from "./encryption/known-keys.ts";
import { runProgram, testBus, testDatabase, testSchema, testServers, type TestDatabase } from "./testing.ts";

const id = `s${crypto.randomUUID().slice(0, 8)}`;
const Ask = defineRequest(`${id}.things.ask`, {
  input: t.Object({}),
  output: t.Object({ name: t.String() }),
});

/** Of every service. */
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
    import { answer, serve } from "./bus/answer.ts";
    import { defineRequest } from "./contract.ts";
    import { parseKeyRing } from "./encryption/keyring.ts";
    import { runService, serveHealth } from "./service.ts";
    const settings = { LEEWAY_MASTER_KEYS: parseKeyRing(process.env.LEEWAY_MASTER_KEYS), DATABASE_URL: process.env.DATABASE_URL, NATS_URL: process.env.NATS_URL, LOG_LEVEL: "info", OTEL_EXPORTER_OTLP_ENDPOINT: process.env.COLLECTOR };
    const Ask = defineRequest("${id}.things.ask", { input: t.Object({}), output: t.Object({ name: t.String() }) });
    await runService(${JSON.stringify(schema)}, settings, async (platform) => {
      if (process.env.FAIL) throw new Error(process.env.FAIL);
      const handle = async () => {
        const [row] = await platform.database.system\`select pg_sleep(0.5)::text, current_user as name\`;
        return { name: row.name };
      };
      const health = serveHealth({ HEALTH_PORT: 0, LISTEN_ADDRESS: "127.0.0.1" }, platform);
      console.log(JSON.stringify({ port: health.port }));
      const stop = serve(platform.bus, { service: "shop", endpoints: [answer(Ask, handle)], log: platform.log });
      return { drain: stop };
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
});

const masterKey = (fill: number): string => `k1:${Buffer.alloc(32, fill).toString("base64")}`;

describe("a service", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "that gets %s, even twice, answers what it has and ends well",
    async (signal) => {
      const child = Bun.spawn([process.execPath, "-e", program], {
        cwd: import.meta.dir,
        env: { ...Bun.env, ...environment() },
        stdout: "pipe",
        stderr: "pipe",
      });
      let output = "";
      let asked: Promise<unknown> | undefined;
      for await (const chunk of child.stdout) {
        output += new TextDecoder().decode(chunk);
        if (asked || !output.includes('"serving"')) continue;
        const health = /\{"port":(\d+)\}/.exec(output)?.[1];
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

  test("whose collector of traces is away says so, and ends as well as any", async () => {
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: import.meta.dir,
      env: { ...Bun.env, ...environment(), COLLECTOR: "http://127.0.0.1:1" },
      stdout: "pipe",
    });
    let output = "";
    let asked: Promise<unknown> | undefined;
    let stopped = false;
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      if (!output.includes('"serving"')) continue;
      asked ??= call(bus, Ask, {});
      if (stopped || !output.includes("traces couldn't be sent")) continue;
      stopped = true;
      child.kill();
    }
    expect(await asked).toEqual({ name: "leeway_shop" });
    expect(await child.exited).toBe(0);
    expect(output).not.toContain("a promise was left alone");
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "that gets %s while it waits for its database ends at once",
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
    ["host isn't there", { hostname: "nowhere.invalid" }, "nowhere.invalid"],
    ["port is closed", { port: "1" }, "ECONNREFUSED"],
    ["password is another", { password: "no-secret-of-its-own" }, "password authentication failed"],
    ["name is another", { pathname: "/nowhere" }, 'database "nowhere" does not exist'],
  ])("whose database's %s says so before it gives up, without the password", async (_, wrong, reason) => {
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

  test("that gets fewer connections than it needs says so, and serves with those that it has", async () => {
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

  test("that can't start says why in one line and ends", async () => {
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
    "%s that is given other bytes of a master key that it had says so in one line and ends",
    async (service, name) => {
      const migrations = join(import.meta.dir, `../../../services/${service}/migrations`);
      const own = await testDatabase([{ name, service, migrations }]);
      const main = join(import.meta.dir, `../../../services/${service}/src/main.ts`);
      await checkMasterKeys(own.open(service).system, name, parseKeyRing(masterKey(7)));
      const child = Bun.spawn([process.execPath, main], {
        env: {
          ...Bun.env,
          ...environment(),
          DATABASE_URL: own.urlOf(service),
          LEEWAY_MASTER_KEYS: masterKey(8),
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
            `the master key k1 isn't the one that the schema ${name} knows by that name: ` +
            "give it the bytes that it had, or, if it is a new key, a name that none had before",
        },
      });
      await own.drop();
    },
  );

  test.each(SCHEMAS.map(([service]) => service))(
    "%s that isn't configured names all that is wrong in one line of its log and ends",
    async (service) => {
      const main = JSON.stringify(join(import.meta.dir, `../../../services/${service}/src/main.ts`));
      const failed = await runProgram(`await import(${main})`, {
        ...environment(),
        DATABASE_URL: "x",
        LEEWAY_MASTER_KEYS: "",
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
            /^configuration: DATABASE_URL must.*LEEWAY_MASTER_KEYS.*LOG_LEVEL must/,
          ),
        },
      });
    },
  );

  test.each([
    ["gateway", { DATABASE_URL: "postgres://leeway:p#w@db:5432/leeway" }],
    ["gateway", { DATABASE_URL: "postgres://leeway:p%w@db:5432/leeway" }],
    ["analyzer", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }],
    ["gateway", { OIDC_ISSUER: "login.example.com", OIDC_AUDIENCE: "leeway" }],
    ["inventory", { AWS_ENDPOINT_URL: "aws.internal" }],
    ["quota", { PLATFORM_LLM_BASE_URL: "models.internal/v1" }],
    ["webhooks", { GITHUB_APP_ID: "1" }],
    ["webhooks", { SMTP_URL: "smtp://mail:25" }],
  ])("%s says in one line of its log what is wrong with %j", async (service, wrong) => {
    const main = JSON.stringify(join(import.meta.dir, `../../../services/${service}/src/main.ts`));
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
      error: { message: expect.stringMatching(new RegExp(`^configuration: ${name}`)) },
    });
  });
});
