import { expect, test } from "bun:test";

import { fixed, noiseOf } from "./fix.fixture.ts";
import { parseHcl } from "./hcl/parse-hcl.ts";

const HALF = 500_000;
const upTo = (length: number, part: string): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
const noise = noiseOf("autoscaler_owned", "size");

const HOSTILE: readonly (readonly [string, string])[] = [
  ["open brackets", `x = ${upTo(HALF - 10, "[")}`],
  ["deeply nested brackets", `x = ${"(".repeat(100_000)}1${")".repeat(100_000)}\n`],
  ["deep blocks", `${"a {\n".repeat(50_000)}${"}\n".repeat(50_000)}`],
  ["open blocks", upTo(HALF, "a {\n")],
  ["closing braces", upTo(HALF, "}")],
  ["quotes", upTo(HALF, '"')],
  ["templates in templates", upTo(HALF, '"${')],
  ["open heredocs", upTo(HALF, "x = <<EOT\n")],
  ["a long heredoc", `x = <<EOT\n${upTo(HALF - 100, "}\n")}\nEOT\n`],
  ["operators", `x = ${upTo(HALF - 10, "1 + ")}1\n`],
  ["a tangle", upTo(HALF, 'a = = b { ] } ( "x')],
  ["NUL", upTo(HALF, "\0")],
  ["half surrogate pairs", upTo(HALF, "\uD83D")],
  ["bytes", Buffer.from(upTo(HALF, '\u0001\u00FF\u0080[{"\n'), "latin1").toString("latin1")],
  ["many blocks of one name", upTo(HALF, 'resource "aws_thing" "a" {}\n')],
  [
    "many attributes",
    `resource "aws_thing" "a" {\n${Array.from({ length: 20_000 }, (_, index) => `a${index} = 1\n`).join("")}}\n`,
  ],
  [
    "one long line",
    `resource "aws_thing" "a" {\n  x = [${upTo(HALF - 100, "1, ").replace(/,? ?$/, "")}]\n}\n`,
  ],
];

test.each(HOSTILE)("a fix neither hangs nor crashes: %s", async (_what, hcl) => {
  const { fix } = await fixed(noise, { "main.tf": hcl });
  expect(fix.explanation).not.toBe("");
  for (const { diff } of fix.patches) expect(diff).toContain("ignore_changes");
});

test.each(["set_order", "json_policy_normalization", "case_change", "number_string_bool"] as const)(
  "a deeply nested value doesn't break the fix of %s",
  async (noiseClass) => {
    const value = "[".repeat(100_000) + "]".repeat(100_000);
    const hcl = `resource "aws_thing" "a" {\n  size = ${value}\n}\n`;
    const { fix } = await fixed(noiseOf(noiseClass, "size"), { "main.tf": hcl });
    expect(fix.explanation).toContain("`main.tf` can't be parsed");
  },
);

test("five megabytes are refused at once", async () => {
  const { fix } = await fixed(noise, { "main.tf": upTo(5_242_880, 'resource "aws_thing" "a" {}\n') });
  expect(fix.explanation).toContain("`main.tf` is too large");
});

test("a hundred large files are read up to the total limit", async () => {
  const large = `locals {\n${upTo(480_000, "  # what somebody had to say\n")}}\n`;
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}.tf`, large]));
  const { fix } = await fixed(noise, files);
  expect(fix.explanation).toContain("exceeds the total size limit");
});

test("hostile input doesn't affect later fixes", async () => {
  for (const [, hcl] of HOSTILE) (await parseHcl(hcl.slice(0, 50_000)))?.free();
  const { files } = await fixed(noise, { "main.tf": `resource "aws_thing" "a" {}\n` });
  expect(files["main.tf"]).toContain("ignore_changes = [size]");
});

test("a very long list of actions isn't sorted and costs little", async () => {
  const actions = Array.from({ length: 50_000 }, (_, index) => `"${100_000 - index}"`).join(",\n");
  const hcl = `resource "aws_thing" "a" {\npolicy = jsonencode({ Action = [\n${actions}\n] })\n}\n`;
  const { fix } = await fixed(noiseOf("json_policy_normalization", "policy"), { "main.tf": hcl });
  expect(fix.explanation).toContain("at most 2000 are made");
});

test("many module calls are read once for any number of addresses", async () => {
  const calls = upTo(280_000, `module "m" {\n  source = "./m"\n}\n`).replace(/\}[^}]*$/, "}\n");
  const addresses = Array.from({ length: 100 }, (_, index) => `aws_thing.a${index}`);
  const { fix } = await fixed({ ...noise, addresses }, { "main.tf": calls });
  expect(fix.explanation).toContain("The given files don't declare");
});

test("a very long document isn't rewritten and costs little", async () => {
  const items = Array.from({ length: 8_000 }, (_, index) => `{"k${index}": "v"}`).join(",\n");
  const hcl = `resource "aws_thing" "a" {\n  policy = <<EOT\n[\n${items}\n]\nEOT\n}\n`;
  const { fix } = await fixed(noiseOf("json_policy_normalization", "policy"), { "main.tf": hcl });
  expect(fix.explanation).toStartWith("The fix would change too many lines");
  expect(fix.patches).toEqual([]);
});
