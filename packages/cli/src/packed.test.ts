import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CANARY, change, planOf } from "@leeway/analysis/plan/plan.fixture";
import { createAuthority } from "@leeway/shared/testing/certificate";

import { buildExecutable, buildPackage } from "../build.ts";
import { version } from "../package.json" with { type: "json" };
import { FORMATS } from "./analyze/formats.ts";
import { RESULT } from "./api/recorded.fixture.ts";
import { KEY, LeewayServer, ORG_ID } from "./api/server.fixture.ts";
import { Endpoint, SECRET } from "./planner-hook/endpoint.fixture.ts";
import { ATLANTIS, type Run } from "./run.fixture.ts";

const PACKAGE = join(import.meta.dir, "..");
const node = Bun.which("node");
/** Runtimes that the file supports; Node.js only if it is installed. */
const RUNTIMES: [string, string | null][] = [
  ["Node.js", node],
  ["Bun", process.execPath],
];
const BINARY = "the binary";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-packed-"));
  const packed = join(folder, "package");
  await buildPackage(packed);
  const pack = node
    ? ["npm", "pack", "--pack-destination"]
    : [process.execPath, "pm", "pack", "--destination"];
  expect((await exec([...pack, folder], { cwd: packed })).code).toBe(0);
  await mkdir(join(folder, "user"));
  await Bun.write(join(folder, "user/package.json"), "{}");
  const add = [process.execPath, "add", join(folder, `leeway-cli-${version}.tgz`)];
  expect((await exec(add, { cwd: join(folder, "user") })).code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

const binary = (): string => join(folder, "leeway");
const bin = (): string => join(folder, "user/node_modules/.bin/leeway");
const installed = (): string => join(folder, "user/node_modules/@leeway/cli/leeway.cjs");

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
  "the installed package adds the command to the path (skipped without Node.js)",
  async () => {
    expect(await exec([bin(), "--version"])).toEqual({ code: 0, output: `${version}\n`, messages: [] });
  },
);

test("the installed package contains one program and has no dependencies", async () => {
  const manifest = await Bun.file(join(folder, "user/node_modules/@leeway/cli/package.json")).json();
  expect(manifest.dependencies).toBeUndefined();
  const files = [...new Bun.Glob("**/*").scanSync(join(folder, "user/node_modules/@leeway/cli"))];
  expect(files.toSorted()).toEqual(["LICENSE", "README.md", "leeway.cjs", "package.json"]);
  const program = await Bun.file(installed()).text();
  const required = [...program.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
  expect(required).toContain("node:zlib");
  // ajv has text like this for validators that it writes to files.
  expect(required.filter((name) => !isBuiltin(name) && !name.startsWith("ajv"))).toEqual([]);
});

test.skipIf(!node)(
  "the file runs under any name, also outside a package (skipped without Node.js)",
  async () => {
    const copy = join(folder, "copied-leeway");
    await copyFile(installed(), copy);
    expect(await exec([node ?? "", copy, "version"])).toEqual({
      code: 0,
      output: `${version}\n`,
      messages: [],
    });
  },
);

test.skipIf(!node).each([
  ["18.20.8", 64],
  ["20.18.3", 64],
  ["20.19.0", 0],
  ["22.0.0", 0],
])("Node.js %s exits with %i and gives a reason (skipped without Node.js)", async (old, exit) => {
  const preload = join(folder, "old.cjs");
  await Bun.write(preload, `Object.defineProperty(process.versions, "node", { value: "${old}" });`);
  const { code, messages } = await exec([node ?? "", "--require", preload, installed(), "version"]);
  const message = `leeway needs Node.js 20.19 or newer; this is ${old}`;
  expect([code, messages]).toEqual([exit, exit === 0 ? [] : [message]]);
});

test.skipIf(!node)(
  "npx runs the packed file in a folder of ES modules, without a network (skipped without Node.js)",
  async () => {
    const cwd = join(folder, "esm");
    await mkdir(cwd);
    await Bun.write(join(cwd, "package.json"), '{"type":"module"}');
    const npx = ["npx", "--offline", "--prefix", join(folder, "user"), "leeway", "version"];
    expect(await exec(npx, { cwd })).toMatchObject({ code: 0, output: `${version}\n` });
    await copyFile(installed(), join(cwd, "leeway.cjs"));
    expect(await exec([node ?? "", "leeway.cjs", "version"], { cwd })).toMatchObject({ code: 0 });
  },
);

test("the package has the version and license of the repository, and may be published", async () => {
  const root = await Bun.file(join(PACKAGE, "../../package.json")).json();
  const own = await Bun.file(join(folder, "package/package.json")).json();
  expect([own.version, own.license, own.private]).toEqual([root.version, root.license, undefined]);
});

const EXAMPLE = join(PACKAGE, "../../examples/aws-shop");
const DRIFT = ["drift", "--listing", join(EXAMPLE, "listing.json"), "--state", join(EXAMPLE, "states/*")];

test.skipIf(!node)(
  "finds drift without a server on the installed Node.js as on Bun (skipped without Node.js)",
  async () => {
    const [byNode, byBun] = await Promise.all(
      [node ?? "", process.execPath].map((runtime) => exec([runtime, installed(), ...DRIFT], { env: {} })),
    );
    expect(byNode).toMatchObject({ code: 0, messages: [] });
    expect(byNode?.output).toContain("198 resources, 183 declared (92.42 %), 15 undeclared, 39 excluded");
    expect(byNode).toEqual(byBun);
  },
);

test.skipIf(!node)(
  "settles drift without a server on the installed Node.js, which parses code (skipped without Node.js)",
  async () => {
    const code = join(folder, "code");
    await Bun.write(join(code, "iam.tf"), 'resource "aws_iam_role" "nightly_report" {\n  name = "a"\n}\n');
    const args = ["aws_iam_role.nightly_report", "forget", ...DRIFT.slice(1), "--dir", code];
    const { output } = await exec([node ?? "", installed(), "settle", ...args], { env: {} });
    expect(output).toContain("+removed {\n+  from = aws_iam_role.nightly_report\n");
  },
);

test.skipIf(!node)("an analysis is printed in every format (skipped without Node.js)", async () => {
  using server = new LeewayServer();
  server.result = RESULT;
  for (const format of FORMATS) {
    const command = [node ?? "", installed(), "analyze", "-", "--format", format];
    const { code, output } = await exec(command, { env: { PATH, ...server.env }, input: PLAN });
    expect([format, code, output === ""]).toEqual([format, 0, false]);
  }
});

test("the binary starts without a runtime and ignores settings in the current directory", async () => {
  await buildExecutable(binary());
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
    code: 64,
    messages: [
      expect.stringContaining("--url or $LEEWAY_URL is required; --org or $LEEWAY_ORG_ID is required"),
    ],
  });
});

describe.each([...RUNTIMES, [BINARY, ""] as const])("run by %s", (name, runtime) => {
  const isAbsent = runtime === null;
  const leeway = (server: LeewayServer, args: string[], input = ""): Promise<Run> => {
    const command = name === BINARY ? [binary()] : [runtime ?? "", installed()];
    return exec([...command, ...args], { cwd: folder, env: { PATH, ...server.env }, input });
  };

  test.skipIf(isAbsent)(`a plan is analyzed (skipped without ${name})`, async () => {
    using server = new LeewayServer("reset");
    server.pending = ["running"];
    server.result = { ...RESULT, gate: { fail_on: "high", passed: false } };
    const args = ["analyze", "-", "--fail-on", "high", "--format", "json", "--report", "sarif=leeway.sarif"];
    const { code, output, messages } = await leeway(server, args, PLAN);
    expect([code, JSON.parse(output)]).toMatchObject([2, { risk_level: "critical" }]);
    expect(messages.join("\n")).toMatch(
      /can't reach .*\(1 of 5\)\nleeway: gate failed: risk is critical, limit is high\nleeway: report: https:/,
    );
    expect(server.requests[0]?.body.toString()).not.toContain(CANARY);
    expect(await Bun.file(join(folder, "leeway.sarif")).json()).toMatchObject({ version: "2.1.0" });
  });

  test.skipIf(isAbsent)(`findings point to their blocks (skipped without ${name})`, async () => {
    using server = new LeewayServer();
    await Bun.write(join(folder, "infra/db.tf"), '\nresource "aws_db_instance" "main" {\n  size = 1\n}\n');
    const args = ["analyze", "-", "--format", "gitlab-codequality", "--dir", "infra"];
    const { code, output } = await leeway(server, args, PLAN);
    expect([code, JSON.parse(output)]).toMatchObject([
      0,
      [{ location: { path: "infra/db.tf", lines: { begin: 2 } } }],
    ]);
  });

  test.skipIf(isAbsent)(`a file is pushed as a stream, again if the first try fails (${name})`, async () => {
    using server = new LeewayServer("leeway", "leeway", { status: 502, body: "<html>" });
    const state = JSON.stringify({ version: 4, text: "x".repeat(3_000_000) });
    await Bun.write(join(folder, "state.json"), state);
    expect(await leeway(server, ["state", "push", "state.json", "--source", "shop"])).toMatchObject({
      code: 0,
    });
    const puts = server.requests.filter(({ method }) => method === "PUT");
    expect(puts.map(({ body }) => body.toString() === state)).toEqual([true, true]);
  });

  test.skipIf(isAbsent)(`stdin is pushed, and noise is listed (${name})`, async () => {
    using server = new LeewayServer();
    const args = ["listing", "push", "-", "--account", "aws:222222222222"];
    expect(await leeway(server, args, "{}")).toMatchObject({ code: 0, messages: [] });
    expect(await leeway(server, ["noise"])).toMatchObject({
      code: 0,
      messages: [expect.stringMatching(/\/noise$/)],
    });
  });

  test.skipIf(isAbsent)(`a server that hangs or isn't Leeway is reported (${name})`, async () => {
    using server = new LeewayServer("hang", { status: 200, body: "<html>" });
    expect(await leeway(server, ["noise", "--max-seconds", "1"])).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("no answer in time")],
    });
    expect(await leeway(server, ["noise"])).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("isn't a Leeway server (200, text/html)")],
    });
  });
});

describe.each([...RUNTIMES, [BINARY, ""] as const])("on a full disk, run by %s", (name, runtime) => {
  const hook = (args: string): Promise<Run> => {
    const command = name === BINARY ? [binary()] : [runtime ?? "", installed()];
    const script = `exec "$@" planner-hook --plan - ${args}`;
    return exec(["sh", "-c", script, "sh", ...command], { env: { PATH, ...ATLANTIS }, input: PLAN });
  };

  test.skipIf(runtime === null)(
    `lost output exits with 1 and one line (skipped without ${name})`,
    async () => {
      expect(await hook("--dry-run >/dev/full")).toEqual({
        code: 1,
        output: "",
        messages: ["leeway: can't write to standard output: no space left on the device"],
      });
    },
  );

  test.skipIf(runtime === null)(`lost messages don't change the exit code (${name})`, async () => {
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

  test.skipIf(isAbsent)(`help and version are printed (skipped without ${name})`, async () => {
    expect(await leeway(["--help"], {})).toMatchObject({ code: 0, messages: [] });
    expect(await leeway(["planner-hook", "--help"], {})).toMatchObject({ code: 0, messages: [] });
    expect(await leeway(["--version"], {})).toMatchObject({ code: 0, output: `${version}\n` });
  });

  test.skipIf(isAbsent)("a plan is delivered, signed and without secrets", async () => {
    using endpoint = new Endpoint();
    const { code, output, messages } = await step(endpoint);
    expect([code, messages]).toEqual([0, []]);
    expect(output).toMatch(/^leeway: accepted, delivery [0-9a-f-]{36}\n$/);
    expect(endpoint.requests[0]?.headers["user-agent"]).toBe(`leeway-cli/${version}`);
    expect(endpoint.requests[0]?.body.toString()).not.toContain(CANARY);
  });

  test.skipIf(isAbsent)("unencrypted requests to the same machine use no proxy", async () => {
    using endpoint = new Endpoint();
    using proxy = new Endpoint();
    const env = { http_proxy: new URL(proxy.url).origin, NO_PROXY: "example.com" };
    expect(await step(endpoint, ["--tries", "1"], env)).toMatchObject({ code: 0, messages: [] });
    expect([endpoint.requests.length, proxy.requests.length]).toEqual([1, 0]);
  });

  test.skipIf(isAbsent)(
    "a Leeway server with a private CA is reached once the CA is configured",
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

  test.skipIf(isAbsent)("network and server failures have exit codes", async () => {
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

  test.skipIf(isAbsent)("a wrong secret exits with 5, or 0 with --soft, and isn't shown", async () => {
    using endpoint = new Endpoint();
    const env = { LEEWAY_WEBHOOK_SECRET: `${SECRET}0` };
    const [strict, soft] = [await step(endpoint, [], env), await step(endpoint, ["--soft"], env)];
    expect([strict.code, soft.code]).toEqual([5, 0]);
    expect([...strict.messages, ...soft.messages].join()).not.toContain(SECRET);
  });

  test.skipIf(isAbsent)("a body is printed completely before the process exits", async () => {
    const notes = Array.from({ length: 4 }, () => "x".repeat(1_000_000)); // longer text would be truncated
    const input = JSON.stringify(planOf([change(["create"], { after: { notes } })]));
    const { code, output } = await leeway(["planner-hook", "--dry-run", "--plan", "-"], ATLANTIS, input);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      plan: { resource_changes: [{ change: { after: { notes } } }] },
    });
  });
});
