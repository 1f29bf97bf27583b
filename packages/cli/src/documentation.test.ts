import { afterAll, describe, expect, test } from "bun:test";

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isObject, member, members, text, type JsonObject } from "@leeway/shared/json";
import { planOf } from "@leeway/shared/plan/plan.fixture";

import { ANALYZE } from "./analyze/analyze.ts";
import { ABOUT_FLAGS } from "./analyze/flags.ts";
import { PIPELINES } from "./analyze/pipeline.ts";
import { API_SWITCHES, apiFlags } from "./api/flags.ts";
import { RESULT } from "./api/recorded.fixture.ts";
import { LeewayServer } from "./api/server.fixture.ts";
import { isDashed, type Flags, type Switches, type Syntax } from "./arguments.ts";
import { ANALYZE_EXITS } from "./exits.ts";
import { FIX } from "./fix/fix.ts";
import { NOISE } from "./noise/noise.ts";
import { PUSH_LISTING } from "./push/push-listing.ts";
import { PUSH_STATE } from "./push/push-state.ts";
import { run } from "./run.fixture.ts";

const ROOT = join(import.meta.dir, "../../..");
const DOCUMENT = await Bun.file(join(ROOT, "docs/cli.md")).text();
const COMMANDS = [ANALYZE, NOISE, FIX, PUSH_STATE, PUSH_LISTING];

const folder = await mkdtemp(join(tmpdir(), "leeway-document-"));
afterAll(() => rm(folder, { recursive: true }));

function chapter(title: string): string {
  return DOCUMENT.split(/^##+ /m).find((each) => each.startsWith(`${title}\n`)) ?? "";
}

/** The rows of the table of a chapter, by their cells without backticks. */
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

/** Flags and switches as their table has them: name, variables, default. */
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

/** How long it may take differs from command to command. */
const SHARED = rowsOf(apiFlags(0), API_SWITCHES).map((row) =>
  row[0] === "--max-seconds" ? ["--max-seconds", "", ""] : row,
);

test("the document has every flag that all commands take, with its variable and default", () => {
  expect(table("Where Leeway is").map((row) => row.slice(0, 3))).toEqual(SHARED);
});

test.each(COMMANDS.map((syntax): [string, Syntax] => [syntax.command, syntax]))(
  "the document has every flag of %s with its variable and default, its operands and its time",
  (command, { flags, switches, operands = [] }) => {
    const names = new Set(SHARED.map(([name]) => name));
    const own = rowsOf(flags, switches).filter(([name]) => !names.has(name));
    expect(table(`leeway ${command}`).map((row) => row.slice(0, 3))).toEqual(own);
    expect(chapter(`leeway ${command}`)).toContain(`\`${["leeway", command, ...operands].join(" ")}\``);
    const seconds = flags["--max-seconds"]?.reads.fallback;
    expect(chapter("Where Leeway is")).toMatch(
      new RegExp(`\`--max-seconds\`.*(?:\`${command}\`|pushes) ${seconds}\\b`),
    );
  },
);

test("the document has every command, and the help does", async () => {
  const documented = [...DOCUMENT.matchAll(/^## leeway (.+)$/gm)].map(([, command]) => command);
  expect(documented).toEqual(COMMANDS.map(({ command }) => command));
  const { output } = await run(["--help"]);
  const told = [...output.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?) {2,}/gm)].map(([, command]) => command);
  expect(told).toEqual([...documented, "planner-hook"]);
});

test.each(COMMANDS.map(({ command }) => command))(
  "the help of %s is printed without any setting",
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

test("in the help, two blanks at least part a flag from what it does", async () => {
  const { output } = await run(["help", "planner-hook"]);
  const flags = [...output.matchAll(/^ {2}--\S+(?: [A-Z]+)?( *)/gm)].map(([, blanks]) => blanks);
  expect(flags.filter((blanks) => blanks === " ")).toEqual([]);
});

test.each([["-h"], ["help"], ["push -h"], ["state --help"], ["help me"]])(
  "leeway %s tells the commands, and is no mistake",
  async (line) => {
    const { output } = await run(["--help"]);
    expect(await run(line.split(" "), {})).toEqual({ code: 0, output, messages: [] });
  },
);

test("the document has every exit code", () => {
  const codes = table("Exit codes").map(([code]) => Number(code));
  expect(new Set(codes)).toEqual(new Set(Object.values(ANALYZE_EXITS).map(({ code }) => code)));
});

test("the document says what each pipeline tells of a plan", () => {
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
  expect(table("What pipelines tell")).toEqual(said);
});

function textsIn(object: JsonObject | undefined, key: string): string[] {
  const list = object?.[key];
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

/** Programs as they are called in pipelines; `terraform show` prints a plan. */
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
  test("GitLab runs as it stands: reports are there, and the gate fails it", async () => {
    const pipeline: unknown = Bun.YAML.parse(await Bun.file(join(ROOT, "packages/cli/ci/gitlab.yml")).text());
    const job = isObject(pipeline) ? member(pipeline, "plan") : undefined;
    const script = textsIn(job, "script").join("\n");
    // A merge request of a fork has its pipeline there, without the variables: https://docs.gitlab.com/ci/pipelines/merge_request_pipelines/
    expect(members(job, "rules").map((rule) => text(rule, "if"))).toEqual([
      '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_PROJECT_ID == $CI_PROJECT_ID',
    ]);
    // A binary for musl is linked to it, and the image of Terraform holds none.
    expect(textsIn(job, "before_script")).toContain("apk add --no-cache libstdc++");
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

  test("GitHub runs as it stands: the summary and what code scanning takes are there", async () => {
    const workflow: unknown = Bun.YAML.parse(await Bun.file(join(ROOT, "packages/cli/ci/github.yml")).text());
    const job = isObject(workflow) ? member(member(workflow, "jobs"), "plan") : undefined;
    const steps = members(job, "steps");
    const commands = steps.flatMap((step) => text(step, "run") ?? []).filter((run) => !run.includes("curl"));
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
      "security-events": "write",
    });
    const sarif = text(member(upload, "with"), "sarif_file") ?? "";
    expect(await Bun.file(join(folder, sarif)).json()).toMatchObject({ version: "2.1.0" });
  });
});
