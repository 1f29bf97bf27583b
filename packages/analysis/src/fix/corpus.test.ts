import { resolve } from "node:path";
import { describe, expect, test } from "bun:test";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { Glob } from "bun";

import { fixed, noiseOf } from "./fix.fixture.ts";
import { bodyOf, isWellFormed } from "./hcl/body.ts";
import { parseHcl } from "./hcl/parse-hcl.ts";

const TREES = resolve(CORPUS, "noise/hcl");
const paths = hasCorpus ? [...new Glob("**/*.tf").scanSync(TREES)].toSorted() : [];

describe.skipIf(!hasCorpus)("real configurations (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test("each is parsed, and each resource accepts an ignored path and stays valid", async () => {
    let blocks = 0;
    const refused: string[] = [];
    for (const path of paths) {
      const text = await Bun.file(resolve(TREES, path)).text();
      const resources = await resourcesOf(text);
      if (resources === undefined) refused.push(path);
      if (!resources || resources.length === 0) continue;
      const addresses = resources.map((labels) => labels.join("."));
      const { fix, files } = await fixed(noiseOf("autoscaler_owned", "leeway_test", { addresses }), {
        [path]: text,
      });
      const after = files[path] ?? "";
      expect(fix.verified.parsed).toBe(true);
      expect(after.match(/\bleeway_test\b/g)).toHaveLength(resources.length);
      expect(isSubsequence(linesOf(text), linesOf(after))).toBe(true);
      blocks += resources.length;
    }
    expect(refused).toEqual([]);
    expect(blocks).toBeGreaterThan(500);
  });
});

async function resourcesOf(text: string): Promise<(readonly string[])[] | undefined> {
  const syntax = await parseHcl(text);
  const found =
    syntax && isWellFormed(syntax.root)
      ? bodyOf(syntax.root).blocks.filter(({ kind }) => kind === "resource")
      : undefined;
  const labels = found?.map((block) => block.labels);
  syntax?.free();
  return labels;
}

/** Removes spaces, because alignment may change them. */
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.replaceAll(/\s/g, ""));

/** Checks that all earlier lines remain in order. Lines that had to be opened or extended count as unchanged. */
function isSubsequence(lines: readonly string[], longer: readonly string[]): boolean {
  const wanted = lines.filter((line) => !/lifecycle|ignore_changes|\{\s*\}/.test(line));
  let at = 0;
  for (const line of longer) if (line === wanted[at]) at += 1;
  return at === wanted.length;
}
