import { describe, expect, test } from "bun:test";

import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";

import type { ChangeToSettle } from "./settle.ts";
import { accepting, attribute, settled } from "./settle.fixture.ts";

const thing = (body: string): string => `# top\nresource "aws_thing" "a" {\n${body}}\n`;

interface Case {
  fact: string;
  files: Record<string, string>;
  changes: AttributeChange[];
  rest?: Partial<ChangeToSettle>;
  dir?: string;
  wanted: Record<string, string>;
}

const CASES: Case[] = [
  {
    fact: "a literal is replaced and its comment stays",
    files: { "main.tf": thing('  size = 3 # small\n  name = "x"\n') },
    changes: [attribute(["size"], 3, 5)],
    wanted: { "main.tf": thing('  size = 5 # small\n  name = "x"\n') },
  },
  {
    fact: "a number written as text stays text",
    files: { "main.tf": thing('  port = "80"\n') },
    changes: [attribute(["port"], 80, 443)],
    wanted: { "main.tf": thing('  port = "443"\n') },
  },
  {
    fact: "tags are changed, added and removed",
    files: { "main.tf": thing('  tags = {\n    Team = "a" # owner\n    Old  = "x"\n    Gone = "y"\n  }\n') },
    changes: [
      attribute(["tags", "Team"], "a", "b"),
      attribute(["tags", "New"], null, "z"),
      attribute(["tags", "Gone"], "y", null),
      attribute(["tags_all", "Team"], "a", "b"),
    ],
    wanted: { "main.tf": thing('  tags = {\n    Team = "b" # owner\n    Old  = "x"\n    New  = "z"\n  }\n') },
  },
  {
    fact: "a removed tag leaves the comment beside it",
    files: { "main.tf": thing('  tags = {\n    Team = "a" # owner\n    Old  = "x"\n  }\n') },
    changes: [attribute(["tags", "Team"], "a", null)],
    wanted: { "main.tf": thing('  tags = {\n    # owner\n    Old = "x"\n  }\n') },
  },
  {
    fact: "tags on one line get another",
    files: { "main.tf": thing('  tags = { Team = "a" }\n') },
    changes: [attribute(["tags", "my key"], null, "z")],
    wanted: { "main.tf": thing('  tags = { Team = "a", "my key" = "z" }\n') },
  },
  {
    fact: "tags of the last map of a merge are changed",
    files: { "main.tf": thing('  tags = merge(local.tags, { Team = "a" })\n') },
    changes: [attribute(["tags", "Team"], "a", "b")],
    wanted: { "main.tf": thing('  tags = merge(local.tags, { Team = "b" })\n') },
  },
  {
    fact: "a missing argument is added if the provider accepts it",
    files: { "main.tf": thing('  name = "x"\n') },
    changes: [attribute(["deletion_protection"], false, true)],
    rest: { settable: ["deletion_protection"] },
    wanted: { "main.tf": thing('  name                = "x"\n  deletion_protection = true\n') },
  },
  {
    fact: "missing tags are added as a map",
    files: { "main.tf": thing('  name = "x"\n') },
    changes: [attribute(["tags", "Team"], null, "b"), attribute(["tags_all", "Team"], null, "b")],
    rest: { settable: ["tags"] },
    wanted: { "main.tf": thing('  name = "x"\n  tags = { Team = "b" }\n') },
  },
  {
    fact: "an argument that isn't set live is removed",
    files: { "main.tf": thing('  name = "x"\n  note = "y" # why\n') },
    changes: [attribute(["note"], "y", null)],
    wanted: { "main.tf": thing('  name = "x"\n  # why\n') },
  },
  {
    fact: "an argument of a nested block is changed",
    files: { "main.tf": thing('  options {\n    tokens = "optional" // weak\n  }\n') },
    changes: [attribute(["options", 0, "tokens"], "optional", "required")],
    wanted: { "main.tf": thing('  options {\n    tokens = "required" // weak\n  }\n') },
  },
  {
    fact: "the block of a set is found by its value, whatever its place in the state",
    files: { "main.tf": thing("  rule {\n    port = 80\n  }\n  rule {\n    port = 22\n  }\n") },
    changes: [attribute(["rule", 0, "port"], 22, 2222)],
    wanted: { "main.tf": thing("  rule {\n    port = 80\n  }\n  rule {\n    port = 2222\n  }\n") },
  },
  {
    fact: "a block is added like its siblings",
    files: { "main.tf": thing("  rule {\n    port = 80\n  }\n") },
    changes: [attribute(["rule", 1], null, { port: 22, note: "", self: false })],
    wanted: { "main.tf": thing("  rule {\n    port = 80\n  }\n  rule {\n    port = 22\n  }\n") },
  },
  {
    fact: "a block that isn't live is removed",
    files: { "main.tf": thing("  rule {\n    port = 80\n  }\n  rule {\n    port = 22\n  }\n") },
    changes: [attribute(["rule", 1], { port: 80, note: "" }, null)],
    wanted: { "main.tf": thing("  rule {\n    port = 22\n  }\n") },
  },
  {
    fact: "an item of a list with comments is added",
    files: { "main.tf": thing('  cidrs = [\n    "10.0.0.0/8", # office\n    "10.1.0.0/16",\n  ]\n') },
    changes: [
      attribute(["cidrs"], ["10.0.0.0/8", "10.1.0.0/16"], ["10.0.0.0/8", "10.1.0.0/16", "0.0.0.0/0"]),
    ],
    wanted: {
      "main.tf": thing(
        '  cidrs = [\n    "10.0.0.0/8", # office\n    "10.1.0.0/16",\n    "0.0.0.0/0",\n  ]\n',
      ),
    },
  },
  {
    fact: "an item of a set in another order is replaced",
    files: { "main.tf": thing('  ids = ["b", "a"]\n') },
    changes: [attribute(["ids", 0], "a", "b"), attribute(["ids", 1], "b", "c")],
    wanted: { "main.tf": thing('  ids = ["b", "c"]\n') },
  },
  {
    fact: "a local value that nothing else reads is changed",
    files: { "main.tf": thing("  size = local.size\n"), "locals.tf": "locals {\n  size = 3 # gib\n}\n" },
    changes: [attribute(["size"], 3, 5)],
    wanted: { "locals.tf": "locals {\n  size = 5 # gib\n}\n" },
  },
  {
    fact: "a variable is changed in the file that Terraform loads",
    files: {
      "main.tf": `${thing("  size = var.size\n")}variable "size" {}\n`,
      "terraform.tfvars": 'size = 3 # gib\nname = "x"\n',
    },
    changes: [attribute(["size"], 3, 5)],
    wanted: { "terraform.tfvars": 'size = 5 # gib\nname = "x"\n' },
  },
  {
    fact: "an argument of a module's call is changed",
    files: {
      "prod/main.tf": 'module "m" {\n  source = "./m"\n  size   = 3\n}\n',
      "prod/m/main.tf": `${thing("  size = var.size\n")}variable "size" {\n  default = 1\n}\n`,
    },
    changes: [attribute(["size"], 3, 5)],
    rest: { address: "module.m.aws_thing.a" },
    dir: "prod",
    wanted: { "prod/main.tf": 'module "m" {\n  source = "./m"\n  size   = 5\n}\n' },
  },
  {
    fact: "Windows line ends stay",
    files: { "main.tf": thing("  size = 3\n").replaceAll("\n", "\r\n") },
    changes: [attribute(["size"], 3, 5)],
    wanted: { "main.tf": thing("  size = 5\n").replaceAll("\n", "\r\n") },
  },
  {
    fact: "the layout of an unformatted file stays",
    files: { "main.tf": thing('  size=3\n      name   =    "x"\n') },
    changes: [attribute(["name"], "x", "y")],
    wanted: { "main.tf": thing('  size = 3\n  name = "y"\n') },
  },
];

describe("accepting what is live", () => {
  test.each(CASES)("$fact", async ({ files, changes, rest, dir, wanted }) => {
    const change = accepting(changes, rest);
    const first = await settled(files, [change], dir);
    expect(first.outcomes).toMatchObject([{ kind: "changed" }]);
    expect(first.files).toEqual({ ...files, ...wanted });
    const second = await settled(first.files, [change], dir);
    expect(second).toMatchObject({ patch: "", outcomes: [{ kind: "already" }] });
  });
});
