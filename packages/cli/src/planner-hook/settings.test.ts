import { describe, expect, test } from "bun:test";

import { CANARY } from "@leeway/analysis/plan/plan.fixture";

import { version } from "../../package.json" with { type: "json" };
import { ATLANTIS, run, type Run } from "../run.fixture.ts";

const DRY = ["planner-hook", "--dry-run", "--plan", "-"];
const PLAN = { format_version: "1.2", terraform_version: "1.13.0" };

async function eventOf(args: string[], env: Record<string, string | undefined> = ATLANTIS): Promise<unknown> {
  const { code, output, messages } = await run([...DRY, ...args], env, PLAN);
  expect([code, messages]).toEqual([0, []]);
  return JSON.parse(output);
}

const FROM_ATLANTIS = {
  event: "plan",
  version: 1,
  event_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  repository: "acme/platform/infra",
  change_request: {
    number: 12,
    url: "https://gitlab.example.com/acme/platform/infra/-/merge_requests/12",
    head_branch: "bigger-database",
    base_branch: "main",
  },
  commit_sha: "8d5f3c2e9a1b4f6d7c8e9f0a1b2c3d4e5f6a7b8c",
  author: "grace",
  project: { name: "shop", dir: "infra/shop", workspace: "default" },
  status: "success",
  tool: "terraform",
  plan: { format_version: "1.2", terraform_version: "1.13.0" },
  planner: { name: "atlantis" },
};

describe("the event contains", () => {
  test("all values of an Atlantis step", async () => {
    expect(await eventOf([])).toEqual(FROM_ATLANTIS);
  });

  test("the values of flags, which override variables", async () => {
    const flags = {
      "--repository": "other/repo",
      "--project": "p",
      "--dir": "d",
      "--workspace": "w",
      "--pull-number": "7",
      "--pull-url": "https://example.com/7",
      "--head-branch": "h",
      "--base-branch": "b",
      "--commit": "c",
      "--author": "grace",
      "--tool": "terragrunt",
      "--planner-name": "spacer",
      "--planner-version": "1.0",
    };
    expect(await eventOf(Object.entries(flags).flat())).toMatchObject({
      repository: "other/repo",
      project: { name: "p", dir: "d", workspace: "w" },
      change_request: { number: 7, url: "https://example.com/7", head_branch: "h", base_branch: "b" },
      commit_sha: "c",
      author: "grace",
      tool: "terragrunt",
      planner: { name: "spacer", version: "1.0" },
    });
  });

  test("no unknown values", async () => {
    expect(await eventOf(["--repository", "a/b"], {})).toEqual({
      event: "plan",
      version: 1,
      event_id: FROM_ATLANTIS.event_id,
      occurred_at: FROM_ATLANTIS.occurred_at,
      repository: "a/b",
      project: { dir: "." },
      status: "success",
      tool: "terraform",
      plan: PLAN,
    });
  });

  test.each<[string, Record<string, string>, string[], object]>([
    ["no change request if its number is 0", { PULL_NUM: "0" }, [], { change_request: undefined }],
    [
      "no project name if it is empty",
      { PROJECT_NAME: "" },
      [],
      { project: { dir: "infra/shop", workspace: "default" } },
    ],
    [
      "no workspace if the flag is empty",
      {},
      ["--workspace", ""],
      { project: { name: "shop", dir: "infra/shop" } },
    ],
    [
      "OpenTofu by Atlantis's name for it",
      { ATLANTIS_TERRAFORM_DISTRIBUTION: "tofu" },
      [],
      { tool: "opentofu" },
    ],
  ])("%s", async (_, env, args, expected) => {
    expect(await eventOf(args, { ...ATLANTIS, ...env })).toEqual({ ...FROM_ATLANTIS, ...expected });
  });
});

describe("a usage error exits with 64, even with --soft, and explains:", () => {
  test.each<[string, string[], Record<string, string | undefined>, RegExp]>([
    ["an unknown flag", ["--secret=x"], {}, /unknown flag --secret; see leeway planner-hook --help$/],
    ["a flag without its value", ["--dir"], {}, /--dir needs a value: --dir DIR/],
    [
      "a flag instead of a value",
      ["--dir", "--dry-run"],
      {},
      /--dir needs a value, but "--dry-run" looks like a flag; write --dir=VALUE/,
    ],
    [
      "an argument that isn't a flag",
      ["plan.json"],
      {},
      /unexpected argument "plan\.json": leeway planner-hook/,
    ],
    [
      "no repository",
      [],
      { BASE_REPO_OWNER: "" },
      /--repository or \$BASE_REPO_OWNER\/\$BASE_REPO_NAME is required/,
    ],
    ["an invalid number", ["--pull-number", "twelve"], {}, /--pull-number must be a whole number/],
    ["an invalid status", ["--status", "maybe"], {}, /--status must be one of success, failure/],
    ["an invalid tool", ["--tool", "chef"], {}, /--tool must be one of terraform/],
    ["a size above Leeway's limit", ["--max-bytes", "9999999"], {}, /--max-bytes must be .* to 5242880/],
    ["no URL", [], { LEEWAY_WEBHOOK_URL: undefined }, /--url or \$LEEWAY_WEBHOOK_URL is required/],
    ["an invalid URL", [], { LEEWAY_WEBHOOK_URL: `${CANARY}/x` }, /--url must be an https:/],
    ["a URL of another scheme", ["--url", "ftp://x/"], {}, /--url must be an https:/],
    ["a URL with a password", ["--url", `https://a:${CANARY}@x/`], {}, /must not contain a user or password/],
    [
      "plain HTTP to another machine",
      ["--url", "http://leeway.example.com/"],
      {},
      /must be https:\/\/, not http:\/\/leeway\.example\.com; --allow-http sends everything unencrypted/,
    ],
    ["an incomplete secret", [], { LEEWAY_WEBHOOK_SECRET: CANARY }, /must be the complete secret/],
    ["a secret in quotes", [], { LEEWAY_WEBHOOK_SECRET: `"whsec_${CANARY}"` }, /and nothing else/],
    ["no plan", [], {}, /--plan or \$SHOWFILE is required/],
  ])("%s", async (_, args, env, problem) => {
    for (const soft of [[], ["--soft"]]) {
      const { code, output, messages } = await run(["planner-hook", ...soft, ...args], {
        ...ATLANTIS,
        ...env,
      });
      expect([code, output, messages.length]).toEqual([64, "", 1]);
      expect(messages[0]).toMatch(problem);
      expect(messages[0]).not.toContain(CANARY);
    }
  });

  test("no secret, except with --soft, because pipelines of forks have none", async () => {
    for (const secret of ["", undefined]) {
      const env = { ...ATLANTIS, SHOWFILE: "plan.json", LEEWAY_WEBHOOK_SECRET: secret };
      const strict = await run(["planner-hook"], env);
      expect(strict).toMatchObject({
        code: 64,
        messages: [expect.stringMatching(/LEEWAY_WEBHOOK_SECRET is required/)],
      });
      const soft = await run(["planner-hook", "--soft"], env);
      expect(soft).toMatchObject({ code: 0, output: "" });
      expect(soft.messages.join()).toMatch(/LEEWAY_WEBHOOK_SECRET isn't set; pipelines of forks/);
    }
  });

  test("all errors at once", async () => {
    const { messages } = await run(["planner-hook", "--url", "x", "--tries", "0"], {
      ...ATLANTIS,
      LEEWAY_WEBHOOK_SECRET: "",
    });
    expect(messages[0]).toMatch(/--url .*; --tries .*; LEEWAY_WEBHOOK_SECRET /);
  });

  test("a secret given as an argument, without repeating it", async () => {
    const secret = ATLANTIS.LEEWAY_WEBHOOK_SECRET;
    const { code, messages } = await run(["planner-hook", secret]);
    expect(code).toBe(64);
    expect(messages.join()).not.toContain(secret);
  });
});

test("help and version are printed and exit with 0", async () => {
  expect(await run(["--help"])).toMatchObject({ code: 0, output: expect.stringContaining("planner-hook") });
  expect(await run(["--version"])).toMatchObject({ code: 0, output: `${version}\n` });
  const { code, output } = await run(["planner-hook", "--help"], {});
  expect(code).toBe(0);
  expect(output).toContain("--max-seconds SECONDS");
  expect(output).toContain("LEEWAY_WEBHOOK_SECRET");
});

function send(url: string, ...args: string[]): Promise<Run> {
  return run([
    "planner-hook",
    "--url",
    url,
    "--status",
    "failure",
    "--tries",
    "1",
    "--max-seconds",
    "1",
    ...args,
  ]);
}

describe("plain HTTP", () => {
  test.each([
    "http://localhost:1/",
    "http://127.0.0.1:1/",
    "http://127.1:1/",
    "http://[::1]:1/",
    "http://a.localhost:1/",
  ])("may be used on this machine: %s", async (url) => {
    expect(await send(url)).toMatchObject({ code: 10 });
  });

  test.each([
    "http://10.0.0.1/",
    "http://127.0.0.1.example.com/",
    "http://localhost.example.com/",
    "http://128.0.0.1/",
  ])("may not be used to other machines: %s", async (url) => {
    expect(await send(url)).toMatchObject({ code: 64 });
  });

  test("may be used to other machines with --allow-http", async () => {
    expect(await send("http://leeway.invalid/", "--allow-http")).toMatchObject({ code: 10 });
  });
});
