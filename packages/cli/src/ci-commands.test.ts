import { describe, expect, test } from "bun:test";

import { growthOf, STEEPEST } from "@leeway/shared/testing/growth.fixture";

import { withoutCommands } from "./ci-commands.ts";
import { run } from "./run.fixture.ts";

function longLine(size: number): string {
  return [" ", "#", ":"].map((character) => character.repeat(size)).join("");
}

describe("a CI command", () => {
  test.each([
    ["##vso[task.setvariable variable=x]y", "# #vso[task.setvariable variable=x]y"],
    ["name: ##vso[task.complete]", "name: # #vso[task.complete]"],
    ["##[add-mask]x", "# #[add-mask]x"],
    ["###[error]x", "## #[error]x"],
    ["##teamcity[buildStatus]", "# #teamcity[buildStatus]"],
    ["::error::x", ": :error::x"],
    [
      "a\n \t::set-output name=x::y\r::stop-commands::t",
      "a\n \t: :set-output name=x::y\r: :stop-commands::t",
    ],
    ["\u0085::error::x", "\u0085: :error::x"],
  ])("%j is neutralized", (given, broken) => {
    expect(withoutCommands(given)).toBe(broken);
  });

  test.each(["AWS::EC2::Instance", "a ::b", "## heading", "# [link]", "std::string\n- ::"])(
    "%j isn't a command and is unchanged",
    (text) => {
      expect(withoutCommands(text)).toBe(text);
    },
  );

  test("in JSON is neutralized without changing the value", () => {
    const value = { name: "##vso[task.complete]", lines: "a\n::error::b", list: ["##[x]"] };
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const broken = withoutCommands(json);
      expect(broken).not.toMatch(/##(vso)?\[/);
      expect(JSON.parse(broken)).toEqual(value);
    }
  });

  test("in long lines takes time in proportion to their length", async () => {
    expect(await growthOf({ make: longLine, work: withoutCommands, size: 400_000 })).toBeLessThan(STEEPEST);
  });
});

test("a quoted argument can't run a CI command", async () => {
  const { messages } = await run(["analyze", "--x\n::error::y", "##vso[task.complete result=Succeeded]"]);
  const said = messages.join("\n");
  expect(said).toContain("y");
  expect(said).not.toMatch(/^\s*::|##vso\[/m);
});

test("an address in a plan can't run a CI command", async () => {
  const plan = {
    format_version: "1.2",
    terraform_version: "1.9.0",
    resource_changes: [
      {
        address: 'aws_s3_bucket.this["##vso[task.complete]"]',
        mode: "managed",
        type: "aws_s3_bucket",
        name: "this",
        index: "##vso[task.complete]",
        provider_name: "registry.terraform.io/hashicorp/aws",
        change: { actions: ["delete"], before: { bucket: "b" }, after: null },
      },
    ],
  };
  const args = ["planner-hook", "--dry-run", "--plan", "-"];
  const { output, messages } = await run(args, undefined, plan);
  expect(output + messages.join("\n")).not.toContain("##vso[");
});
