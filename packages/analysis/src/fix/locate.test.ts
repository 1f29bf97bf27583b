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

describe("the changed block", () => {
  test("is shared by all instances of a resource", async () => {
    const addresses = ["aws_thing.a[0]", "aws_thing.a[1]", 'aws_thing.a["x.y"]'];
    expect((await changedPaths(addresses, { "main.tf": block() })).paths).toEqual(["main.tf"]);
  });

  test("is found for several resources in several files", async () => {
    const files = { "a.tf": block("a"), "b.tf": `${block("b")}\n${block("c")}`, "d.tf": block("d") };
    const { paths } = await changedPaths(["aws_thing.a", "aws_thing.b", "aws_thing.c"], files);
    expect(paths).toEqual(["a.tf", "b.tf"]);
  });

  test("is found through module calls", async () => {
    const files = {
      "infra/main.tf": `${call("outer", "./modules/outer/")}\n${block()}`,
      "infra/modules/outer/main.tf": `${call("inner", "../inner")}\n${block()}`,
      "infra/modules/inner/main.tf": block(),
    };
    const deep = await changedPaths(['module.outer["k.v"].module.inner[0].aws_thing.a[1]'], files);
    expect(deep.paths).toEqual(["infra/modules/inner/main.tf"]);
    expect(deep.risks.join(" ")).toContain("the change affects all its callers");
    expect((await changedPaths(["module.outer.aws_thing.a"], files)).paths).toEqual([
      "infra/modules/outer/main.tf",
    ]);
    expect((await changedPaths(["aws_thing.a"], files)).paths).toEqual(["infra/main.tf"]);
  });

  test("is found in spite of cyclic module calls", async () => {
    const files = { "main.tf": call("a", "./x"), "x/main.tf": `${call("a", "../x")}\n${block()}` };
    expect((await changedPaths(["module.a.module.a.module.a.aws_thing.a"], files)).paths).toEqual([
      "x/main.tf",
    ]);
  });

  test.each([
    [
      "a resource that isn't declared",
      ["aws_thing.other"],
      "The given files don't declare `aws_thing.other`",
    ],
    ["an invalid address", ["aws_thing"], "`aws_thing` isn't the address of a managed resource"],
    ["a data source", ["data.aws_thing.a"], "isn't the address of a managed resource"],
    ["no addresses", [], "No file was changed"],
    ["a module that isn't called", ["module.x.aws_thing.a"], "The given files don't declare `module.x`"],
    ["a module from a registry", ["module.r.aws_thing.a"], "`module.r` comes from `x/y/aws`"],
    [
      "a module whose files are missing",
      ["module.l.aws_thing.a"],
      "The files of `module.l` (`gone`) are missing",
    ],
  ])("isn't found for %s, with an explanation", async (_what, addresses, words) => {
    const files = { "main.tf": `${block()}${call("r", "x/y/aws")}${call("l", "./gone")}` };
    const { paths, explanation } = await changedPaths(addresses, files);
    expect(paths).toEqual([]);
    expect(explanation).toContain(words);
  });

  test("isn't chosen between two projects", async () => {
    const { paths, explanation } = await changedPaths(["aws_thing.a"], {
      "dev/main.tf": block(),
      "prod/main.tf": block(),
    });
    expect(paths).toEqual([]);
    expect(explanation).toContain("`dev/main.tf`, `prod/main.tf`: pass the files of one project only");
  });

  test("is changed, and missing resources are named", async () => {
    const { paths, explanation } = await changedPaths(["aws_thing.a", "aws_thing.b"], { "main.tf": block() });
    expect(paths).toEqual(["main.tf"]);
    expect(explanation).toContain("The given files don't declare `aws_thing.b`");
  });

  test("is found in spite of files that can't be parsed, which are named", async () => {
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

describe("with the same noise in several projects", () => {
  const network = { addresses: ["aws_thing.a", "aws_thing.b"] };
  const data = { addresses: ["aws_thing.a", "aws_thing.c"] };
  const changedIn = async (files: Record<string, string>): Promise<[string, string][]> => {
    const noise = noiseOf("autoscaler_owned", "size", network);
    const { fix, files: patched } = await fixed(noise, files, { places: [network, data] });
    expect(fix.explanation).not.toContain("The given files don't declare");
    return Object.entries(patched).filter(([path, text]) => text !== files[path]);
  };

  test("only the projects of the given files are fixed", async () => {
    const [[, text] = ["", ""]] = await changedIn({
      "main.tf": `${block("a")}\n${block("b")}\n${block("d")}`,
    });
    expect(text.match(/ignore_changes/g)).toHaveLength(2);
    const [[, other] = ["", ""]] = await changedIn({ "main.tf": `${block("a")}\n${block("c")}` });
    expect(other.match(/ignore_changes/g)).toHaveLength(2);
  });

  test("all projects with given files are fixed", async () => {
    const files = { "a.tf": block("a"), "b.tf": block("b"), "c.tf": block("c") };
    expect((await changedIn(files)).map(([path]) => path)).toEqual(["a.tf", "b.tf", "c.tf"]);
  });

  test("without files of any project, the latest project's addresses are named", async () => {
    const noise = noiseOf("autoscaler_owned", "size", network);
    const { fix } = await fixed(noise, { "main.tf": block("z") }, { places: [network, data] });
    expect(fix.explanation).toContain("The given files don't declare `aws_thing.b`");
    expect(fix.explanation).not.toContain("aws_thing.c");
  });

  test("a remote module is named instead of undeclared resources", async () => {
    const noise = noiseOf("autoscaler_owned", "size", network);
    const places = [network, { addresses: ["module.r.aws_thing.a"] }];
    const { fix } = await fixed(noise, { "main.tf": call("r", "x/y/aws") }, { places });
    expect(fix.explanation).toContain("`module.r` comes from `x/y/aws`");
    expect(fix.explanation).not.toContain("The given files don't declare");
  });

  test("only the tags of the given project are ignored", async () => {
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
