import { serviceUrl } from "@leeway/shared/bus/service-user";
import { isObject, type JsonObject, text } from "@leeway/shared/values/json";
import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "../local/ports.ts";
import { identityOf, isRunning, stopProcess } from "../local/process.ts";

/**
 * Service that answers on its port, prints its environment, and reports when it drains. A file `crash` in its folder
 * ends it at once, and `wait` keeps it from listening.
 */
const SERVICE = `
  import { existsSync } from "node:fs";
  if (existsSync(import.meta.dir + "/crash")) { console.log("no luck today"); process.exit(7); }
  if (existsSync(import.meta.dir + "/wait")) console.log("waits");
  while (existsSync(import.meta.dir + "/wait")) await Bun.sleep(20);
  for (const port of [process.env.PORT, process.env.HEALTH_PORT].filter(Boolean))
    Bun.serve({
      port: Number(port),
      hostname: process.env.LISTEN_ADDRESS,
      routes: {
        "/healthz": new Response("ok"),
        "/env": () => Response.json(process.env),
        ...(port === process.env.HEALTH_PORT && { "/readyz": new Response("ok") }),
      },
      fetch: () => new Response("none", { status: 404 }),
    });
  console.log("listens");
  process.send?.("serving");
  process.on("SIGTERM", () => { console.log("drained"); process.exit(0); });
`;

const entry = (root: string): string => `
  import { existsSync } from "node:fs";
  import { up } from ${JSON.stringify(join(import.meta.dir, "up.ts"))};
  const EVERY = ["DATABASE_URL", "NATS_URL", "LEEWAY_MASTER_KEYS", "LEEWAY_BUS_KEYS", "LISTEN_ADDRESS", "LOG_LEVEL"];
  const stack = {
    migrate: async (url, passwords) => console.log("migrated", url, JSON.stringify(passwords)),
    rewrap: async (url, keys) => console.log("rewrapped"),
    keepStreams: async () => undefined,
    build: async () => console.log("built"),
    services: [
      { name: "quota", variables: [...EVERY, "HEALTH_PORT"] },
      { name: "gateway", variables: [...EVERY, "HEALTH_PORT", "PORT", "PUBLIC_BASE_URL", "OPERATOR_TOKEN"] },
    ],
    createSignInLink: async (url, org) => "token-for-" + org,
    seed: async ({ previous, keep }) => {
      while (existsSync(${JSON.stringify(root)} + "/hold")) await Bun.sleep(20);
      const made = { org_id: crypto.randomUUID(), api_key: "leeway_" + crypto.randomUUID() };
      const demo = { member_key: "leeway_" + crypto.randomUUID(), ...(previous ?? made) };
      await keep(demo);
      return demo;
    },
  };
  void Bun.stdin.text().then(() => process.kill(process.pid, "SIGTERM"));
  process.exit(await up(stack, ${JSON.stringify(root)}));
`;

let root: string;
let dataDir: string;
const started: Bun.Subprocess[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "leeway-up-"));
  await chmod(root, 0o711);
  dataDir = join(root, ".leeway");
  for (const name of ["quota", "gateway"]) {
    await mkdir(join(root, "services", name, "src"), { recursive: true });
    await writeFile(join(root, "services", name, "src/main.ts"), SERVICE);
  }
  await writeFile(join(root, "entry.ts"), entry(root));
});

afterEach(async () => {
  for (const child of started.splice(0).toReversed()) await end(child);
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

interface Up {
  child: Bun.Subprocess;
  output: () => string;
}

function startUp(env: Record<string, string | undefined> = {}, ...args: string[]): Up {
  const child = Bun.spawn([process.execPath, "entry.ts", ...args], {
    cwd: root,
    env: { ...process.env, PORT: "0", DATABASE_URL: "", NATS_URL: "", LEEWAY_DATA_DIR: "", ...env },
    // Closing it stops the process if this test is killed.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    void (async () => {
      for await (const chunk of stream) output += new TextDecoder().decode(chunk);
    })();
  }
  return { child, output: () => output };
}

async function end(child: Bun.Subprocess): Promise<void> {
  const identity = identityOf(child.pid);
  if (identity) await stopProcess(identity);
  await child.exited;
}

async function until(claim: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const deadline = performance.now() + 100_000;
  while (!(await claim())) {
    if (performance.now() > deadline) throw new Error(`not in time:\n${what()}`);
    await Bun.sleep(20);
  }
}

async function reportOf({ output }: Up): Promise<JsonObject> {
  await until(() => existsSync(join(dataDir, "up.json")), output);
  const report: unknown = await Bun.file(join(dataDir, "up.json")).json();
  return isObject(report) ? report : {};
}

function pids(report: JsonObject): Record<string, number> {
  const value = report["pids"];
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, Number(v)])) : {};
}

async function query(report: JsonObject, statement: string): Promise<unknown[]> {
  await using sql = new SQL(text(report, "database_url") ?? "", { max: 1 });
  return await sql.unsafe(statement);
}

describe("up", () => {
  test("starts everything and prints its URLs and keys only to its owner", async () => {
    const up = startUp({ LOG_LEVEL: "debug", SMTP_URL: "smtp://user:secret@mail.example.com" });
    const report = await reportOf(up);

    expect((await stat(join(dataDir, "up.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
    expect(await query(report, "select current_database() as name")).toEqual([{ name: "leeway" }]);
    expect(text(report, "nats_url")).toStartWith("nats://leeway:");
    await until(() => up.output().includes("Ctrl-C"), up.output);
    for (const key of ["base_url", "org_id"]) {
      expect(up.output()).toContain(text(report, key) ?? "missing");
    }
    const lines = up.output().trimEnd().split("\n");
    expect(lines.at(-1)).toBe(`${text(report, "base_url")}/#link=token-for-${text(report, "org_id")}`);
    expect(lines.length).toBeLessThan(20);
    // The services' own lines are in the log, which only its owner can read.
    expect(up.output()).not.toContain("listens");
    const log = join(dataDir, "up.log");
    expect(await Bun.file(log).text()).toMatch(/gateway +\| listens/);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
    for (const secret of [
      text(report, "api_key"),
      text(report, "operator_token"),
      new URL(text(report, "database_url") ?? "").password,
    ]) {
      expect(up.output().replace(/migrated .*/u, "")).not.toContain(secret ?? "missing");
    }
    expect(Object.keys(pids(report))).toEqual(["up", "postgres", "nats", "quota", "gateway"]);

    const env: unknown = await (await fetch(`${text(report, "base_url")}/env`)).json();
    expect(env).toMatchObject({
      NATS_URL: serviceUrl(text(report, "nats_url") ?? "", "gateway"),
      OPERATOR_TOKEN: text(report, "operator_token"),
      PUBLIC_BASE_URL: text(report, "base_url"),
      LEEWAY_MASTER_KEYS: expect.stringMatching(/^k\d{8}\.gateway:[A-Za-z0-9+/]{43}=$/),
      LEEWAY_BUS_KEYS: expect.stringMatching(/^k\d{8}\.gateway-quota:[A-Za-z0-9+/]{43}=$/),
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/leeway_gateway:[\w-]+@127.0.0.1:\d+\/leeway$/),
      LOG_LEVEL: "debug",
      LISTEN_ADDRESS: "127.0.0.1",
    });
    expect(env).not.toHaveProperty("SMTP_URL");
    expect(env).toHaveProperty("HEALTH_PORT", expect.stringMatching(/^\d+$/));
  });

  test("reaches its own services directly when a proxy is set", async () => {
    const proxy = "http://127.0.0.1:1";
    const report = await reportOf(startUp({ HTTP_PROXY: proxy, http_proxy: proxy, no_proxy: "example.com" }));
    const env: unknown = await (await fetch(`${text(report, "base_url")}/env`)).json();
    expect(env).toMatchObject({ HTTP_PROXY: proxy, no_proxy: "127.0.0.1,example.com" });
  });

  test.if(process.platform === "linux")("is reachable only at the configured address", async () => {
    const report = await reportOf(startUp({ LISTEN_ADDRESS: "127.0.0.2" }));
    expect(text(report, "base_url")).toStartWith("http://127.0.0.2:");
    expect((await fetch(`${text(report, "base_url")}/env`)).status).toBe(200);
  });

  test("drains the services on SIGTERM, then stops the servers, and leaves nothing running", async () => {
    const up = startUp({}, "--logs");
    const running = Object.values(pids(await reportOf(up))).map(identityOf);
    up.child.kill("SIGTERM");
    // As from a terminal, which signals the whole group, and from a launcher that forwards the signal.
    up.child.kill("SIGTERM");
    expect(await up.child.exited).toBe(0);
    expect(up.output()).toMatch(/gateway +\| drained[^]*quota +\| drained[^]*leeway +\| stopped/);
    expect(running.filter((identity) => identity && isRunning(identity))).toEqual([]);
    expect(existsSync(join(dataDir, "up.json"))).toBe(false);
  });

  test("started twice prints the first one's URL and changes nothing", async () => {
    await writeFile(join(root, "hold"), "");
    const first = startUp();
    await until(() => first.output().includes("demo organization"), first.output);
    const early = startUp();
    await until(() => early.output().includes("right now: waiting for that"), early.output);
    await rm(join(root, "hold"));
    const report = await reportOf(first);
    const late = startUp();
    for (const second of [early, late]) {
      expect(await second.child.exited).toBe(0);
      expect(second.output()).toContain(`Leeway runs at ${text(report, "base_url")}`);
    }
    expect(await (await fetch(`${text(report, "base_url")}/healthz`)).text()).toBe("ok");
  });

  test("started while the first is stopping takes over from it", async () => {
    const first = startUp();
    const before = await reportOf(first);
    first.child.kill("SIGTERM");
    await until(() => !existsSync(join(dataDir, "up.json")), first.output);
    const second = startUp();
    const after = await reportOf(second);
    expect(pids(after)["up"]).toBe(second.child.pid);
    expect(text(after, "api_key")).toBe(text(before, "api_key") ?? "missing");
  });

  test("stops leftovers after a kill -9, and keeps data, secrets and key", async () => {
    const first = startUp();
    const before = await reportOf(first);
    await query(before, "create table kept as select 42 as answer");
    const left = Object.values(pids(before)).map(identityOf);
    first.child.kill("SIGKILL");
    await first.child.exited;
    expect(left.filter((identity) => identity && isRunning(identity)).length).toBeGreaterThan(3);

    const second = startUp();
    await until(() => /demo organization … [\d.]+ s/.test(second.output()), second.output);
    const after = await reportOf(second);
    expect(left.filter((identity) => identity && isRunning(identity))).toEqual([]);
    expect(await query(after, "select answer from kept")).toEqual([{ answer: 42 }]);
    for (const key of ["org_id", "api_key", "operator_token"]) expect(after[key]).toBe(before[key] ?? "");
  });

  test("replaces damaged files if possible, and otherwise says what to do", async () => {
    for (const name of ["demo", "processes", "nats"]) await writeFile(join(dataDir, `${name}.json`), "{");
    const first = startUp();
    expect(text(await reportOf(first), "api_key")).toStartWith("leeway_");
    await writeFile(join(dataDir, "up.json"), "{");
    const second = startUp();
    expect(await second.child.exited).toBe(1);
    expect(second.output()).toContain("up.json is damaged: stop it with Ctrl-C there, and start it again");
  });

  test("restarts killed processes, PostgreSQL and NATS included, at the same URLs", async () => {
    const up = startUp();
    const report = await reportOf(up);
    for (const name of ["quota", "gateway", "nats", "postgres"]) {
      process.kill(pids(report)[name]!, "SIGKILL");
      await until(async () => pids(await reportOf(up))[name] !== pids(report)[name], up.output);
      expect(up.output()).toContain(`${name} ended (code 137): starting it again`);
    }
    const after = await reportOf(up);
    expect({ ...after, pids: {} }).toEqual({ ...report, pids: {} });
    expect(await query(after, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("stops with the last output of a service that keeps exiting at once", async () => {
    const crash = join(root, "services/quota/src/crash");
    await writeFile(crash, "");
    const up = startUp();
    expect(await up.child.exited).toBe(1);
    expect(up.output()).toMatch(/quota ended at once, 5 times in a row; it said:\nno luck today/);
    await rm(crash);
  });

  test("names the port in use and the setting to change", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
    const up = startUp({ PORT: String(server.port) });
    expect(await up.child.exited).toBe(1);
    expect(up.output()).toContain(`port ${server.port} is taken by another program: set PORT`);
  });

  test("doesn't mistake another program on its port for its own gateway", async () => {
    const wait = join(root, "services/gateway/src/wait");
    await writeFile(wait, "");
    const port = await freePort();
    const up = startUp({ PORT: String(port) }, "--logs");
    await until(() => up.output().includes("waits"), up.output);
    using server = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response("ok") });
    await rm(wait);
    expect(await up.child.exited).toBe(1);
    expect(up.output()).toContain(`port ${server.port} is taken by another program: set PORT`);
    expect(up.output()).not.toContain("services: ready");
  });

  test("reports an invalid PORT, DATABASE_URL or NATS_URL", async () => {
    const port = startUp({ PORT: "http" });
    expect(await port.child.exited).toBe(1);
    expect(port.output()).toContain('PORT is "http"');
    const database = startUp({ DATABASE_URL: `postgres://someone:secret@127.0.0.1:${await freePort()}/x` });
    expect(await database.child.exited).toBe(1);
    expect(database.output()).toContain("can't connect to DATABASE_URL");
    expect(database.output()).not.toContain("secret");
    const bus = startUp({ NATS_URL: `nats://someone:secret@127.0.0.1:${await freePort()}` });
    expect(await bus.child.exited).toBe(1);
    expect(bus.output()).toContain("can't connect to NATS_URL: nothing listens at 127.0.0.1:");
    expect(bus.output()).not.toContain("secret");
    for (const [name, form] of [
      ["NATS_URL", "one or more nats://"],
      ["DATABASE_URL", "postgres://"],
    ] as const) {
      const odd = startUp({ [name]: ":::" });
      expect(await odd.child.exited).toBe(1);
      expect(odd.output()).toContain(`configuration: ${name} must be ${form}`);
    }
  });
});
