import { expect, test } from "bun:test";

import { treeDiff } from "./tree-diff.ts";

const SIGNS = { same: " ", old: "-", new: "+", fold: "…" };
const lines = (before: unknown, after: unknown): string[] =>
  treeDiff(before, after).map(({ sign, depth, text }) => `${SIGNS[sign]} ${"  ".repeat(depth)}${text}`);

const rule = (cidr: string, port = 22) => ({ port, cidr, self: false });
const policy = (action: string): string =>
  JSON.stringify({ Version: "2012", Statement: [{ Action: action }] });

test("a number is one line a side", () => expect(lines(30, 7)).toEqual(["- 30", "+ 7"]));

test("an item that changed in one member shows that member, whatever its position", () => {
  expect(lines([rule("10.0.0.0/8"), rule("::", 80)], [null, rule("::", 80), rule("0.0.0.0/0")])).toEqual([
    "  [",
    "…   5 unchanged lines",
    "    {",
    '-     cidr: "10.0.0.0/8"',
    '+     cidr: "0.0.0.0/0"',
    "      port: 22",
    "…   2 unchanged lines",
    "  ]",
  ]);
});

test("a policy that is a text is compared as its content, without regard to spaces and order", () => {
  expect(lines(policy("s3:Get"), `{"Statement": [{"Action": "s3:*"}],\n "Version": "2012"}`)).toEqual([
    "  {",
    "    Statement: [",
    "      {",
    '-       Action: "s3:Get"',
    '+       Action: "s3:*"',
    "      }",
    "…   2 unchanged lines",
    "  }",
  ]);
  expect(lines(policy("a"), ` ${policy("a")}`).some((line) => /^[-+]/.test(line))).toBe(false);
});

test("members that only one side has are shown whole", () =>
  expect(lines({ a: 1 }, { b: [1] })).toEqual(["  {", "-   a: 1", "+   b: [", "+     1", "+   ]", "  }"]));
