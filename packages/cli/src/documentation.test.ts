import { afterAll, describe, expect, test } from "bun:test";

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";
import { planOf } from "@leeway/analysis/plan/plan.fixture";

import { version } from "../package.json" with { type: "json" };
import { ABOUT_FLAGS } from "./analyze/flags.ts";
import { PIPELINES } from "./analyze/pipeline.ts";
import { API_SWITCHES, apiFlags } from "./api/flags.ts";
import { RESULT } from "./api/recorded.fixture.ts";
import { KEY, LeewayServer } from "./api/server.fixture.ts";
import { isDashed, type Flags, type Switches, type Syntax } from "./arguments.ts";
import { ANALYZE_EXITS } from "./exits.ts";
import { COMPLETION } from "./completion/completion.ts";
import { remoteTable } from "./remote/document.ts";
import { run } from "./run.fixture.ts";
import { REMOTE_SYNTAXES, SYNTAXES } from "./syntaxes.ts";

const ROOT = join(import.meta.dir, "../../..");
const DOCUMENT = await Bun.file(join(ROOT, "docs/cli.md")).text();
const ALL_COMMANDS = [...SYNTAXES.slice(0, -1), COMPLETION, ...SYNTAXES.slice(-1)];
/** Commands with a chapter of their own; those of the server have a table. */
const COMMANDS = ALL_COMMANDS.filter((syntax) => !REMOTE_SYNTAXES.includes(syntax));

const folder = await mkdtemp(join(tmpdir(), "leeway-document-"));
afterAll(() => rm(folder, { recursive: true }));

function chapter(title: string): string {
  return DOCUMENT.split(/^##+ /m).find((each) => each.startsWith(`${title}\n`)) ?? "";
}

/** Returns the rows of a chapter's table, as cells without backticks. */
function table(title: string): string[][] {
  const rows = chapter(title)
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return rows.slice(1).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

/** Returns flags and switches as rows of the documented table: name, variables, default. */
function rowsOf(flags: Flags, switches: Switches): string[][] {
  const dashed = Object.entries(flags).filter(([name]) => isDashed(name));
  return [
    ...dashed.map(([name, { variables, reads }]) => [
      name,
      variables.join("/"),
      reads.fallback === "none" ? "" : reads.fallback,
    ]),
    ...Object.keys(switches).map((name) => [name, "", ""]),
  ];
}

/** The time limit differs by command. */
const SHARED = rowsOf(apiFlags(0), API_SWITCHES).map((row) =>
  row[0] === "--max-seconds" ? ["--max-seconds", "", ""] : row,
);

test("the document lists every common flag with its variable and default", () => {
  expect(table("Connection").map((row) => row.slice(0, 3))).toEqual(SHARED);
});

test.each(COMMANDS.map((syntax): [string, Syntax] => [syntax.command, syntax]))(
  "the document lists the flags, operands and time limit of %s",
  (command, { flags, switches, operands = [] }) => {
    const isConnected = "--max-seconds" in flags;
    const names = new Set(isConnected ? SHARED.map(([name]) => name) : []);
    const own = rowsOf(flags, switches).filter(([name]) => !names.has(name));
    expect(table(`leeway ${command}`).map((row) => row.slice(0, 3))).toEqual(own);
    expect(chapter(`leeway ${command}`)).toContain(`\`${["leeway", command, ...operands].join(" ")}\``);
    const seconds = flags["--max-seconds"]?.reads.fallback;
    if (seconds === undefined) return; // it calls no server
    expect(chapter("Connection")).toMatch(
      new RegExp(`\`--max-seconds\`.*(?:\`${command}\`|pushes) ${seconds}\\b`),
    );
  },
);

test("the document and the help list every command", async () => {
  const documented = [...DOCUMENT.matchAll(/^## leeway (.+)$/gm)].map(([, command]) => command);
  expect(documented).toEqual(COMMANDS.map(({ command }) => command));
  const { output } = await run(["--help"]);
  const listed = [...output.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?) {2,}/gm)].map(([, command]) => command);
  expect(listed).toEqual([...ALL_COMMANDS.map(({ command }) => command), "planner-hook"]);
  expect(DOCUMENT).toContain(remoteTable());
});

test.each(ALL_COMMANDS.map(({ command }) => command))(
  "the help of %s is printed without settings",
  async (command) => {
    const words = command.split(" ");
    for (const args of [
      [...words, "--help"],
      [...words, "-h"],
      ["help", ...words],
    ]) {
      const { code, output } = await run(args, {});
      expect([code, output]).toEqual([0, expect.stringContaining(`Usage: leeway ${command}`)]);
    }
  },
);

test("in the help, at least two blanks separate a flag from its description", async () => {
  const { output } = await run(["help", "planner-hook"]);
  const flags = [...output.matchAll(/^ {2}--\S+(?: [A-Z]+)?( *)/gm)].map(([, blanks]) => blanks);
  expect(flags.filter((blanks) => blanks === " ")).toEqual([]);
});

test.each([[""], ["-h"], ["help"], ["state --help"], ["help listing"]])(
  "leeway %s shows the commands and exits with 0",
  async (line) => {
    const { output } = await run(["--help"]);
    expect(await run(line.split(" ").filter(Boolean), {})).toEqual({ code: 0, output, messages: [] });
  },
);

test.each([["version"], ["--version"]])("leeway %s shows the version and exits with 0", async (line) => {
  expect(await run([line], {})).toEqual({ code: 0, output: `${version}\n`, messages: [] });
});

const ALL = [...ALL_COMMANDS.map(({ command }) => command), "planner-hook"].join(", ");
test.each([
  ["anlyze plan.json", 'unknown command "anlyze"; did you mean analyze?'],
  ["nosie", 'unknown command "nosie"; did you mean noise?'],
  ["state psuh file", 'unknown command "state psuh"; did you mean state push?'],
  ["state", 'unknown command "state"; did you mean state push?'],
  ["push -h", 'unknown command "push"; did you mean state push?'],
  ["help frobnicate", `unknown command "frobnicate"; commands are ${ALL}`],
  ["toString", `unknown command "toString"; commands are ${ALL}`],
  ["--fail-on high analyze", `name a command before "--fail-on": ${ALL}; see leeway help`],
  [
    "analyze plan.json --fial-on high",
    "unknown flag --fial-on; did you mean --fail-on? See leeway analyze --help",
  ],
  ["analyze plan.json --fail-on", "--fail-on needs a value: --fail-on LEVEL; see leeway analyze --help"],
  ["noise --allow-http=yes", "--allow-http takes no value; see leeway noise --help"],
  ["noise now", 'unexpected argument "now": leeway noise; see leeway noise --help'],
  ["analyze", "PLAN is missing: pass its file, or - for standard input; see leeway analyze --help"],
])("leeway %s exits with 64: %s", async (line, message) => {
  using server = new LeewayServer();
  expect(await run(line.split(" "), server.env)).toEqual({ code: 64, output: "", messages: [message] });
  expect(server.requests).toEqual([]);
});

test.each(["analyze no.json", "analyze --local no.json", "state push no.json --source shop"])(
  "leeway %s names the missing file and exits with 64",
  async (line) => {
    using server = new LeewayServer();
    const args = line.replace("pn1_x", `pn1_${"a".repeat(52)}`).split(" ");
    const { code, output, messages } = await run(args, server.env);
    expect([code, output, messages]).toEqual([
      64,
      "",
      [expect.stringMatching(/\bno(?:\.json)?: no such file/)],
    ]);
  },
);

test("the document lists every exit code", () => {
  const codes = table("Exit codes").map(([code]) => Number(code));
  expect(new Set(codes)).toEqual(new Set(Object.values(ANALYZE_EXITS).map(({ code }) => code)));
});

test("the document lists the value of every flag in every pipeline", () => {
  const said = Object.keys(ABOUT_FLAGS).map((flag) => [
    flag,
    ...PIPELINES.map(
      ({ says }) =>
        Object.entries(says)
          .find(([name]) => name === flag)?.[1]
          .join(", ") ?? "",
    ),
  ]);
  expect(DOCUMENT).toContain(`| Flag | ${PIPELINES.map(({ name }) => name).join(" | ")} |`);
  expect(table("Values from pipelines")).toEqual(said);
});

function textsIn(object: JsonObject | undefined, key: string): string[] {
  const list = object?.[key];
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

/** Creates stubs of the programs that pipelines call; `terraform show` prints a plan. */
async function programs(): Promise<string> {
  const lines = {
    leeway: `exec "${process.execPath}" "${join(import.meta.dir, "main.ts")}" "$@"`,
    terraform: `[ "$1" != show ] || cat "${join(folder, "plan.json")}"`,
  };
  for (const [name, line] of Object.entries(lines)) {
    await Bun.write(join(folder, "bin", name), `#!/bin/sh\n${line}\n`);
    await chmod(join(folder, "bin", name), 0o755);
  }
  await Bun.write(join(folder, "plan.json"), JSON.stringify(planOf([])));
  return `${join(folder, "bin")}:${process.env["PATH"]}`;
}

async function shell(script: string, env: Record<string, string>): Promise<number> {
  const PATH = await programs();
  return Bun.spawn(["sh", "-ec", script], { cwd: folder, env: { PATH, ...env } }).exited;
}

describe("the pipeline of", () => {
  test("GitLab runs as documented: reports are written, and the gate fails it", async () => {
    const pipeline: unknown = Bun.YAML.parse(await Bun.file(join(ROOT, "packages/cli/ci/gitlab.yml")).text());
    const job = isObject(pipeline) ? member(pipeline, "plan") : undefined;
    const script = textsIn(job, "script").join("\n");
    // A merge request from a fork runs its pipeline in the fork, without the variables:
    // https://docs.gitlab.com/ci/pipelines/merge_request_pipelines/
    expect(members(job, "rules").map((rule) => text(rule, "if"))).toEqual([
      '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_PROJECT_ID == $CI_PROJECT_ID',
    ]);
    // Terraform's image contains no Node.js.
    expect(textsIn(job, "before_script")).toContain("apk add --no-cache nodejs");
    using server = new LeewayServer();
    server.pending = [];
    const env = {
      ...server.env,
      GITLAB_CI: "true",
      CI_PROJECT_DIR: folder,
      CI_PROJECT_PATH: "acme/infra",
      CI_MERGE_REQUEST_IID: "12",
      TF_ROOT: folder,
      LEEWAY_FAIL_ON: "critical",
    };
    expect(await shell(script, env)).toBe(0);
    server.result = { ...RESULT, gate: { fail_on: "critical", passed: false } };
    expect(await shell(script, env)).toBe(2);
    expect(server.bodies("/analyze")[0]).toMatchObject({
      repository: "acme/infra",
      change_request: { number: 12 },
      project: { dir: "." },
      fail_on: "critical",
      comment: true,
    });
    const artifacts = member(job, "artifacts");
    const reports = member(artifacts, "reports");
    const files = [
      ...textsIn(artifacts, "paths"),
      ...["codequality", "junit"].flatMap((kind) => text(reports, kind) ?? []),
    ];
    expect(files).toHaveLength(3);
    for (const file of files) expect(await Bun.file(join(folder, file)).exists()).toBe(true);
  });

  test("GitHub runs as documented: the summary and the SARIF report are written", async () => {
    const workflow: unknown = Bun.YAML.parse(await Bun.file(join(ROOT, "packages/cli/ci/github.yml")).text());
    const job = isObject(workflow) ? member(member(workflow, "jobs"), "plan") : undefined;
    const steps = members(job, "steps");
    const commands = steps
      .flatMap((step) => text(step, "run") ?? [])
      .filter((run) => !run.includes("/cli/leeway.cjs"));
    using server = new LeewayServer();
    server.pending = [];
    const summary = join(folder, "summary.md");
    const env = {
      ...server.env,
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "acme/infra",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REF: "refs/pull/12/merge",
      GITHUB_STEP_SUMMARY: summary,
    };
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(await shell(command, env)).toBe(0);
    expect(server.bodies("/analyze")).toMatchObject([{ change_request: { number: 12 }, comment: true }]);
    expect(await Bun.file(summary).text()).toContain("aws_db_instance.main");
    const upload = steps.find((step) => text(step, "uses")?.includes("upload-sarif"));
    // https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/uploading-a-sarif-file-to-github
    expect(isObject(workflow) && workflow["permissions"]).toEqual({
      actions: "read",
      contents: "read",
      "id-token": "write",
      "pull-requests": "write",
      "security-events": "write",
    });
    const sarif = text(member(upload, "with"), "sarif_file") ?? "";
    expect(await Bun.file(join(folder, sarif)).json()).toMatchObject({ version: "2.1.0" });
  });

  test.skipIf(!Bun.which("curl"))(
    "GitHub downloads leeway from the server, and stops if the checksum is wrong (skipped without curl)",
    async () => {
      const workflow: unknown = Bun.YAML.parse(
        await Bun.file(join(ROOT, "packages/cli/ci/github.yml")).text(),
      );
      const job = isObject(workflow) ? member(member(workflow, "jobs"), "plan") : undefined;
      const runs = members(job, "steps").flatMap((step) => text(step, "run") ?? []);
      const command = runs.find((run) => run.includes("/cli/leeway.cjs")) ?? "";
      const program = "#!/bin/sh\necho it runs\n";
      const digest = new Bun.CryptoHasher("sha256").update(program).digest("hex");
      for (const [sum, code] of [
        [digest, 0],
        [digest.replaceAll(/./g, "0"), 1],
      ] as const) {
        const RUNNER_TEMP = await mkdtemp(join(folder, "runner-"));
        const GITHUB_PATH = join(RUNNER_TEMP, "path");
        using server = Bun.serve({
          port: 0,
          hostname: "127.0.0.1",
          routes: {
            "/cli/leeway.cjs": new Response(program),
            "/cli/leeway.cjs.sha256": new Response(`${sum}  leeway.cjs\n`),
          },
        });
        const env = { LEEWAY_URL: server.url.origin, RUNNER_TEMP, GITHUB_PATH };
        expect(await shell(command, env)).toBe(code);
        expect(await Bun.file(join(RUNNER_TEMP, "bin/leeway")).exists()).toBe(code === 0);
        if (code === 0) expect(await Bun.file(GITHUB_PATH).text()).toBe(`${RUNNER_TEMP}/bin\n`);
      }
    },
  );

  // The runners of GitHub have both.
  test.skipIf(!Bun.which("jq") || !Bun.which("curl"))(
    "GitHub signs in with its own id token where it has no key",
    async () => {
      const workflow: unknown = Bun.YAML.parse(
        await Bun.file(join(ROOT, "packages/cli/ci/github.yml")).text(),
      );
      const job = isObject(workflow) ? member(member(workflow, "jobs"), "plan") : undefined;
      const runs = members(job, "steps").flatMap((step) => text(step, "run") ?? []);
      const command = runs.find((run) => run.includes("leeway analyze")) ?? "";
      const asked: string[] = [];
      const github = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch(request) {
          const audience = new URL(request.url).searchParams.get("audience");
          asked.push(`${request.headers.get("authorization")} ${audience}`);
          return Response.json({ value: "eyJ.id.token" });
        },
      });
      using server = new LeewayServer({ status: 200, body: { token: KEY } });
      const env = {
        ...server.env,
        LEEWAY_API_KEY: "",
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job",
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${github.port}/token?api-version=2`,
        GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
      };
      const code = await shell(command, env);
      await github.stop(true);
      expect([code, asked]).toEqual([0, [`bearer of-the-job ${server.url}`]]);
      expect(server.bodies("/auth/ci")).toMatchObject([{ token: "eyJ.id.token" }]);
      expect(server.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    },
  );
});
