import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ACCOUNTS, SOURCES } from "../api/recorded.fixture.ts";
import { LeewayServer } from "../api/server.fixture.ts";
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

describe("leeway adopt with a server", () => {
  const NAMED = "0192e4a0-7c1e-7a33-9d55-0000000000a1";
  const OTHER = "0192e4a0-7c1e-7a33-9d55-0000000000a2";
  const ADOPTED = {
    files: [{ path: "adopted.tf", content: "# code\n" }],
    resources: [],
    counts: { complete: 1, partial: 0, refused: 0 },
  };

  test("adopts all undeclared resources of an account, or those with an id, name or type", async () => {
    using server = new LeewayServer();
    server.adoption = ADOPTED;
    server.resources = [
      { id: NAMED, name: "orders", provider_type: "AWS::SQS::Queue" },
      { id: OTHER, name: "orders-2", provider_type: "AWS::SQS::Queue" },
    ];
    const all = ["adopt", "--account", "aws:222222222222", "--into", "shop", "--tool", "opentofu"];
    expect(await run(all, server.env)).toEqual({
      code: 0,
      output: "# code\n",
      messages: ["1 complete, 0 partial, 0 refused"],
    });
    await run(["adopt", "--only", "orders", "--only", OTHER], server.env);
    expect(server.bodies("/adoptions")).toEqual([
      { filter: { account_id: ACCOUNTS[1]!.id }, source_id: SOURCES[1]!.id, tool: "opentofu" },
      { resource_ids: [NAMED, OTHER], tool: "terraform" },
    ]);
    const none = await run(["adopt", "--only", "nothing"], server.env);
    expect([none.code, none.messages.join()]).toEqual([1, 'no resource has the id, name or type "nothing"']);
  });

  test("needs the settings of a server if no files are given", async () => {
    const { code: exit, messages } = await run(["adopt"], {});
    expect([exit, messages.join()]).toEqual([
      64,
      expect.stringContaining("--url or $LEEWAY_URL is required"),
    ]);
  });
});
