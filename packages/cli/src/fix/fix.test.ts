import { afterAll, beforeEach, describe, expect, test } from "bun:test";

import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { FINGERPRINT, FIX, SOURCES } from "../api/recorded.fixture.ts";
import { LeewayServer, ORG_ID, refusal } from "../api/server.fixture.ts";
import { run, type Run } from "../run.fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "leeway-fix-"));
afterAll(() => rm(folder, { recursive: true }));

const BEFORE = 'resource "aws_ecs_service" "api" {\n  desired_count = 2\n}\n';
const AFTER =
  'resource "aws_ecs_service" "api" {\n  desired_count = 2\n\n  lifecycle {\n    ignore_changes = [desired_count]\n  }\n}\n';
const FILES: Record<string, string> = {
  "main.tf": BEFORE,
  "modules/web/service.tofu": 'resource "aws_ecs_service" "web" {}\n',
  "providers.tf": 'provider "aws" {}\n',
  "other.tf": 'resource "aws_sqs_queue" "jobs" {}\n',
  "secret.tfvars": 'password = "hunter2"\n',
  ".terraform/modules/copy.tf": BEFORE,
  "node_modules/x/copy.tf": BEFORE,
};
const main = join(folder, "main.tf");

beforeEach(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});

function fix(server: LeewayServer, ...args: string[]): Promise<Run> {
  server.pending = [];
  return run(["fix", FINGERPRINT, folder, ...args], server.env);
}

describe("a fix", () => {
  test("is printed as a diff that patch accepts, with its explanation and risks as messages", async () => {
    using server = new LeewayServer();
    const { code, output, messages } = await fix(server);
    expect([code, output]).toEqual([0, FIX.patches[0]?.diff ?? ""]);
    expect(messages).toEqual([
      "sending 3 files for a fix of aws_ecs_service",
      "The autoscaler owns desired_count.",
      "risk: Terraform stops correcting changes of desired_count by hand.",
    ]);
    const patch = Bun.spawn(["git", "apply", "-"], { cwd: folder, stdin: new Blob([output]) });
    expect(await patch.exited).toBe(0);
    expect(await readFile(main, "utf8")).toBe(AFTER);
  });

  test("is requested at the code host, without sending files", async () => {
    using server = new LeewayServer();
    server.pending = [];
    const request = {
      status: "created",
      branch: "leeway/settle-2026-10-07",
      url: "https://gitlab.com/a/-/merge_requests/1",
    };
    server.fix = { ...FIX, change_request: request };
    const { code, messages } = await run(
      ["fix", FINGERPRINT, "--open-change-request", "--source", "shop"],
      server.env,
    );
    expect([code, messages.at(-1)]).toEqual([0, `change request created: ${request.url}`]);
    expect(server.bodies("/fix")).toEqual([
      { org_id: ORG_ID, open_change_request: true, source_id: SOURCES[1]!.id },
    ]);
    expect((await fix(server, "--open-change-request")).code).toBe(64);
  });

  test("uses only files with resources of the type, providers and modules", async () => {
    using server = new LeewayServer();
    await symlink(join(folder, "main.tf"), join(folder, "link.tf"));
    await fix(server, "--strategy", "ignore_changes");
    await rm(join(folder, "link.tf"));
    expect(server.bodies("/fix")).toMatchObject([
      {
        strategy: "ignore_changes",
        source: [
          { path: "main.tf", hcl: BEFORE },
          { path: "modules/web/service.tofu" },
          { path: "providers.tf" },
        ],
      },
    ]);
  });

  test("doesn't send large or non-UTF-8 files, and names them", async () => {
    using server = new LeewayServer();
    const [latin, large] = [join(folder, "latin.tf"), join(folder, "large.tf")];
    await writeFile(latin, Buffer.from("# \u00E9\n", "latin1"));
    await writeFile(large, `${BEFORE}#${"x".repeat(900_000)}\n`);
    const { messages } = await fix(server);
    await Promise.all([rm(latin), rm(large)]);
    expect(messages.filter((message) => message.includes("isn't sent: "))).toHaveLength(2);
    expect(JSON.stringify(server.bodies("/fix"))).not.toContain("latin.tf");
  });

  test("is an example if there is nothing to patch", async () => {
    using server = new LeewayServer();
    server.fix = { ...FIX, patches: [], hcl: "lifecycle {}" };
    const { code, output, messages } = await fix(server, "--apply");
    expect([code, output]).toEqual([0, "lifecycle {}\n"]);
    expect(messages.at(-1)).toContain("change the block to:");
  });

  test("that is already being made is awaited", async () => {
    using server = new LeewayServer();
    server.fixUnderWay = true;
    expect(await fix(server)).toMatchObject({ code: 0, output: FIX.patches[0]?.diff ?? "" });
  });
});

describe("--apply", () => {
  test("writes the files and keeps their modes", async () => {
    using server = new LeewayServer();
    await chmod(main, 0o640);
    const { code, messages } = await fix(server, "--apply");
    expect([code, messages.at(-1)]).toEqual([0, "wrote main.tf"]);
    expect(await readFile(main, "utf8")).toBe(AFTER);
    expect((await stat(main)).mode & 0o777).toBe(0o640);
  });

  test.each<[string, object]>([
    ["a patch of a file that wasn't sent", { path: "other.tf" }],
    ["a patch of a file outside the directory", { path: "../main.tf" }],
    ["a patch of a different text", { diff: "@@ -1,1 +1,1 @@\n-something\n+else\n" }],
    ["an invalid patch", { diff: "nonsense" }],
  ])("writes nothing for %s", async (_, patch) => {
    using server = new LeewayServer();
    server.fix = { ...FIX, patches: [...FIX.patches, { ...FIX.patches[0], ...patch }] };
    const { code, messages } = await fix(server, "--apply");
    expect([code, messages.at(-1)]).toEqual([1, expect.stringContaining("nothing was written")]);
    expect(await readFile(main, "utf8")).toBe(BEFORE);
  });

  test("writes nothing if a file has changed since it was sent", async () => {
    using server = new LeewayServer();
    const edited = `${BEFORE}# edited\n`;
    server.onJob = () => writeFile(main, edited);
    const { code, messages } = await fix(server, "--apply");
    expect([code, messages.at(-1)]).toEqual([
      1,
      "main.tf has changed since it was sent: nothing was written",
    ]);
    expect(await readFile(main, "utf8")).toBe(edited);
  });
});

describe("a failure is explained:", () => {
  test.each<[string, string[], RegExp, number?]>([
    ["no fingerprint", [], /FINGERPRINT is missing: leeway fix FINGERPRINT \[DIR\]/, 64],
    ["an invalid fingerprint", ["x"], /FINGERPRINT must be from leeway noise \(pn1_…\), not "x"/, 64],
    ["an unknown fingerprint", [`pn1_${"a".repeat(26)}`, folder], /rejected the noise \(404\)/],
    [
      "a directory that doesn't exist",
      [FINGERPRINT, join(folder, "no")],
      /can't read the directory .*no: no such file or directory/,
      64,
    ],
    [
      "too many operands",
      [FINGERPRINT, folder, "x"],
      /unexpected argument "x": leeway fix FINGERPRINT \[DIR\]/,
      64,
    ],
  ])("%s", async (_, args, problem, exit = 1) => {
    using server = new LeewayServer();
    const { code, output, messages } = await run(["fix", ...args], server.env);
    expect([code, output]).toEqual([exit, ""]);
    expect(messages.at(-1)).toMatch(problem);
  });

  test("an exhausted quota", async () => {
    using server = new LeewayServer();
    server.denial = refusal(402, "plan_hard_off", "analyses are disabled");
    expect(await fix(server)).toMatchObject({
      code: 1,
      messages: [expect.any(String), "analyses are disabled (plan_hard_off)"],
    });
  });

  test("a failed job", async () => {
    using server = new LeewayServer();
    server.jobError = { code: "fix_failed", message: "the model failed" };
    expect((await fix(server)).messages.at(-1)).toBe("the job failed: the model failed (fix_failed)");
  });
});
