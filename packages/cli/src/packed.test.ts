import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CANARY, change, planOf } from "@leeway/shared/plan/plan.fixture";
import { createAuthority } from "@leeway/shared/testing-certificate";

import { version } from "../package.json" with { type: "json" };
import { FORMATS } from "./analyze/formats.ts";
import { RESULT } from "./api/recorded.fixture.ts";
import { KEY, LeewayServer, ORG_ID } from "./api/server.fixture.ts";
import { Endpoint, SECRET } from "./planner-hook/endpoint.fixture.ts";
import { ATLANTIS, type Run } from "./run.fixture.ts";

const PACKAGE = join(import.meta.dir, "..");
const node = Bun.which("node");
/** Runtimes that the file is for; Node.js where there is one. */
const RUNTIMES: [string, string | null][] = [
  ["Node.js", node],
  ["Bun", process.execPath],
];
const BINARY = "the binary";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-packed-"));
  const pack = await exec([process.execPath, "pm", "pack", "--destination", folder], { cwd: PACKAGE });
  expect(pack.code).toBe(0);
  await mkdir(join(folder, "user"));
  await Bun.write(join(folder, "user/package.json"), "{}");
  const add = [process.execPath, "add", join(folder, `leeway-cli-${version}.tgz`)];
  expect((await exec(add, { cwd: join(folder, "user") })).code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

const binary = (): string => join(folder, "leeway");
const bin = (): string => join(folder, "user/node_modules/.bin/leeway");
const installed = (): string => join(folder, "user/node_modules/@leeway/cli/dist/leeway.js");

async function exec(
  command: string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Promise<Run> {
  const { input, ...rest } = options;
  const stdin = input === undefined ? "ignore" : new Blob([input]);
  const child = Bun.spawn(command, { stdin, stdout: "pipe", stderr: "pipe", ...rest });
  const [output, messages, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output, messages: messages.split("\n").filter((line) => line !== "") };
}

const PATH = process.env["PATH"] ?? "";
const PLAN = JSON.stringify(planOf([change(["delete"], { before: { id: "db-1", password: CANARY } })]));

test.skipIf(!node)(
  "the installed package has the command on its path (skipped where there is no Node.js)",
  async () => {
    expect(await exec([bin(), "--version"])).toEqual({ code: 0, output: `${version}\n`, messages: [] });
  },
);

test("the installed package holds one file and depends on nothing", async () => {
  const manifest = await Bun.file(join(folder, "user/node_modules/@leeway/cli/package.json")).json();
  expect(manifest.dependencies).toBeUndefined();
  const files = [...new Bun.Glob("**/*").scanSync(join(folder, "user/node_modules/@leeway/cli"))];
  expect(files.toSorted()).toEqual(["dist/leeway.js", "package.json"]);
  const imports = [...(await Bun.file(installed()).text()).matchAll(/^import .* from "([^"]+)"/gm)].map(
    ([, name]) => name,
  );
  expect(
    imports.filter(
      (name) => !name?.startsWith("node:") && !/^(?:crypto|util|fs|timers|stream)/.test(name ?? ""),
    ),
  ).toEqual([]);
});

test("the installed file asks for nothing that the oldest Node.js for it lacks", async () => {
  const newer = /\b(?:(?:Map|Object)\.groupBy|Promise\.(?:withResolvers|try)|Array\.fromAsync|URL\.parse)\(/g;
  expect((await Bun.file(installed()).text()).match(newer)).toBeNull();
});

test("a binary is made that starts without a runtime, and reads no settings of the folder that it is in", async () => {
  const build = [process.execPath, "run", "build:binary", `--outfile=${binary()}`];
  expect((await exec(build, { cwd: PACKAGE })).code).toBe(0);
  expect(await exec([binary(), "--version"], { env: {} })).toEqual({
    code: 0,
    output: `${version}\n`,
    messages: [],
  });
  const cwd = join(folder, "somewhere");
  await mkdir(cwd);
  await Bun.write(join(cwd, ".env"), `LEEWAY_URL=http://127.0.0.1:1\nLEEWAY_ORG_ID=${ORG_ID}\n`);
  await Bun.write(join(cwd, "bunfig.toml"), 'preload = ["./no.ts"]\n');
  expect(await exec([binary(), "noise"], { cwd, env: { LEEWAY_API_KEY: KEY } })).toMatchObject({
    code: 1,
    messages: [
      expect.stringContaining("--url or $LEEWAY_URL is required; --org or $LEEWAY_ORG_ID is required"),
    ],
  });
});

describe.each([...RUNTIMES, [BINARY, ""] as const])("asked by %s", (name, runtime) => {
  const isAbsent = runtime === null;
  const leeway = (server: LeewayServer, args: string[], input = ""): Promise<Run> => {
    const command = name === BINARY ? [binary()] : [runtime ?? "", installed()];
    return exec([...command, ...args], { cwd: folder, env: { PATH, ...server.env }, input });
  };

  test.skipIf(isAbsent)(`a plan is analyzed (skipped where there is no ${name})`, async () => {
    using server = new LeewayServer("reset");
    server.pending = ["running"];
    server.result = { ...RESULT, gate: { fail_on: "high", passed: false } };
    const args = ["analyze", "-", "--fail-on", "high", "--format", "json", "--report", "sarif=leeway.sarif"];
    const { code, output, messages } = await leeway(server, args, PLAN);
    expect([code, JSON.parse(output)]).toMatchObject([2, { risk_level: "critical" }]);
    expect(messages.join("\n")).toMatch(/can't be reached.*\n.*is running.*\n.*the gate is not passed/);
    expect(server.requests[0]?.body.toString()).not.toContain(CANARY);
    expect(await Bun.file(join(folder, "leeway.sarif")).json()).toMatchObject({ version: "2.1.0" });
  });

  test.skipIf(isAbsent)(
    `an analysis is printed in every format (skipped where there is no ${name})`,
    async () => {
      using server = new LeewayServer();
      server.result = RESULT;
      for (const format of FORMATS) {
        const { code, output } = await leeway(server, ["analyze", "-", "--format", format], PLAN);
        expect([format, code, output === ""]).toEqual([format, 0, false]);
      }
    },
  );

  test.skipIf(isAbsent)(
    `a file is pushed as it streams, again when the first try fails (${name})`,
    async () => {
      using server = new LeewayServer("leeway", "leeway", { status: 502, body: "<html>" });
      const state = JSON.stringify({ version: 4, text: "x".repeat(3_000_000) });
      await Bun.write(join(folder, "state.json"), state);
      expect(await leeway(server, ["state", "push", "state.json", "--source", "shop"])).toMatchObject({
        code: 0,
      });
      const puts = server.requests.filter(({ method }) => method === "PUT");
      expect(puts.map(({ body }) => body.toString() === state)).toEqual([true, true]);
    },
  );

  test.skipIf(isAbsent)(`the standard input is pushed, and noise listed (${name})`, async () => {
    using server = new LeewayServer();
    const args = ["listing", "push", "-", "--account", "aws:222222222222"];
    expect(await leeway(server, args, "{}")).toMatchObject({ code: 0, messages: [] });
    expect(await leeway(server, ["noise"])).toMatchObject({ code: 0, messages: [] });
  });

  test.skipIf(isAbsent)(`a server that hangs, or is none of Leeway's, is told (${name})`, async () => {
    using server = new LeewayServer("hang", { status: 200, body: "<html>" });
    expect(await leeway(server, ["noise", "--max-seconds", "1"])).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("no answer in time")],
    });
    expect(await leeway(server, ["noise"])).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("is not Leeway (200, text/html)")],
    });
  });
});

describe.each([...RUNTIMES, [BINARY, ""] as const])("on a full disk, by %s", (name, runtime) => {
  const hook = (args: string): Promise<Run> => {
    const command = name === BINARY ? [binary()] : [runtime ?? "", installed()];
    const script = `exec "$@" planner-hook --plan - ${args}`;
    return exec(["sh", "-c", script, "sh", ...command], { env: { PATH, ...ATLANTIS }, input: PLAN });
  };

  test.skipIf(runtime === null)(
    `output that is lost ends with 1 and one line (skipped where there is no ${name})`,
    async () => {
      expect(await hook("--dry-run >/dev/full")).toEqual({
        code: 1,
        output: "",
        messages: ["leeway: the standard output can't be written (ENOSPC)"],
      });
    },
  );

  test.skipIf(runtime === null)(`messages that are lost change no exit code (${name})`, async () => {
    const { code } = await hook("--soft --tries 1 2>/dev/full");
    expect(code).toBe(0);
  });
});

describe.each(RUNTIMES)("under %s", (name, runtime) => {
  const isAbsent = runtime === null;
  const leeway = (args: string[], env: Record<string, string>, input?: string): Promise<Run> =>
    exec([runtime ?? "", installed(), ...args], {
      env: { PATH, ...env },
      ...(input !== undefined && { input }),
    });
  const step = (endpoint: Endpoint, args: string[] = [], env: Record<string, string> = {}): Promise<Run> =>
    leeway(
      ["planner-hook", "--plan", "-", ...args],
      { ...ATLANTIS, LEEWAY_WEBHOOK_URL: endpoint.url, ...env },
      PLAN,
    );

  test.skipIf(isAbsent)(`help and version are printed (skipped where there is no ${name})`, async () => {
    expect(await leeway(["--help"], {})).toMatchObject({ code: 0, messages: [] });
    expect(await leeway(["planner-hook", "--help"], {})).toMatchObject({ code: 0, messages: [] });
    expect(await leeway(["--version"], {})).toMatchObject({ code: 0, output: `${version}\n` });
  });

  test.skipIf(isAbsent)("a plan arrives, signed and without secrets", async () => {
    using endpoint = new Endpoint();
    const { code, output, messages } = await step(endpoint);
    expect([code, messages]).toEqual([0, []]);
    expect(output).toMatch(/^leeway: accepted, delivery [0-9a-f-]{36}\n$/);
    expect(endpoint.requests[0]?.headers["user-agent"]).toBe(`leeway-cli/${version}`);
    expect(endpoint.requests[0]?.body.toString()).not.toContain(CANARY);
  });

  test.skipIf(isAbsent)("what goes to the same machine in the clear goes through no proxy", async () => {
    using endpoint = new Endpoint();
    using proxy = new Endpoint();
    const env = { http_proxy: new URL(proxy.url).origin, NO_PROXY: "example.com" };
    expect(await step(endpoint, ["--tries", "1"], env)).toMatchObject({ code: 0, messages: [] });
    expect([endpoint.requests.length, proxy.requests.length]).toEqual([1, 0]);
  });

  test.skipIf(isAbsent)(
    "a Leeway with a company's own certificate is reached once that is named",
    async () => {
      const authority = createAuthority();
      const file = join(folder, "ca.pem");
      await Bun.write(file, authority.cert);
      using server = Bun.serve({
        port: 0,
        tls: authority.issue("localhost"),
        fetch: () => Response.json({ status: "accepted", delivery_id: crypto.randomUUID() }, { status: 202 }),
      });
      const url = `https://localhost:${server.port}/webhooks/planner/${ORG_ID}`;
      const hook = (env: Record<string, string>): Promise<Run> =>
        leeway(
          ["planner-hook", "--plan", "-", "--tries", "1"],
          { ...ATLANTIS, LEEWAY_WEBHOOK_URL: url, ...env },
          PLAN,
        );
      expect(await hook({})).toMatchObject({
        code: 10,
        messages: [expect.stringContaining("NODE_EXTRA_CA_CERTS=FILE")],
      });
      expect(await hook({ NODE_EXTRA_CA_CERTS: file })).toMatchObject({ code: 0, messages: [] });
    },
  );

  test.skipIf(isAbsent)("what a network and a server do to it is told by codes", async () => {
    using endpoint = new Endpoint("reset", "truncate", { status: 429, headers: "retry-after: 1\r\n" });
    const patient = await step(endpoint);
    expect(patient).toMatchObject({ code: 0, output: expect.stringContaining("duplicate") });
    expect(patient.messages).toHaveLength(3);
    expect(new Set(endpoint.events.map((event) => event["event_id"])).size).toBe(1);

    const hasty = ["--tries", "1", "--max-seconds", "1"];
    for (const [treatment, code] of [
      ["hang", 10],
      ["reset", 10],
      [{ status: 301, headers: "location: /\r\n" }, 9],
      [{ status: 413 }, 8],
    ] as const) {
      using broken = new Endpoint(treatment);
      expect(await step(broken, hasty)).toMatchObject({ code, output: "" });
      expect(broken.requests).toHaveLength(1);
    }
  });

  test.skipIf(isAbsent)("a wrong secret ends with 5, softly with 0, and is not told", async () => {
    using endpoint = new Endpoint();
    const env = { LEEWAY_WEBHOOK_SECRET: `${SECRET}0` };
    const [strict, soft] = [await step(endpoint, [], env), await step(endpoint, ["--soft"], env)];
    expect([strict.code, soft.code]).toEqual([5, 0]);
    expect([...strict.messages, ...soft.messages].join()).not.toContain(SECRET);
  });

  test.skipIf(isAbsent)("a body is printed to its end before the process ends", async () => {
    const note = "x".repeat(3_000_000);
    const input = JSON.stringify(planOf([change(["create"], { after: { note } })]));
    const { code, output } = await leeway(["planner-hook", "--dry-run", "--plan", "-"], ATLANTIS, input);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      plan: { resource_changes: [{ change: { after: { note } } }] },
    });
  });
});
