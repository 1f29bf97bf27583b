import { describe, expect, test } from "bun:test";

import { fixed, noiseOf } from "./fix.fixture.ts";

const block = (name = "a"): string => `resource "aws_thing" "${name}" {\n  size = 1\n}\n`;
const call = (name: string, source: string): string => `module "${name}" {\n  source = "${source}"\n}\n`;
const changedPaths = async (
  addresses: string[],
  files: Record<string, string>,
): Promise<{ paths: string[]; explanation: string; risks: string[] }> => {
  const { fix } = await fixed(noiseOf("autoscaler_owned", "size", { addresses }), files);
  return {
    paths: fix.patches.map(({ path }) => path),
    explanation: fix.explanation,
    risks: fix.risks,
  };
};

describe("the block that is changed", () => {
  test("all instances of a resource share their block", async () => {
    const addresses = ["aws_thing.a[0]", "aws_thing.a[1]", 'aws_thing.a["x.y"]'];
    expect((await changedPaths(addresses, { "main.tf": block() })).paths).toEqual(["main.tf"]);
  });

  test("several resources in several files are changed together", async () => {
    const files = { "a.tf": block("a"), "b.tf": `${block("b")}\n${block("c")}`, "d.tf": block("d") };
    const { paths } = await changedPaths(["aws_thing.a", "aws_thing.b", "aws_thing.c"], files);
    expect(paths).toEqual(["a.tf", "b.tf"]);
  });

  test("a module's resource is found through the calls that lead there", async () => {
    const files = {
      "infra/main.tf": `${call("outer", "./modules/outer/")}\n${block()}`,
      "infra/modules/outer/main.tf": `${call("inner", "../inner")}\n${block()}`,
      "infra/modules/inner/main.tf": block(),
    };
    const deep = await changedPaths(['module.outer["k.v"].module.inner[0].aws_thing.a[1]'], files);
    expect(deep.paths).toEqual(["infra/modules/inner/main.tf"]);
    expect(deep.risks.join(" ")).toContain("the change reaches all that call it");
    expect((await changedPaths(["module.outer.aws_thing.a"], files)).paths).toEqual([
      "infra/modules/outer/main.tf",
    ]);
    expect((await changedPaths(["aws_thing.a"], files)).paths).toEqual(["infra/main.tf"]);
  });

  test("module calls that lead in a circle end", async () => {
    const files = { "main.tf": call("a", "./x"), "x/main.tf": `${call("a", "../x")}\n${block()}` };
    expect((await changedPaths(["module.a.module.a.module.a.aws_thing.a"], files)).paths).toEqual([
      "x/main.tf",
    ]);
  });

  test.each([
    ["a resource that isn't declared", ["aws_thing.other"], "`aws_thing.other` isn't declared in the files"],
    ["an address that is none", ["aws_thing"], "`aws_thing` is no address of a managed resource"],
    ["data", ["data.aws_thing.a"], "is no address of a managed resource"],
    ["no address", [], "No file was changed"],
    ["a module that isn't called", ["module.x.aws_thing.a"], "`module.x` isn't declared"],
    ["a module from a registry", ["module.r.aws_thing.a"], "`module.r` comes from `x/y/aws`"],
    [
      "a module whose files are missing",
      ["module.l.aws_thing.a"],
      "The files of `module.l` (`gone`) weren't given",
    ],
  ])("%s is told in words", async (_what, addresses, words) => {
    const files = { "main.tf": `${block()}${call("r", "x/y/aws")}${call("l", "./gone")}` };
    const { paths, explanation } = await changedPaths(addresses, files);
    expect(paths).toEqual([]);
    expect(explanation).toContain(words);
  });

  test("of two projects nobody knows which is meant", async () => {
    const { paths, explanation } = await changedPaths(["aws_thing.a"], {
      "dev/main.tf": block(),
      "prod/main.tf": block(),
    });
    expect(paths).toEqual([]);
    expect(explanation).toContain("`dev/main.tf`, `prod/main.tf`: give the files of one project only");
  });

  test("what is found is changed, and what isn't is told", async () => {
    const { paths, explanation } = await changedPaths(["aws_thing.a", "aws_thing.b"], { "main.tf": block() });
    expect(paths).toEqual(["main.tf"]);
    expect(explanation).toContain("`aws_thing.b` isn't declared");
  });

  test("a file that can't be parsed is named, and doesn't keep the others from being changed", async () => {
    const { paths, explanation } = await changedPaths(["aws_thing.a"], {
      "bad.tf": "resource {{",
      "twice.tf": "a = 1\na = 2\n",
      "oneline.tf": "a = 1 b = 2\n",
      "main.tf": block(),
      "terraform.tfvars": "size = ",
    });
    expect(paths).toEqual(["main.tf"]);
    for (const name of ["bad.tf", "twice.tf", "oneline.tf"])
      expect(explanation).toContain(`\`${name}\` can't be parsed`);
    expect(explanation).not.toContain("tfvars");
  });
});

describe("of projects that have the same noise", () => {
  const network = { addresses: ["aws_thing.a", "aws_thing.b"] };
  const data = { addresses: ["aws_thing.a", "aws_thing.c"] };
  const changedIn = async (files: Record<string, string>): Promise<[string, string][]> => {
    const noise = noiseOf("autoscaler_owned", "size", network);
    const { fix, files: patched } = await fixed(noise, files, { places: [network, data] });
    expect(fix.explanation).not.toContain("isn't declared");
    return Object.entries(patched).filter(([path, text]) => text !== files[path]);
  };

  test("those that the files are of are fixed, and nobody else's addresses are missed", async () => {
    const [[, text] = ["", ""]] = await changedIn({
      "main.tf": `${block("a")}\n${block("b")}\n${block("d")}`,
    });
    expect(text.match(/ignore_changes/g)).toHaveLength(2);
    const [[, other] = ["", ""]] = await changedIn({ "main.tf": `${block("a")}\n${block("c")}` });
    expect(other.match(/ignore_changes/g)).toHaveLength(2);
  });

  test("all are whose files were given", async () => {
    const files = { "a.tf": block("a"), "b.tf": block("b"), "c.tf": block("c") };
    expect((await changedIn(files)).map(([path]) => path)).toEqual(["a.tf", "b.tf", "c.tf"]);
  });

  test("where none was given, that of the latest is told", async () => {
    const noise = noiseOf("autoscaler_owned", "size", network);
    const { fix } = await fixed(noise, { "main.tf": block("z") }, { places: [network, data] });
    expect(fix.explanation).toContain("`aws_thing.b` isn't declared");
    expect(fix.explanation).not.toContain("aws_thing.c");
  });

  test("where its modules come from elsewhere, that is told, and not what others declare", async () => {
    const noise = noiseOf("autoscaler_owned", "size", network);
    const places = [network, { addresses: ["module.r.aws_thing.a"] }];
    const { fix } = await fixed(noise, { "main.tf": call("r", "x/y/aws") }, { places });
    expect(fix.explanation).toContain("`module.r` comes from `x/y/aws`");
    expect(fix.explanation).not.toContain("isn't declared");
  });

  test("only the tags are left out that others set there", async () => {
    const noise = noiseOf("external_tags", "tags.*");
    const { files } = await fixed(
      noise,
      { "main.tf": `provider "aws" {}\n\n${block("c")}` },
      {
        places: [
          { addresses: ["aws_thing.a"], keys: ["karpenter.sh/pool"] },
          { addresses: ["aws_thing.c"], keys: ["wiz:scan"] },
        ],
      },
    );
    expect(files["main.tf"]).toContain(`keys = ["wiz:scan"]`);
  });
});
