import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { parseAction } from "@actions/workflow-parser/actions/index";
import { change, planOf } from "@leeway/analysis/plan/plan.fixture";
import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { buildPackage } from "../build.ts";
import { PROGRAM } from "../folder.ts";
import { RESULT } from "./api/recorded.fixture.ts";
import { LeewayServer } from "./api/server.fixture.ts";
import { CodeHostServer } from "./code-host/code-host.fixture.ts";

const ROOT = join(import.meta.dir, "../../..");
/** Programs that runners have. */
const NEEDED = ["node", "curl", "sha256sum", "bash"];
const runs = test.skipIf(NEEDED.some((program) => !Bun.which(program)));

let folder = "";
let served: Record<string, string> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-templates-"));
  await buildPackage(join(folder, "package"));
  for (const name of [PROGRAM, `${PROGRAM}.sha256`]) {
    served[`/cli/${name}`] = await Bun.file(join(folder, "package", name)).text();
  }
  const plan = JSON.stringify(planOf([change(["delete"], { before: { id: "db-1" } })]));
  await Bun.write(join(folder, "plan.json"), plan);
  await stub("terraform", `[ "$1" != show ] || cat "${join(folder, "plan.json")}"`);
  await stub("apk", ":");
  // Downloads nothing: bun is here already, and so is what it would install.
  await stub("npx", `shift 2; [ "$1" = install ] || exec "${process.execPath}" "$@"`);
});
afterAll(() => rm(folder, { recursive: true }));

async function stub(name: string, line: string): Promise<void> {
  await Bun.write(join(folder, "bin", name), `#!/bin/sh\n${line}\n`);
  await chmod(join(folder, "bin", name), 0o755);
}

interface Ran {
  code: number;
  output: string;
  messages: string;
  /** Directory in which it ran. */
  cwd: string;
}

async function shell(script: string, env: Record<string, string>): Promise<Ran> {
  const cwd = await mkdtemp(join(folder, "project-"));
  await Bun.write(join(cwd, "plan.bin"), "PK a binary plan");
  const PATH = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const child = Bun.spawn(["bash", "-ec", script], {
    cwd,
    env: { PATH, HOME: folder, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, messages] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output, messages, cwd };
}

const read = (path: string): Promise<string> => Bun.file(join(ROOT, path)).text();

function objectIn(yaml: string): JsonObject {
  const value: unknown = Bun.YAML.parse(yaml);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

const problems = ({ context }: { context: { errors: { getErrors(): { message: string }[] } } }): string[] =>
  context.errors.getErrors().map(({ message }) => message);

test.each(["packages/cli/ci/github.yml", ".github/workflows/release.yml"])(
  "GitHub's parser accepts the workflow %s",
  async (name) => {
    expect(
      problems(parseWorkflow({ name, content: await read(name) }, new NoOperationTraceWriter())),
    ).toEqual([]);
  },
);

test("GitHub's parser accepts action.yml, and no input becomes a command", async () => {
  const content = await read("action.yml");
  const parsed = parseAction({ name: "action.yml", content }, new NoOperationTraceWriter());
  expect(problems(parsed)).toEqual([]);
  for (const step of members(member(objectIn(content), "runs"), "steps")) {
    expect(text(step, "run")).not.toContain("${{");
  }
});

test("GitLab's component is the template's job with inputs", async () => {
  const [header = "", body = ""] = (await read("templates/plan.yml")).split(/^---$/m);
  const inputs = Object.keys(member(member(objectIn(header), "spec"), "inputs") ?? {});
  const used = [...body.matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name = ""]) => name);
  expect([...new Set(used)].toSorted()).toEqual(inputs.toSorted());
  const component = member(objectIn(body), "leeway-plan");
  const template = member(objectIn(await read("packages/cli/ci/gitlab.yml")), "plan");
  for (const key of ["rules", "before_script", "script", "artifacts"]) {
    expect({ [key]: component?.[key] }).toEqual({ [key]: template?.[key] });
  }
  expect(header).toContain(text(member(template, "image"), "name") ?? "no image");
});

/** Runs the action without a server, unless `env` names one. */
async function act(env: Record<string, string>): Promise<Ran & { summary: string; sarif: string }> {
  const home = await mkdtemp(join(folder, "runner-"));
  const ran = await shell(`bash "$GITHUB_ACTION_PATH/packages/cli/ci/action.sh"`, {
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_REPOSITORY: "acme/infra",
    GITHUB_REF: "refs/pull/12/merge",
    GITHUB_OUTPUT: join(home, "output"),
    GITHUB_STEP_SUMMARY: join(home, "summary.md"),
    RUNNER_TEMP: home,
    PLAN: "plan.bin",
    TERRAFORM: "terraform",
    FAIL_ON: "high",
    COMMENT: "true",
    LEEWAY_URL: "",
    LEEWAY_ORG_ID: "",
    LEEWAY_API_KEY: "",
    GITHUB_TOKEN: "job-token",
    ...env,
  });
  const [, sarif = ""] = /^sarif=(.+)$/m.exec(await Bun.file(join(home, "output")).text()) ?? [];
  return { ...ran, summary: await Bun.file(join(home, "summary.md")).text(), sarif };
}

describe("the action", () => {
  runs("annotates lines, writes the summary and comments, without a server", async () => {
    using host = new CodeHostServer();
    const { code, output, summary, sarif } = await act({ GITHUB_API_URL: host.url });
    expect(code).toBe(2);
    expect(output).toContain(
      "::error file=main.tf,line=1,title=Leeway R01%3A critical risk::aws_db_instance.main",
    );
    expect(summary).toContain("aws_db_instance.main");
    expect(host.comments.map(({ body }) => body)).toEqual([expect.stringContaining("aws_db_instance.main")]);
    expect(await Bun.file(sarif).json()).toMatchObject({ version: "2.1.0" });
  });

  runs("uses the program, the id token and the gate of a server", async () => {
    using server = new LeewayServer();
    using host = new CodeHostServer();
    server.files = served;
    server.pending = [];
    server.result = { ...RESULT, comment: { posted: false, error: "app_not_configured" } };
    const { code, messages } = await act({ ...server.env, GITHUB_API_URL: host.url });
    expect([code, messages]).toEqual([0, expect.stringContaining("comment created")]);
    expect(server.bodies("/analyze")).toMatchObject([{ fail_on: "high", change_request: { number: 12 } }]);
  });

  runs("stops before it runs a program with another checksum", async () => {
    using server = new LeewayServer();
    server.files = { ...served, [`/cli/${PROGRAM}.sha256`]: `${"0".repeat(64)}  ${PROGRAM}\n` };
    await expect(act(server.env)).rejects.toThrow();
    expect(server.bodies("/analyze")).toEqual([]);
  });

  runs("reads the JSON of a plan as it is", async () => {
    const json = join(folder, "plan.json");
    expect((await act({ PLAN: json, COMMENT: "false", TERRAFORM: "false", FAIL_ON: "never" })).code).toBe(0);
  });
});

/** Commands of the steps that get the program and analyze. */
async function analyzing(file: string): Promise<string> {
  const content = await read(`packages/cli/ci/${file}`);
  if (file === "Jenkinsfile") {
    const blocks = [...content.matchAll(/sh '''\n([^]*?)'''/g)].map(([, block = ""]) => block);
    return blocks.find((block) => block.includes(" analyze ")) ?? "";
  }
  const yaml = objectIn(content);
  if (file.startsWith("azure")) {
    return (
      members(yaml, "steps")
        .flatMap((step) => text(step, "script") ?? [])
        .find((one) => one.includes(" analyze ")) ?? ""
    );
  }
  const [step] = members(member(member(yaml, "pipelines"), "pull-requests"), "**");
  const script = member(step, "step")?.["script"];
  return Array.isArray(script) ? script.filter((line) => typeof line === "string").join("\n") : "";
}

runs.each([
  [
    "azure-pipelines.yml",
    {
      BUILD_REPOSITORY_NAME: "acme/infra",
      BUILD_SOURCEVERSION: "1".repeat(40),
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: "12",
    },
  ],
  [
    "bitbucket-pipelines.yml",
    {
      BITBUCKET_REPO_FULL_NAME: "acme/infra",
      BITBUCKET_BRANCH: "b",
      BITBUCKET_COMMIT: "1".repeat(40),
      BITBUCKET_PR_ID: "12",
    },
  ],
  ["Jenkinsfile", { GIT_COMMIT: "1".repeat(40), CHANGE_ID: "12" }],
])("the pipeline %s downloads leeway, analyzes, and fails at the gate", async (file, env) => {
  using server = new LeewayServer();
  server.files = served;
  server.pending = [];
  const script = await analyzing(file);
  const passed = await shell(script, { ...server.env, ...env });
  expect([passed.code, passed.messages]).toEqual([0, ""]);
  expect(server.bodies("/analyze")).toMatchObject([{ fail_on: "high", change_request: { number: 12 } }]);
  const [junit] = new Bun.Glob("**/leeway*.xml").scanSync(passed.cwd);
  expect(await Bun.file(join(passed.cwd, junit ?? "")).text()).toContain("<testsuite");
  server.result = { ...RESULT, gate: { fail_on: "high", passed: false } };
  expect((await shell(script, { ...server.env, ...env })).code).toBe(2);
});

runs("Atlantis's step analyzes the plan that Atlantis shows", async () => {
  const flow = member(
    member(member(objectIn(await read("packages/cli/ci/atlantis.yaml")), "workflows"), "leeway"),
    "plan",
  );
  const command = members(flow, "steps")
    .flatMap((step) => text(step, "run") ?? [])
    .join("\n");
  await stub("leeway", `exec node "${join(folder, "package", PROGRAM)}" "$@"`);
  const env = { ATLANTIS_TERRAFORM_VERSION: "1.9.0", SHOWFILE: join(folder, "plan.json") };
  const { code, output } = await shell(command, env);
  expect([code, output]).toEqual([2, expect.stringContaining("aws_db_instance.main")]);
});
