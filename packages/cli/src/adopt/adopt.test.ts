import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run } from "../run.fixture.ts";

const SHOP = join(import.meta.dir, "../../../../examples/aws-shop");
const FILES = ["--listing", join(SHOP, "listing.json"), "--state", join(SHOP, "states/*")];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-adopt-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("leeway adopt", () => {
  test("prints code for what no state declares", async () => {
    const { code, output, messages } = await run(["adopt", ...FILES], {});
    expect(code).toBe(0);
    expect(output).toContain('resource "aws_security_group" "debug_open_all" {');
    expect(output).toContain(
      'import {\n  to = aws_instance.anna_llm_experiment\n  id = "i-095011e319c379f41"\n}\n',
    );
    expect(output).not.toContain("aws_vpc");
    expect(messages.at(-1)).toMatch(/^\d+ complete, \d+ partial, \d+ refused$/);
  });

  test("writes files, and overwrites none without --force", async () => {
    const into = join(folder, "code");
    const only = ["--only", "debug-open-all", "--out", into];
    const written = await run(["adopt", ...FILES, ...only], {});
    expect(written.output).toBe(`${into}/adopted.tf\n`);
    const again = await run(["adopt", ...FILES, ...only], {});
    expect([again.code, again.messages.join()]).toEqual([
      1,
      `${into}/adopted.tf exists already; choose another folder, or add --force`,
    ]);
    expect((await run(["adopt", ...FILES, ...only, "--force"], {})).code).toBe(0);
    expect(await readFile(join(into, "adopted.tf"), "utf8")).toContain("aws_security_group");
  });

  test("says as JSON why a declared resource is refused", async () => {
    const { output } = await run(["adopt", ...FILES, "--only", "AWS::EC2::VPC", "--json"], {});
    const { resources, counts } = JSON.parse(output);
    expect(counts).toEqual({ complete: 0, partial: 0, refused: resources.length });
    expect(resources.map(({ reason }: { reason: string }) => reason)).toContain(
      "already declared as module.vpc.aws_vpc.this[0]",
    );
  });

  test("refuses a state to join that it doesn't read", async () => {
    const { code, messages } = await run(["adopt", ...FILES, "--into", "other.tfstate"], {});
    expect([code, messages.join()]).toEqual([
      64,
      expect.stringContaining("--into other.tfstate isn't one of the states"),
    ]);
  });
});
