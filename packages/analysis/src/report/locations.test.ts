import { describe, expect, test } from "bun:test";

import { posix } from "node:path";

import fc from "fast-check";

import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import type { AnalysisContext } from "../narrative/context.ts";
import { finding, result } from "../narrative/analysis.fixture.ts";
import { codeQualityReport } from "./code-quality.ts";
import { junitReport } from "./junit.ts";
import { locate, type Code } from "./locations.ts";
import { sarifReport } from "./sarif.ts";

/** Builds code in memory that records the directories that were read. */
function codeOf(files: Readonly<Record<string, string>>, directory = "."): Code & { read: string[] } {
  const read: string[] = [];
  return {
    directory,
    read,
    async *files(wanted) {
      read.push(wanted);
      for (const path of Object.keys(files).toSorted()) {
        if (posix.dirname(path) === wanted) yield { path, text: files[path] ?? "" };
      }
    },
  };
}

async function placeOf(address: string, files: Record<string, string>, directory?: string): Promise<string> {
  const location = (await locate([address], codeOf(files, directory))).get(address);
  return location ? `${location.path}:${location.line}` : "nowhere";
}

const block = (type: string, name: string): string => `resource "${type}" "${name}" {\n  size = 1\n}\n`;
const call = (name: string, source: string): string => `module "${name}" {\n  source = "${source}"\n}\n`;

const SHOP = {
  "infra/shop/main.tf": `# comment\n\n${call("db", "./modules/db")}\n${call("net", "../modules/net/")}\n${call("vpc", "terraform-aws-modules/vpc/aws")}`,
  "infra/shop/queue.tofu": `${block("aws_sqs_queue", "jobs")}\n${block("aws_sqs_queue", "mails")}`,
  "infra/shop/override.tf": block("aws_sqs_queue", "only_overridden"),
  "infra/shop/shop_override.tf": block("aws_sqs_queue", "jobs"),
  "infra/shop/modules/db/rds.tf": `locals {}\n${block("aws_db_instance", "this")}`,
  "infra/modules/net/a.tf": call("peer", "./missing"),
  "infra/modules/net/main.tf": block("aws_vpc", "this"),
};

describe("an address points to", () => {
  test.each([
    ["a resource's block", "aws_sqs_queue.mails", "infra/shop/queue.tofu:5"],
    ["the block of an instance by number", "aws_sqs_queue.jobs[3]", "infra/shop/queue.tofu:1"],
    ["the block of an instance by key", 'aws_sqs_queue.jobs["a.b[0]"]', "infra/shop/queue.tofu:1"],
    ["a block in a local module", 'module.db["eu"].aws_db_instance.this', "infra/shop/modules/db/rds.tf:2"],
    ["a block in a module beside the project", "module.net.aws_vpc.this", "infra/modules/net/main.tf:1"],
    ["the call of a remote module", "module.vpc.aws_vpc.this[0]", "infra/shop/main.tf:11"],
    [
      "the call of a remote module for a module inside it",
      "module.vpc.module.x.a_b.c",
      "infra/shop/main.tf:11",
    ],
    ["the call of a module with missing files", "module.net.module.peer.a_b.c", "infra/modules/net/a.tf:1"],
    ["main.tf for a deleted resource", "aws_sqs_queue.gone", "infra/shop/main.tf:1"],
    [
      "main.tf for a resource of a deleted module call",
      "module.gone.aws_sqs_queue.a",
      "infra/shop/main.tf:1",
    ],
    [
      "its module's main.tf for a resource deleted there",
      "module.net.aws_vpc.old",
      "infra/modules/net/main.tf:1",
    ],
    [
      "the first file of a module without main.tf",
      "module.db.aws_db_instance.old",
      "infra/shop/modules/db/rds.tf:1",
    ],
    ["main.tf if only an override file declares it", "aws_sqs_queue.only_overridden", "infra/shop/main.tf:1"],
  ])("%s", async (_, address, place) => {
    expect(await placeOf(address, SHOP, "infra/shop")).toBe(place);
  });

  test.each([
    ["a data source", "data.aws_ami.ubuntu", SHOP],
    ["the plan as a whole", "", SHOP],
    ["any address without code", "aws_sqs_queue.jobs", {}],
  ])("nothing for %s", async (_, address, files) => {
    expect(await placeOf(address, files, "infra/shop")).toBe("nowhere");
  });

  test("the other files if one can't be parsed", async () => {
    const files = { "a.tf": 'resource "aws_x" {{{', "b.tf": `\n${block("aws_x", "b")}` };
    expect(await placeOf("aws_x.b", files)).toBe("b.tf:2");
    expect(await placeOf("aws_x.a", files)).toBe("a.tf:1");
  });

  test("the first of two blocks of the same name", async () => {
    expect(await placeOf("a_b.c", { "x.tf": `\n${block("a_b", "c")}`, "y.tf": block("a_b", "c") })).toBe(
      "x.tf:2",
    );
  });

  test("a key in JSON", async () => {
    const files = {
      "main.tf.json": JSON.stringify(
        {
          "//": { resource: { a_b: { decoy: 1 } } },
          variable: { resource: { default: "module" } },
          resource: [
            { a_b: { first: { size: 1 } } },
            { a_b: [{ second: { "x:y": ['"{', 5] } }], c_d: { first: {} } },
          ],
          module: { db: { count: 2, source: "./db" }, net: [{ source: "git::https://x" }] },
        },
        null,
        1,
      ),
      "db/main.tofu.json": '{"resource":{"a_b":{\n"inner":{}}}}',
      "broken.tf.json": '{"resource":{"a_b":{"broken":{}}}',
    };
    const lines = (files["main.tf.json"] ?? "").split("\n");
    const lineOf = (key: string): number => lines.findIndex((line) => line.includes(`"${key}"`)) + 1;
    expect(await placeOf("a_b.first", files)).toBe(`main.tf.json:${lineOf("first")}`);
    expect(await placeOf("a_b.second", files)).toBe(`main.tf.json:${lineOf("second")}`);
    expect(await placeOf("module.db[1].a_b.inner", files)).toBe("db/main.tofu.json:2");
    expect(await placeOf("module.net.a_b.x", files)).toBe(`main.tf.json:${lineOf("net")}`);
    for (const address of ["a_b.decoy", "a_b.broken", "variable.resource"]) {
      expect(await placeOf(address, files)).toMatch(/^broken\.tf\.json:1$/);
    }
  });
});

test("only directories that addresses lead to are read, each once", async () => {
  const code = codeOf(SHOP, "infra/shop");
  await locate(["aws_sqs_queue.jobs", "aws_sqs_queue.mails", "module.net.aws_vpc.this"], code);
  expect(code.read).toEqual(["infra/shop", "infra/modules/net"]);
});

test("a module that calls itself is followed only as far as the address", async () => {
  const files = { "main.tf": `${call("me", "./")}${block("a_b", "c")}` };
  expect(await placeOf("module.me.module.me.module.me.a_b.c", files)).toBe("main.tf:4");
});

const key = fc.stringMatching(/^[a-z]\w{0,8}$/);
test("a resource in any JSON is located at the line of its key", async () => {
  const types = fc.dictionary(
    key,
    fc.dictionary(key, fc.jsonValue(), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    {
      noNullPrototype: true,
    },
  );
  await fc.assert(
    fc.asyncProperty(types, fc.jsonValue(), async (resource, other) => {
      const text = JSON.stringify({ locals: other, resource, output: other }, null, 2);
      const lines = text.split("\n");
      for (const [type, names] of Object.entries(resource)) {
        for (const name of Object.keys(names)) {
          const place = await placeOf(`${type}.${name}`, { "main.tf.json": text });
          const line = Number(place.split(":")[1]);
          expect(lines[line - 1]).toStartWith(`      ${JSON.stringify(name)}: `);
        }
      }
    }),
  );
});

test("any text is read or skipped", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.json()),
      fc.constantFrom("main.tf", "main.tf.json"),
      async (text, path) => {
        expect(await placeOf("a_b.c", { [path]: text })).toBe(`${path}:1`);
      },
    ),
  );
});

describe("with code, a report points to the block:", () => {
  const CONTEXT: AnalysisContext = { project: { dir: "infra/my shop" } };
  const FINDINGS = [
    finding({ address: "aws_sqs_queue.mails" }),
    finding({ address: "", rule: "R24", risk_level: "medium" }),
  ];
  const RESULT: AnalyzeResult = result({ findings: FINDINGS, gate: { fail_on: "low", passed: false } });
  const LOCATIONS = new Map([["aws_sqs_queue.mails", { path: "infra/my shop/queue.tf", line: 5 }]]);

  test("in SARIF", () => {
    const [run] = JSON.parse(sarifReport(RESULT, CONTEXT, LOCATIONS)).runs;
    expect(run.results).toMatchObject([
      {
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "infra/my%20shop/queue.tf" },
              region: { startLine: 5 },
            },
          },
        ],
      },
      {
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "infra/my%20shop/main.tf" },
              region: { startLine: 1 },
            },
          },
        ],
      },
    ]);
  });

  test("in Code Quality", () => {
    expect(JSON.parse(codeQualityReport(RESULT, CONTEXT, LOCATIONS))).toMatchObject([
      { location: { path: "infra/my shop/queue.tf", lines: { begin: 5 } } },
      { location: { path: "infra/my shop/main.tf", lines: { begin: 1 } } },
    ]);
  });

  test("in JUnit, which names no file without code", () => {
    const report = junitReport(RESULT, CONTEXT, LOCATIONS);
    expect(report).toContain('name="R01 aws_sqs_queue.mails" file="infra/my shop/queue.tf" line="5">');
    expect(report).toContain('name="R24 the plan">');
    expect(junitReport(RESULT, CONTEXT)).not.toContain("file=");
  });

  test("with an unchanged fingerprint", () => {
    const [located] = JSON.parse(codeQualityReport(RESULT, CONTEXT, LOCATIONS));
    const [unlocated] = JSON.parse(codeQualityReport(RESULT, CONTEXT));
    expect(located.fingerprint).toBe(unlocated.fingerprint);
  });
});
