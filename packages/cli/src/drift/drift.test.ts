import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CANARY } from "@leeway/analysis/plan/plan.fixture";

import { run, type Run } from "../run.fixture.ts";

const EXAMPLES = join(import.meta.dir, "../../../../examples");
const SHOP = ["--listing", join(EXAMPLES, "aws-shop/listing.json")];
const STATES = ["--state", join(EXAMPLES, "aws-shop/states/*")];
const ACCOUNT = "123456789012";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-drift-"));
});
afterAll(() => rm(folder, { recursive: true }));

const drift = (args: readonly string[], input?: unknown): Promise<Run> => run(["drift", ...args], {}, input);

async function file(name: string, content: string | Uint8Array | object): Promise<string> {
  const path = join(folder, name);
  const isReady = typeof content === "string" || content instanceof Uint8Array;
  await Bun.write(path, isReady ? content : JSON.stringify(content));
  return path;
}

const arn = (name: string): string => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const queue = (name: string, properties?: object): object => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  name,
  ...(properties && { properties }),
});
const url = (name: string): string => `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/${name}`;

/** Builds a state that declares queues. */
function stateOf(...queues: readonly { name: string; attributes?: object }[]): object {
  return {
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
  };
}

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

describe("leeway drift", () => {
  test("shows missing and undeclared resources of an example, worst first, and what it didn't check", async () => {
    const { code, output } = await drift([...SHOP, ...STATES]);
    expect(code).toBe(0);
    expect(output).toStartWith(
      "aws:111122223333: 198 resources, 183 declared (92.42 %), 15 undeclared, 39 excluded\n",
    );
    expect(output).toContain(
      "2 missing:\nmedium    aws_iam_role.nightly_report\nmedium    aws_sqs_queue.dead",
    );
    expect(output).toContain("15 undeclared:\ncritical  AWS::EC2::SecurityGroup debug-open-all\n");
    expect(output).toContain("          Opens all ports to 0.0.0.0/0\n");
    expect(output).toContain("57 declared resources not checked:\n- the listings don't show their type: ");
    expect(output).toEndWith(
      "Risk: medium (2 medium); undeclared: critical (2 critical, 3 medium, 10 low); standard profile\nno gate (--fail-on isn't set)\n",
    );
  });

  test("shows the declared and the live value of a changed attribute", async () => {
    const state = await file("changed.tfstate", stateOf({ name: "q", attributes: { delay_seconds: 5 } }));
    const listing = await file("changed.ndjson", lines([queue("q", { DelaySeconds: 90 })]));
    const { output } = await drift(["--listing", listing, "--state", state]);
    expect(output).toContain("1 changed outside code:\n");
    expect(output).toContain("aws_sqs_queue.q\n");
    expect(output).toContain("delay_seconds: 5 → 90\n");
  });

  test("fails the gate at its level, with the worst change", async () => {
    const { code, output } = await drift([...SHOP, ...STATES, "--fail-on", "critical"]);
    expect([code, output.trimEnd().split("\n").at(-1)]).toEqual([
      2,
      "gate failed: worst change is critical, limit is critical",
    ]);
  });

  test("shows and judges only new changes since an earlier report", async () => {
    const first = await drift([...SHOP, ...STATES, "--format", "json"]);
    const report = await file("first.json", first.output);
    const again = await drift([...SHOP, ...STATES, "--new-since", report, "--fail-on", "low"]);
    expect(again.code).toBe(0);
    expect(again.output).toContain("17 changes already in the earlier report\n");
    const less = JSON.parse(first.output);
    less.changes = less.changes.filter(
      (change: { address?: string }) => change.address !== "aws_iam_role.nightly_report",
    );
    const one = await drift([
      ...SHOP,
      ...STATES,
      "--new-since",
      await file("less.json", less),
      "--fail-on",
      "low",
    ]);
    expect(one.code).toBe(2);
    expect(one.output).toContain("1 missing:\nmedium    aws_iam_role.nightly_report\n");
    const wrong = await drift([...SHOP, ...STATES, "--new-since", await file("wrong.json", { changes: [] })]);
    expect(wrong).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("isn't a report of leeway drift")],
    });
  });

  test("reads gzip and standard input", async () => {
    const state = await file("zipped.tfstate.gz", Bun.gzipSync(JSON.stringify(stateOf({ name: "q" }))));
    const { output } = await drift(["--listing", "-", "--state", state], lines([queue("q")]));
    expect(output).toContain(`aws:${ACCOUNT}: 1 resource, 1 declared (100 %), 0 undeclared\n`);
    const both = await drift(["--listing", "-", "--state", "-"], "");
    expect(both).toMatchObject({
      code: 64,
      messages: [expect.stringContaining("only one file can be standard input")],
    });
  });

  test("joins the listings of an account and keeps accounts apart", async () => {
    const first = await file("first.ndjson", lines([queue("a")]));
    const second = await file("second.ndjson", lines([queue("b")]));
    const other = await file("other.ndjson", lines([queue("c")]).replaceAll(ACCOUNT, "210987654321"));
    const state = await file("both.tfstate", stateOf({ name: "a" }, { name: "b" }, { name: "gone" }));
    const listings = [first, second, other].flatMap((path) => ["--listing", path]);
    const { output } = await drift([...listings, "--state", state, "--format", "json"]);
    const report = JSON.parse(output);
    expect(report.accounts).toMatchObject([
      { external_id: ACCOUNT, live_count: 2, matched_count: 2, missing_count: 1 },
      { external_id: "210987654321", live_count: 1, matched_count: 0, missing_count: 0 },
    ]);
    expect(report.changes).toMatchObject([
      { kind: "missing", address: "aws_sqs_queue.gone" },
      { kind: "undeclared", provider_resource_id: arn("c").replace(ACCOUNT, "210987654321") },
    ]);
  });

  test("reports nothing as missing if the listing is incomplete", async () => {
    const page = {
      TypeName: "AWS::SQS::Queue",
      ResourceDescriptions: [
        { Identifier: url("a"), Properties: JSON.stringify({ QueueUrl: url("a"), Arn: arn("a") }) },
      ],
      NextToken: "more",
    };
    const listing = await file("page.json", page);
    const state = await file("page.tfstate", stateOf({ name: "a" }, { name: "b" }));
    const { output } = await drift(["--listing", listing, "--state", state]);
    expect(output).toContain("the listing is incomplete (NextToken): nothing is reported as missing\n");
    expect(output).toContain(
      "1 declared resource not checked:\n- the listing is incomplete: aws_sqs_queue (1)\n",
    );
  });

  test("never shows a secret of a state or a listing", async () => {
    const secret = { sqs_managed_sse_enabled: true, password: CANARY, tags: { api_key: CANARY } };
    const state = await file("secret.tfstate", stateOf({ name: "q", attributes: secret }));
    const properties = { SqsManagedSseEnabled: false, Password: CANARY };
    const listing = await file(
      "secret.ndjson",
      lines([queue("q", properties), queue("r", { Secret: CANARY })]),
    );
    for (const format of ["table", "json"]) {
      const { output } = await drift(["--listing", listing, "--state", state, "--format", format]);
      expect(output).toContain("sqs_managed_sse_enabled");
      expect(output).not.toContain(CANARY);
    }
  });

  test.each([
    ["without a listing", ["--state", "x"], 64, "--listing FILE is required"],
    [
      "with a pattern that matches no file",
      ["--listing", "/nowhere/*.json", "--state", "x"],
      64,
      "--listing /nowhere/*.json: no such file",
    ],
    [
      "with a malformed account",
      [...SHOP, ...STATES, "--account", "aws"],
      64,
      "--account must be PROVIDER:EXTERNAL_ID, such as aws:123456789012",
    ],
    [
      "with an unknown level",
      [...SHOP, ...STATES, "--fail-on", "bad"],
      64,
      '--fail-on must be one of critical, high, medium, low, never, not "bad"',
    ],
    [
      "with a state as listing",
      [...STATES, "--listing", join(EXAMPLES, "aws-shop/states/shop.tfstate")],
      1,
      "this is a Terraform state (version 4), not a listing",
    ],
    [
      "with an empty listing",
      [...STATES, "--listing", "/dev/null", "--account", "aws:1"],
      1,
      "/dev/null contains no listing",
    ],
    [
      "with a listing as state",
      [...SHOP, "--state", join(EXAMPLES, "aws-shop/listing.json")],
      1,
      "not a state",
    ],
  ])("%s it gives the reason and exits with 64 or 1", async (_, args, code, message) => {
    const done = await drift(args);
    expect([done.code, done.output]).toEqual([code, ""]);
    expect(done.messages.join("\n")).toContain(message);
  });
});
