import { describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { corpusFiles, corpusPairs, corpusText, joinByKeys } from "../corpus.fixture.ts";
import { other } from "./other.ts";

describe.skipIf(!hasCorpus)("real data (skipped where there is none: set LEEWAY_CORPUS)", () => {
  test("the catalog contains every GitHub, GitLab and Kubernetes type in states and plans", () => {
    const found = [
      ...corpusFiles("terraform-states/**/*.{json,tfstate}"),
      ...corpusFiles("terraform-plans/**/*.json"),
    ]
      .flatMap(
        (path) =>
          corpusText(path).match(/"type": ?"(?:github|gitlab|kubernetes|helm|random|null|tls|time)_\w+"/g) ??
          [],
      )
      .map((match) => match.split('"')[3] ?? "");
    // Used only as data sources.
    const types = new Set(found).difference(new Set(["github_user", "null_data_source"]));
    expect(types.size).toBeGreaterThan(5);
    expect([...types].filter((type) => other.catalog.byTerraform(type) === undefined)).toEqual([]);
  });

  const pairs = corpusPairs("github_");
  test.each(pairs)(
    "$type: state and live resources match as in the table",
    ({ declared, listed, counts }) => {
      const matched = joinByKeys(other, listed, declared).length;
      expect([matched, declared.length - matched, listed.length - matched]).toEqual(counts);
    },
  );

  test("the table has two GitHub pairs", () => {
    expect(pairs.length).toBe(2);
  });
});
