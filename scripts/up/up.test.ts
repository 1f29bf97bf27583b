import { serviceUrl } from "@leeway/shared/bus/service-user";
import { isObject, type JsonObject, text } from "@leeway/shared/json";
import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "../local/ports.ts";
import { identityOf, isRunning, stopProcess } from "../local/process.ts";

/**
 * Answers on its port, tells its environment, and says when it drains. `crash` in its folder ends it at once, `wait` there keeps
 * it from its port.
 */
const SERVICE = `
  import { existsSync } from "node:fs";
  if (existsSync(import.meta.dir + "/crash")) { console.log("no luck today"); process.exit(7); }
  if (existsSync(import.meta.dir + "/wait")) console.log("waits");
  while (existsSync(import.meta.dir + "/wait")) await Bun.sleep(20);
  const server = Bun.serve({
    port: Number(process.env.PORT ?? process.env.HEALTH_PORT),
    hostname: process.env.LISTEN_ADDRESS,
    routes: { "/readyz": new Response("ok"), "/env": () => Response.json(process.env) },
    fetch: () => new Response("none", { status: 404 }),
  });
  console.log("listens");
  process.send?.("serving");
  process.on("SIGTERM", () => { console.log("drained"); process.exit(0); });
`;

const entry = (root: string): string => `
  import { existsSync } from "node:fs";
  import { up } from ${JSON.stringify(join(import.meta.dir, "up.ts"))};
  const stack = {
    migrate: async (url, passwords) => console.log("migrated", url, JSON.stringify(passwords)),
    build: async () => console.log("built"),
    services: [{ name: "quota", env: { EXTRA: "1" } }, { name: "gateway", env: {} }],
    seed: async ({ previous, keep }) => {
      while (existsSync(${JSON.stringify(root)} + "/hold")) await Bun.sleep(20);
      const demo = previous ?? { org_id: crypto.randomUUID(), api_key: "leeway_" + crypto.randomUUID() };
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

function startUp(env: Record<string, string | undefined> = {}): Up {
  const child = Bun.spawn([process.execPath, "entry.ts"], {
    cwd: root,
    env: { ...process.env, PORT: "0", DATABASE_URL: "", NATS_URL: "", LEEWAY_DATA_DIR: "", ...env },
    // Its end stops it, should this test be killed.
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
  const deadline = performance.now() + 20_000;
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
  test("starts everything and tells how to reach it, to its owner alone", async () => {
    const up = startUp({ LOG_LEVEL: "debug", CLOUD_PROVIDERS: "aws" });
    const report = await reportOf(up);

    expect((await stat(join(dataDir, "up.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
    expect(await query(report, "select current_database() as name")).toEqual([{ name: "leeway" }]);
    expect(text(report, "nats_url")).toStartWith("nats://leeway:");
    await until(() => up.output().includes("Ctrl-C"), up.output);
    for (const key of ["base_url", "org_id", "api_key", "operator_token", "database_url", "nats_url"]) {
      expect(up.output()).toContain(text(report, key) ?? "missing");
    }
    expect(Object.keys(pids(report))).toEqual(["up", "postgres", "nats", "quota", "gateway"]);

    const env: unknown = await (await fetch(`${text(report, "base_url")}/env`)).json();
    expect(env).toMatchObject({
      NATS_URL: serviceUrl(text(report, "nats_url") ?? "", "gateway"),
      OPERATOR_TOKEN: text(report, "operator_token"),
      PUBLIC_BASE_URL: text(report, "base_url"),
      LEEWAY_MASTER_KEYS: expect.stringMatching(/^k\d{8}:[A-Za-z0-9+/]{43}=$/),
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/leeway_gateway:[\w-]+@127.0.0.1:\d+\/leeway$/),
      LOG_LEVEL: "debug",
      CLOUD_PROVIDERS: "aws",
      LISTEN_ADDRESS: "127.0.0.1",
    });
    expect(env).not.toHaveProperty("HEALTH_PORT");
  });

  test("finds its own services where a proxy leads to all others", async () => {
    const proxy = "http://127.0.0.1:1";
    const report = await reportOf(startUp({ HTTP_PROXY: proxy, http_proxy: proxy, no_proxy: "example.com" }));
    const env: unknown = await (await fetch(`${text(report, "base_url")}/env`)).json();
    expect(env).toMatchObject({ HTTP_PROXY: proxy, no_proxy: "127.0.0.1,example.com" });
  });

  test.if(process.platform === "linux")("is found at the one address where it is to listen", async () => {
    const report = await reportOf(startUp({ LISTEN_ADDRESS: "127.0.0.2" }));
    expect(text(report, "base_url")).toStartWith("http://127.0.0.2:");
    expect((await fetch(`${text(report, "base_url")}/env`)).status).toBe(200);
  });

  test("on SIGTERM drains the services, then stops the servers under them, and leaves nothing", async () => {
    const up = startUp();
    const running = Object.values(pids(await reportOf(up))).map(identityOf);
    up.child.kill("SIGTERM");
    // As from a terminal, which signals the whole group, and from a launcher that passes the signal on.
    up.child.kill("SIGTERM");
    expect(await up.child.exited).toBe(0);
    expect(up.output()).toMatch(/gateway +\| drained[^]*quota +\| drained[^]*leeway +\| stopped/);
    expect(running.filter((identity) => identity && isRunning(identity))).toEqual([]);
    expect(existsSync(join(dataDir, "up.json"))).toBe(false);
  });

  test("a second one says where the first runs, or waits until it does, and changes nothing", async () => {
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
    expect(await (await fetch(`${text(report, "base_url")}/readyz`)).text()).toBe("ok");
  });

  test("one that comes while the first is stopping takes over from it", async () => {
    const first = startUp();
    const before = await reportOf(first);
    first.child.kill("SIGTERM");
    await until(() => !existsSync(join(dataDir, "up.json")), first.output);
    const second = startUp();
    const after = await reportOf(second);
    expect(pids(after)["up"]).toBe(second.child.pid);
    expect(text(after, "api_key")).toBe(text(before, "api_key") ?? "missing");
  });

  test("after a kill -9 the next start ends what was left, and keeps data, secrets and key", async () => {
    const first = startUp();
    const before = await reportOf(first);
    await query(before, "create table kept as select 42 as answer");
    const left = Object.values(pids(before)).map(identityOf);
    first.child.kill("SIGKILL");
    await first.child.exited;
    expect(left.filter((identity) => identity && isRunning(identity)).length).toBeGreaterThan(3);

    const second = startUp();
    await until(() => second.output().includes("demo organization: ready"), second.output);
    const after = await reportOf(second);
    expect(left.filter((identity) => identity && isRunning(identity))).toEqual([]);
    expect(await query(after, "select answer from kept")).toEqual([{ answer: 42 }]);
    for (const key of ["org_id", "api_key", "operator_token"]) expect(after[key]).toBe(before[key] ?? "");
  });

  test("makes anew what is damaged and can be, and a second one says what to do when it can't", async () => {
    for (const name of ["demo", "processes", "nats"]) await writeFile(join(dataDir, `${name}.json`), "{");
    const first = startUp();
    expect(text(await reportOf(first), "api_key")).toStartWith("leeway_");
    await writeFile(join(dataDir, "up.json"), "{");
    const second = startUp();
    expect(await second.child.exited).toBe(1);
    expect(second.output()).toContain("up.json is damaged: stop it with Ctrl-C there, and start it again");
  });

  test("starts again what is killed, PostgreSQL and NATS included, where it was", async () => {
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

  test("stops with the last words of a service that ends at once again and again", async () => {
    const crash = join(root, "services/quota/src/crash");
    await writeFile(crash, "");
    const up = startUp();
    expect(await up.child.exited).toBe(1);
    expect(up.output()).toMatch(/quota ended at once, 5 times in a row; it said:\nno luck today/);
    await rm(crash);
  });

  test("names the taken port and what to set", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
    const up = startUp({ PORT: String(server.port) });
    expect(await up.child.exited).toBe(1);
    expect(up.output()).toContain(`port ${server.port} is taken by another program: set PORT`);
  });

  test("takes nobody else at its port for its own gateway, who came there before it and is ready", async () => {
    const wait = join(root, "services/gateway/src/wait");
    await writeFile(wait, "");
    const port = await freePort();
    const up = startUp({ PORT: String(port) });
    await until(() => up.output().includes("waits"), up.output);
    using server = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response("ok") });
    await rm(wait);
    expect(await up.child.exited).toBe(1);
    expect(up.output()).toContain(`port ${server.port} is taken by another program: set PORT`);
    expect(up.output()).not.toContain("services: ready");
  });

  test("says what is wrong with a PORT or a DATABASE_URL or a NATS_URL that can't be used", async () => {
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
    for (const [name, scheme] of [
      ["NATS_URL", "nats"],
      ["DATABASE_URL", "postgres"],
    ] as const) {
      const odd = startUp({ [name]: ":::" });
      expect(await odd.child.exited).toBe(1);
      expect(odd.output()).toContain(`configuration: ${name} must be ${scheme}://`);
    }
  });
});
