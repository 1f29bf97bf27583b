import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { change, planOf } from "@leeway/analysis/plan/plan.fixture";
import type { Settlement } from "@leeway/shared/contracts/analyzer/settlements";

import { KEY, LeewayServer, ORG_ID, type Reply } from "../api/server.fixture.ts";
import { run, type Run } from "../run.fixture.ts";

const ACCOUNT = "123456789012";
const CODE = `# Orders wait here.
resource "aws_sqs_queue" "q" {
  name          = "q"
  delay_seconds = 5 # seconds
}

resource "aws_sqs_queue" "gone" {
  name = "gone"
}
`;

let folder = "";
let code = "";
let files: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-settle-"));
  code = join(folder, "code");
  const state = join(folder, "state.json");
  const listing = join(folder, "listing.ndjson");
  const queues = [
    { name: "q", attributes: { delay_seconds: 5 } },
    { name: "gone", attributes: {} },
  ];
  await Bun.write(state, JSON.stringify(stateOf(queues)));
  const live = [queue("q", { DelaySeconds: 90 }), queue("shadow", { QueueName: "shadow", DelaySeconds: 7 })];
  await Bun.write(listing, live.map((row) => `${JSON.stringify(row)}\n`).join(""));
  files = ["--state", state, "--listing", listing, "--dir", code];
});
afterAll(() => rm(folder, { recursive: true }));

const arn = (name: string): string => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const url = (name: string): string => `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/${name}`;
const queue = (name: string, properties: object): object => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  region: "eu-west-1",
  name,
  properties,
});
const stateOf = (queues: readonly { name: string; attributes: object }[]): object => ({
  version: 4,
  terraform_version: "1.9.0",
  serial: 1,
  lineage: "l",
  resources: queues.map(({ name, attributes }) => ({
    mode: "managed",
    type: "aws_sqs_queue",
    name,
    provider: 'provider["registry.terraform.io/hashicorp/aws"]',
    instances: [
      {
        schema_version: 0,
        attributes: { id: url(name), arn: arn(name), name, url: url(name), ...attributes },
      },
    ],
  })),
});

/** Runs the command on fresh code. */
async function settle(args: readonly string[], text = CODE): Promise<Run> {
  await Bun.write(join(code, "main.tf"), text);
  return run(["settle", ...args], {});
}

describe("leeway settle with files", () => {
  test("prints one patch with what is live, and changes nothing", async () => {
    const { code: exit, output, messages } = await settle(["accept", ...files]);
    expect([exit, messages]).toEqual([
      0,
      ["aws_sqs_queue.q: Sets `delay_seconds` of `aws_sqs_queue.q` to what is live, in `main.tf`."],
    ]);
    expect(output).toStartWith("--- a/main.tf\n+++ b/main.tf\n@@");
    expect(output.match(/^[+-] .*/gm)).toEqual([
      "-  delay_seconds = 5 # seconds",
      "+  delay_seconds = 90 # seconds",
    ]);
    expect(await Bun.file(join(code, "main.tf")).text()).toBe(CODE);
  });

  test("writes the code with --write, after which nothing is left to change", async () => {
    const { output } = await settle(["aws_sqs_queue.q", ...files, "--write"]);
    expect(output).toBe(`${join(code, "main.tf")}\n`);
    const written = await Bun.file(join(code, "main.tf")).text();
    expect(written).toBe(CODE.replace("= 5", "= 90"));
    expect(await settle(["accept", ...files], written)).toEqual({
      code: 0,
      output: "",
      messages: ["aws_sqs_queue.q: The code already sets `delay_seconds` as live."],
    });
  });

  test("writes whole files to another folder, and the code of an undeclared resource", async () => {
    const out = join(folder, "out");
    const forgotten = await settle(["forget", ...files, "--out", out]);
    expect(forgotten.output).toBe(`${out}/main.tf\n`);
    expect(await Bun.file(join(out, "main.tf")).text()).toContain("removed {\n  from = aws_sqs_queue.gone");
    const adopted = await settle(["adopt", ...files]);
    expect(adopted.messages).toEqual([`${arn("shadow")}: Imports the resource as \`aws_sqs_queue.shadow\`.`]);
    expect(adopted.output).toContain('+resource "aws_sqs_queue" "shadow" {\n+  delay_seconds = 7\n');
  });

  test("prints the commands that revert, for a shell", async () => {
    const { output } = await settle(["aws_sqs_queue.q", "revert", ...files]);
    expect(output).toBe(
      "terraform plan -target='aws_sqs_queue.q' -out=leeway.tfplan\nterraform apply leeway.tfplan\n",
    );
  });

  test("warns of a revert that replaces the resource", async () => {
    const [state, listing] = [join(folder, "fifo.json"), join(folder, "fifo.ndjson")];
    await Bun.write(state, JSON.stringify(stateOf([{ name: "q", attributes: { fifo_queue: true } }])));
    await Bun.write(listing, JSON.stringify(queue("q", { FifoQueue: false })));
    const own = ["--state", state, "--listing", listing, "--dir", code];
    const { messages } = await settle(["aws_sqs_queue.q", "revert", ...own]);
    expect(messages.join()).toContain(
      "probably replace `aws_sqs_queue.q`, because `fifo_queue` can't be changed in place",
    );
  });

  test("names place and reason of what it can't edit, exits with 1, and says all as JSON", async () => {
    const text = CODE.replace("delay_seconds = 5 #", "delay_seconds = var.delay #");
    const { code: exit, output, messages } = await settle(["accept", ...files], text);
    expect([exit, output]).toEqual([1, ""]);
    expect(messages.join()).toMatch(/^refused: aws_sqs_queue\.q: main\.tf:\d+: .*var\.delay/);
    const json = JSON.parse((await settle(["accept", ...files, "--json"], text)).output);
    expect(json).toMatchObject({
      patch: "",
      files: [],
      changes: [{ how: "accept", refused: { path: "main.tf" } }],
    });
  });

  test("takes the drift that a plan found", async () => {
    const drift = {
      ...change(["update"], {
        before: { name: "q", delay_seconds: 5 },
        after: { name: "q", delay_seconds: 90 },
      }),
      address: "aws_sqs_queue.q",
      type: "aws_sqs_queue",
      name: "q",
    };
    const plan = join(folder, "plan.json");
    await Bun.write(plan, JSON.stringify({ ...planOf([]), resource_drift: [drift] }));
    const { output } = await settle(["accept", "--plan", plan, "--dir", code]);
    expect(output).toContain("\n+  delay_seconds = 90 # seconds\n");
  });

  test.each([
    [["aws_sqs_queue.other"], 1, "these files show no change of aws_sqs_queue.other"],
    [["aws_sqs_queue.q", "apply"], 64, 'HOW must be one of accept, revert, adopt, forget, not "apply"'],
    [["accept", "--open-change-request"], 64, "--open-change-request needs a server"],
    [["accept", "--write", "--out", "x"], 64, "--write and --out exclude each other"],
    [["accept", "--root", "x"], 64, "must be in --root x"],
  ])("%p exits with %i: %s", async (args, exit, message) => {
    const { code: exited, messages } = await settle([...args, ...files]);
    expect([exited, messages.join()]).toEqual([exit, expect.stringContaining(message)]);
    expect(await Bun.file(join(code, "main.tf")).text()).toBe(CODE);
  });
});

const FINGERPRINT = `dc1_${"0a".repeat(16)}`;
const SETTLED: Settlement = {
  how: "accept",
  patch:
    "--- a/main.tf\n+++ b/main.tf\n@@ -4,1 +4,1 @@\n-  delay_seconds = 5 # seconds\n+  delay_seconds = 90 # seconds\n",
  files: [{ path: "main.tf", content: CODE.replace("= 5", "= 90") }],
  explanation: "Sets `delay_seconds`.",
};

/** Asks a server that gives this answer. */
async function ask(args: readonly string[], answer: Reply): Promise<Run & { server: LeewayServer }> {
  using server = new LeewayServer(answer);
  await Bun.write(join(code, "main.tf"), CODE);
  const result = await run(["settle", ...args], server.env);
  return { ...result, server };
}

describe("leeway settle with a server", () => {
  test("prints its patch, and writes it into a checkout that has the same lines", async () => {
    const { output, server } = await ask([FINGERPRINT], { status: 200, body: SETTLED });
    expect(output).toBe(SETTLED.patch);
    expect(server.requests[0]?.path).toEndWith(`/orgs/${ORG_ID}/drift-changes/${FINGERPRINT}/settlement`);
    expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(server.bodies("/settlement")).toEqual([{ how: "accept" }]);
    await ask([FINGERPRINT, "--write", "--root", code], { status: 200, body: SETTLED });
    expect(await Bun.file(join(code, "main.tf")).text()).toBe(CODE.replace("= 5", "= 90"));
    const other = { ...SETTLED, patch: SETTLED.patch.replaceAll("seconds = 5", "seconds = 6") };
    const refused = await ask([FINGERPRINT, "--write", "--root", code], { status: 200, body: other });
    expect([refused.code, refused.messages.join()]).toEqual([
      1,
      expect.stringContaining("nothing was written"),
    ]);
    expect(await Bun.file(join(code, "main.tf")).text()).toBe(CODE);
  });

  test("never writes outside the folder, whatever paths it names", async () => {
    for (const path of ["../outside.tf", "/tmp/outside.tf", "a/../../outside.tf"]) {
      const body = {
        ...SETTLED,
        patch: SETTLED.patch.replaceAll("main.tf", path),
        files: [{ path, content: "x" }],
      };
      for (const flags of [
        ["--write", "--root", code],
        ["--out", join(folder, "elsewhere")],
      ]) {
        const { code: exit, messages } = await ask([FINGERPRINT, ...flags], { status: 200, body });
        expect([exit, messages.join()]).toEqual([
          1,
          expect.stringContaining("isn't a path inside the folder"),
        ]);
      }
    }
  });

  test("asks for a change request, and prints its address", async () => {
    const request = {
      branch: "leeway/settle-2026-10-07",
      status: "created",
      url: "https://gitlab.com/a/-/merge_requests/1",
    };
    const { messages, server } = await ask([FINGERPRINT, "forget", "--open-change-request"], {
      status: 200,
      body: { ...SETTLED, how: "forget", change_request: request },
    });
    expect(messages.at(-1)).toBe("change request created: https://gitlab.com/a/-/merge_requests/1");
    expect(server.bodies("/settlement")).toEqual([{ how: "forget", open_change_request: true }]);
  });

  test("adopts a resource into the code of a source", async () => {
    const source = "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95";
    const { server } = await ask([FINGERPRINT, "adopt", "--open-change-request", "--into", source], {
      status: 200,
      body: { ...SETTLED, how: "adopt" },
    });
    expect(server.bodies("/settlement")).toEqual([
      { how: "adopt", open_change_request: true, source_id: source },
    ]);
    const { code: exit, messages } = await ask([FINGERPRINT, "--into", source], {
      status: 200,
      body: SETTLED,
    });
    expect([exit, messages.join()]).toEqual([64, expect.stringContaining("--into is only for adopt")]);
  });

  test("shows why the server refuses, and needs a fingerprint", async () => {
    const refused = { code: "expression", message: "an expression sets it", path: "main.tf", line: 4 };
    const answer = { ...SETTLED, patch: "", files: [], refused };
    const one = await ask([FINGERPRINT], { status: 200, body: answer });
    expect([one.code, one.messages]).toEqual([
      1,
      [`refused: ${FINGERPRINT}: main.tf:4: an expression sets it`],
    ]);
    const none = await ask(["accept"], { status: 200, body: SETTLED });
    expect([none.code, none.server.requests]).toEqual([64, []]);
  });
});
