import { describe, expect, test } from "bun:test";

import { rendered, whatActs } from "./hostile.fixture.ts";
import { analysis, finding } from "./analysis.fixture.ts";
import { CI, DB, PLAN, QUEUE, REALISTIC, SSH } from "./answers.fixture.ts";
import { narrativePrompt } from "./prompt.ts";
import { readAnswer } from "./read-answer.ts";

const { known } = narrativePrompt(PLAN, {});
const FINE = JSON.stringify(REALISTIC[0]);

const read = (answer: object, of = known) => readAnswer(JSON.stringify(answer), of)?.answer;
const explaining = (explanation: string, of = known, id = DB) =>
  read({ summary: "", findings: [{ id, explanation }] }, of)?.findings[0]?.explanation;

describe("an answer is read", () => {
  test.each([
    ["unchanged", FINE],
    ["with surrounding blanks", `\n ${FINE}\n`],
    ["in a JSON block", `\`\`\`json\n${FINE}\n\`\`\``],
    ["in a code block", `\`\`\`\r\n${FINE}\r\n\`\`\`\n`],
  ])("%s", (_, text) => {
    expect(readAnswer(text, known)?.answer?.findings).toHaveLength(1);
  });

  test.each([
    ["in an unclosed block", `\`\`\`json\n${FINE}`],
    ["with text around its block", `Here it is:\n\`\`\`json\n${FINE}\n\`\`\``],
    ["in a block of another language", `\`\`\`hcl\n${FINE}\n\`\`\``],
  ])("but not %s", (_, text) => {
    expect(readAnswer(text, known)).toBeUndefined();
  });
});

test("findings are in the order of the rules, without duplicates", () => {
  const findings = [QUEUE, CI, "d1_web", SSH, DB, CI].map((id, place) => ({
    id,
    explanation: `Place ${place}`,
  }));
  expect(read({ summary: "", findings })?.findings).toEqual([
    { id: DB, explanation: "Place 4." },
    { id: SSH, explanation: "Place 3." },
    { id: CI, explanation: "Place 1." },
    { id: QUEUE, explanation: "Place 0." },
    { id: "d1_web", explanation: "Place 2." },
  ]);
});

test("only the text that may not be shown is dropped", () => {
  const foreign = "See `aws_s3_bucket.other`.";
  expect(
    read({
      summary: foreign,
      findings: [
        { id: DB, explanation: "Its data is lost.", check: foreign },
        { id: SSH, explanation: foreign, check: "Look at the port." },
      ],
    }),
  ).toEqual({ findings: [{ id: DB, explanation: "Its data is lost." }] });
});

describe("a text may name a known resource or a general term:", () => {
  test.each([
    "`aws_db_instance.orders.storage_encrypted`",
    "aws_sqs_queue.jobs, without the instance",
    'module.edge["eu"] and its `aws_lb.public`',
    "arn:aws:iam::210987654321:role/ci",
    "arn:aws:iam::aws:policy/PowerUserAccess",
    "`root_block_device.encrypted`, `metadata_options.http_tokens`, `var.region`",
    "`aws_iam.tf`, `compute.googleapis.com`, projects in general",
    "10.0.0.0/8, 2001:db8::/32, i-beam",
  ])("%s", (text) => {
    expect(explaining(text)?.replaceAll("`", "")).toContain(text.replaceAll("`", ""));
  });
});

describe("a text may not name an unknown resource:", () => {
  test.each([
    "aws_db_instance.order",
    "aws_db_instance.orders2",
    "aws_db_instance.orders[0]",
    "`google_project_iam_member.owner`",
    "data.aws_iam_role.ci",
    'module.edge["us"]',
    "arn:aws:iam::210987654321:role/ci2",
    "arn:aws-us-gov:s3:::bucket",
    "i-0123456789abcdef0",
    "/subscriptions/210987654321/resourceGroups/a",
    "projects/p/zones/europe-west1-b/instances/i",
    "//storage.googleapis.com/other/roles/owner",
    "3f2b8c1e-9a7d-4c56-b1e0-7d9a2f4c8e13",
    "aws_db_instance.\u200Bother",
    "aws_db_**instance**.other",
  ])("%s", (text) => {
    expect(explaining(`See ${text}.`)).toBeUndefined();
  });

  test("of a provider that only the plan contains", () => {
    const own = finding({ address: "acme_db.main", resource_type: "acme_db", message: "is replaced" });
    const of = narrativePrompt(analysis({ findings: [own] }), {}).known;
    expect(explaining("`acme_db.main` goes.", of, own.id)).toBe("`acme_db.main` goes.");
    expect(explaining("`acme_db.other` goes.", of, own.id)).toBeUndefined();
  });
});

test.each([
  ["a host", "www.example.com"],
  ["a URL", "https://token.actions.githubusercontent.com"],
  ["HTML", "<default>"],
  ["full-width characters", "本番（東京）"],
])("a resource may be named if its key looks like %s", (_, key) => {
  const address = `aws_db_instance.orders["${key}"]`;
  const of = narrativePrompt(analysis({ findings: [finding({ address })] }), {}).known;
  const shown = explaining(`\`${address}\` is replaced`, of, `R01:${address}`);
  expect(shown).toBe(`\`${address}\` is replaced.`);
  expect(whatActs(rendered(shown ?? ""))).toBeUndefined();
});

test("a long answer about thousands of findings is read quickly", () => {
  const findings = Array.from({ length: 20_000 }, (_, index) =>
    finding({ address: `aws_db_instance.n${index}` }),
  );
  const { known: many } = narrativePrompt(analysis({ findings }), {});
  for (const text of [
    "aws_db_instance.n7, ",
    "`",
    "module.a.",
    "[",
    "![](",
    "<",
    "*a",
    "//a.b ",
    "arn:aws:",
    "password=",
  ])
    read(
      {
        summary: text.repeat(600).slice(0, 600),
        findings: findings
          .slice(0, 10)
          .map(({ id }) => ({ id, explanation: text.repeat(600).slice(0, 600) })),
      },
      many,
    );
});
