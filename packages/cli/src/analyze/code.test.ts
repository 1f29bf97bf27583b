import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { planOf } from "@leeway/analysis/plan/plan.fixture";

import { RESULT } from "../api/recorded.fixture.ts";
import { LeewayServer } from "../api/server.fixture.ts";

let folder = "";
const repository = (): string => join(folder, "repository");

const DATABASE = 'resource "aws_db_instance" "main" {}\n';
const QUEUE = 'resource "aws_sqs_queue" "jobs" {}\n';
const FILES: Record<string, string> = {
  "repository/infra/shop/main.tf": `
module "db" { source = "../modules/db" }
module "outside" { source = "../../../elsewhere" }
module "linked" { source = "./linked" }
`,
  "repository/infra/shop/database.tf": `# The database.\n\n${DATABASE}`,
  "repository/infra/modules/db/db.tf": `\n${QUEUE}`,
  "repository/infra/shop/.hidden.tf": QUEUE,
  "repository/infra/shop/queue.tf.bak": QUEUE,
  "repository/infra/common/queue.tf": `\n\n\n${QUEUE}`,
  "elsewhere/main.tf": QUEUE,
  "elsewhere/secret.tf": 'resource "aws_secret" "x" {}\n',
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-code-"));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await Bun.write(join(folder, path), text);
  }
  const shop = join(repository(), "infra/shop");
  await symlink(join(folder, "elsewhere"), join(shop, "linked"));
  await symlink(join(folder, "elsewhere/secret.tf"), join(shop, "secret.tf"));
  await symlink("../common/queue.tf", join(shop, "queue.tf"));
  await symlink("nowhere.tf", join(shop, "broken.tf"));
  await Bun.$`mkfifo ${join(shop, "pipe.tf")}`;
  await Bun.write(join(shop, "latin.tf"), Buffer.from(`# \u00E9\n${QUEUE}`, "latin1"));
  await mkdir(join(shop, "folder.tf"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the path that Code Quality reports for an address; the command runs in `cwd`. */
async function placeOf(
  address: string,
  { cwd, args = [], env = {} }: { cwd: string; args?: string[]; env?: Record<string, string> },
): Promise<string> {
  using server = new LeewayServer();
  server.result = { ...RESULT, findings: RESULT.findings.map((one) => ({ ...one, address })) };
  const main = join(import.meta.dir, "../main.ts");
  const command = [process.execPath, main, "analyze", "-", "--format", "gitlab-codequality", ...args];
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...server.env, ...env },
    stdin: new Blob([JSON.stringify(planOf([]))]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  expect(code).toBe(0);
  const [{ location }] = JSON.parse(output);
  return `${location.path}:${location.lines.begin}`;
}

const SHOP = ["--dir", "infra/shop"];

describe("code is found", () => {
  const PLACE = "infra/shop/database.tf:3";

  test("below the repository root", async () => {
    expect(await placeOf("aws_db_instance.main", { cwd: repository(), args: SHOP })).toBe(PLACE);
  });

  test("from the project directory", async () => {
    const cwd = join(repository(), "infra/shop");
    expect(await placeOf("aws_db_instance.main", { cwd, args: SHOP })).toBe(PLACE);
  });

  test("from any directory of a Git checkout, with and without --dir", async () => {
    await mkdir(join(repository(), ".git"));
    const cwd = join(repository(), "infra/modules");
    expect(await placeOf("aws_db_instance.main", { cwd, args: SHOP })).toBe(PLACE);
    expect(await placeOf("aws_sqs_queue.jobs", { cwd: join(cwd, "db") })).toBe("infra/modules/db/db.tf:2");
    await rm(join(repository(), ".git"), { recursive: true });
  });

  test.each([
    ["GITHUB_ACTIONS", "GITHUB_WORKSPACE"],
    ["GITLAB_CI", "CI_PROJECT_DIR"],
  ])("by the variables of a pipeline with %s", async (mark, root) => {
    const cwd = join(repository(), "infra/shop");
    const pipeline = { [mark]: "true", [root]: repository(), PWD: cwd };
    expect(await placeOf("aws_db_instance.main", { cwd, env: pipeline })).toBe(PLACE);
  });
});

describe("a finding points to", () => {
  test.each([
    ["a module beside the project", "module.db.aws_sqs_queue.jobs", "infra/modules/db/db.tf:2"],
    ["the target of a symlink inside the repository", "aws_sqs_queue.jobs", "infra/common/queue.tf:4"],
    [
      "the call of a module outside the repository",
      "module.outside.aws_sqs_queue.jobs",
      "infra/shop/main.tf:3",
    ],
    [
      "the call of a module behind a symlink out of the repository",
      "module.linked.aws_sqs_queue.jobs",
      "infra/shop/main.tf:4",
    ],
    ["main.tf if its file is a symlink out of the repository", "aws_secret.x", "infra/shop/main.tf:1"],
    ["main.tf if there is no such block", "aws_sqs_queue.gone", "infra/shop/main.tf:1"],
  ])("%s", async (_, address, place) => {
    expect(await placeOf(address, { cwd: repository(), args: SHOP })).toBe(place);
  });

  test("main.tf of --dir without code", async () => {
    const args = ["--dir", "infra/none"];
    expect(await placeOf("aws_db_instance.main", { cwd: repository(), args })).toBe("infra/none/main.tf:1");
    expect(await placeOf("aws_db_instance.main", { cwd: repository() })).toBe("main.tf:1");
  });
});

test("files above the limit are ignored, and the analysis succeeds", async () => {
  const many = join(folder, "many");
  await mkdir(many);
  const names = Array.from({ length: 1_001 }, (_, at) => `f${String(at).padStart(4, "0")}`);
  await Promise.all(names.map((name) => Bun.write(join(many, `${name}.tf`), `resource "a" "${name}" {}\n`)));
  expect(await placeOf("a.f0999", { cwd: folder, args: ["--dir", "many"] })).toBe("many/f0999.tf:1");
  expect(await placeOf("a.f1000", { cwd: folder, args: ["--dir", "many"] })).toBe("many/f0000.tf:1");
});
