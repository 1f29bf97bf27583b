import { describe, expect, test } from "bun:test";

import { Command } from "@leeway/shared/contracts/webhooks/commands";
import { decode } from "@leeway/shared/values/decode";
import fc from "fast-check";

import { parseCommand } from "./command.ts";

describe("commands", () => {
  test.each<[string, Command]>([
    ["/leeway help", { verb: "help" }],
    ["/leeway", { verb: "help" }],
    ["/leeway  ", { verb: "help" }],
    ["/leeway analyze", { verb: "analyze" }],
    ["/leeway\tSTATUS\t", { verb: "status" }],
    ["/leeway Rescan\r\nthe last one was partial", { verb: "rescan" }],
    ["\n \n\n/leeway status", { verb: "status" }],
    ["/leeway explain aws_sqs_queue.jobs", { verb: "explain", address: "aws_sqs_queue.jobs" }],
    ["/leeway explain `aws_sqs_queue.jobs`", { verb: "explain", address: "aws_sqs_queue.jobs" }],
    [
      '/leeway explain module.a["eu west"].aws_sqs_queue.jobs["x"]',
      { verb: "explain", address: 'module.a["eu west"].aws_sqs_queue.jobs["x"]' },
    ],
    ["/leeway explain aws_sqs_queue.jobs[“x”]", { verb: "explain", address: 'aws_sqs_queue.jobs["x"]' }],
    ["/leeway fix pn1_abc", { verb: "fix", fingerprint: "pn1_abc" }],
    ["/leeway settle `dc1_abc`", { verb: "settle", fingerprint: "dc1_abc" }],
    ["/leeway settle dc1_abc Revert", { verb: "settle", fingerprint: "dc1_abc", how: "revert" }],
    ["/leeway settle dc1_abc --open", { verb: "settle", fingerprint: "dc1_abc", open: true }],
    ["/leeway settle --open dc1_abc", { verb: "settle", fingerprint: "dc1_abc", open: true }],
    [
      "/leeway settle dc1_abc forget —Open",
      { verb: "settle", fingerprint: "dc1_abc", how: "forget", open: true },
    ],
    ["/leeway unignore `pn1_abc`", { verb: "unignore", fingerprint: "pn1_abc" }],
    ["/leeway ignore pn1_abc", { verb: "ignore", fingerprint: "pn1_abc" }],
    ["/leeway ignore pn1_abc --until 30d", { verb: "ignore", fingerprint: "pn1_abc", until: "30d" }],
    ["/leeway ignore pn1_abc --until=12H", { verb: "ignore", fingerprint: "pn1_abc", until: "12h" }],
    [
      '/leeway ignore --reason "known since May" --until 2026-12-31 pn1_abc',
      { verb: "ignore", fingerprint: "pn1_abc", until: "2026-12-31", reason: "known since May" },
    ],
    [
      '/leeway ignore pn1_abc —reason “it’s the "blue" one”',
      { verb: "ignore", fingerprint: "pn1_abc", reason: 'it’s the "blue" one' },
    ],
    [
      String.raw`/leeway ignore pn1_abc --reason="the \"blue\" one, C:\\temp"`,
      { verb: "ignore", fingerprint: "pn1_abc", reason: String.raw`the "blue" one, C:\temp` },
    ],
    [
      String.raw`/leeway ignore pn1_abc --reason 'C:\temp'`,
      { verb: "ignore", fingerprint: "pn1_abc", reason: String.raw`C:\temp` },
    ],
    ["/leeway ignore pn1_abc --reason known", { verb: "ignore", fingerprint: "pn1_abc", reason: "known" }],
    [
      '/leeway ignore pn1_abc --reason "a\0b\uD800"',
      { verb: "ignore", fingerprint: "pn1_abc", reason: "ab\uFFFD" },
    ],
  ])("%j is parsed", (comment, command) => {
    expect(parseCommand(comment)).toEqual(command);
  });

  test.each<[string, string]>([
    ["empty text", ""],
    ["only whitespace", " \n\t\n"],
    ["not at the start of the line", " /leeway status"],
    ["not at the start of its line", "\n /leeway status"],
    ["another word", "/leewayward status"],
    ["followed by a colon", "/leeway: status"],
    ["in capitals", "/LEEWAY status"],
    ["on the second line", "Please:\n/leeway status"],
    ["quoted", "> /leeway status"],
    ["in code", "`/leeway status`"],
    ["in a fenced code block", "```\n/leeway status\n```"],
    ["in a code block fenced with tildes", "~~~sh\n/leeway status\n~~~"],
  ])("%s: no command", (_, comment) => {
    expect(parseCommand(comment)).toBeUndefined();
  });

  test.each<[string, string]>([
    ["/leeway plan", "there is no command plan"],
    ["/leeway constructor", "there is no command constructor"],
    ["/leeway @all", "there is no such command"],
    ["/leeway status now", "status takes no arguments"],
    ["/leeway explain", "explain needs a resource address"],
    ["/leeway fix", "fix needs the fingerprint of a change"],
    ["/leeway ignore --until 30d", "ignore needs the fingerprint of a change"],
    ["/leeway fix [x](http://example.com)", "the argument isn't a valid fingerprint"],
    ["/leeway fix pn1_abc --until 30d", "unknown option --until"],
    ["/leeway settle dc1_abc apply", "settle takes one of accept, revert, forget after the fingerprint"],
    ["/leeway ignore pn1_abc --force", "unknown option --force"],
    ["/leeway ignore pn1_abc --fingerprint pn1_abd", "unknown option --fingerprint"],
    ["/leeway ignore pn1_abc --until", "a value or a closing quotation mark is missing"],
    ['/leeway ignore pn1_abc --reason "known', "a value or a closing quotation mark is missing"],
    ["/leeway ignore pn1_abc --reason “known", "a value or a closing quotation mark is missing"],
    [String.raw`/leeway ignore pn1_abc --reason "known\"`, "a value or a closing quotation mark is missing"],
    ["/leeway ignore pn1_abc --reason known bug", "too many values; put text with spaces in quotes"],
    ["/leeway ignore pn1_abc --until 1d --until 2d", "too many values; put text with spaces in quotes"],
    [`/leeway ignore dc1_abc --reason ${"x".repeat(1_001)}`, "a reason may have at most 1000 characters"],
    [`/leeway explain ${"x".repeat(2_000)}`, "a command may have at most 2000 characters"],
  ])("%j gets help", (comment, problem) => {
    expect(parseCommand(comment)).toEqual({ verb: "unknown", problem });
  });

  test.each(["30", "0d", "30m", "forever", "2026-02-30", "2026-13-01", "2026-12-31T00:00:00Z", "99999d"])(
    "--until %s is refused",
    (until) => {
      expect(parseCommand(`/leeway ignore pn1_abc --until ${until}`)).toEqual({
        verb: "unknown",
        problem: "--until needs a duration such as 12h, 30d or 4w, or a date such as 2026-12-31",
      });
    },
  );

  test("a written command is parsed back to itself", () => {
    fc.assert(
      fc.property(anyCommand, fc.constantFrom("", "\n", "\r\nmore"), (command, rest) => {
        expect(parseCommand(`/leeway ${written(command)}${rest}`)).toEqual(command);
      }),
    );
  });

  test("any comment is either no command or a valid one", () => {
    const piece = fc.constantFrom(
      "/leeway",
      " ",
      "ignore",
      "fix",
      "settle",
      "--open",
      "--until",
      "—reason=",
      '"',
      "“",
      "\\",
      "x",
      "\n",
      "30d",
    );
    const comment = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(comment, fc.boolean(), (text, prefixed) => {
        const command = parseCommand(prefixed ? `/leeway ${text}` : text);
        if (command === undefined) expect(prefixed).toBe(false);
        else decode(Command, command);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a megabyte of spaces, quotes or backslashes is parsed in linear time", () => {
    for (const unit of [" ", "\n", '"', "\\", "--until ", '\\"'])
      for (const prefix of ["", "/leeway ignore "]) parseCommand(prefix + unit.repeat(1_000_000));
  });
});

const words = fc.stringMatching(/^\w[\w.-]{0,29}$/);
const line = fc.string({ unit: "grapheme", maxLength: 100 }).filter((text) => !/[\0\r\n\p{Cs}]/u.test(text));
const until = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom("h", "d", "w")).map((parts) => parts.join("")),
  fc
    .date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    verb: fc.constantFrom("help" as const, "analyze" as const, "status" as const, "rescan" as const),
  }),
  fc.record({
    verb: fc.constant("explain" as const),
    address: fc.stringMatching(/^[a-z][\w.]{0,30}(\["[a-z /]{1,9}"\])?$/),
  }),
  fc.record({ verb: fc.constantFrom("unignore" as const, "fix" as const), fingerprint: words }),
  fc.record(
    { verb: fc.constant("ignore" as const), fingerprint: words, until, reason: line },
    { requiredKeys: ["verb", "fingerprint"] },
  ),
) as fc.Arbitrary<Command>;

function written(command: Command): string {
  if (command.verb === "explain") return `explain ${command.address}`;
  if (command.verb === "ignore") {
    const reason = command.reason?.replaceAll(/["\\]/g, String.raw`\$&`);
    const options = [
      command.until && `--until ${command.until}`,
      reason !== undefined && `--reason "${reason}"`,
    ];
    return [`ignore ${command.fingerprint}`, ...options.filter(Boolean)].join(" ");
  }
  return "fingerprint" in command ? `${command.verb} ${command.fingerprint}` : command.verb;
}
