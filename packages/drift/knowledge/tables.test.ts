import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { gapsOf } from "./gaps.ts";
import { tableOf, type Cloud } from "./tables.ts";

const packages = join(import.meta.dir, "node_modules");
const config = join(CORPUS, "schemas/aws-config");
const hasPackages = existsSync(packages);

/** Reports whether a cloud's table and its list of attributes that aren't compared are as they are written. */
function isWritten(cloud: Cloud, config: string | undefined): boolean {
  const written = (folder: string): string =>
    readFileSync(join(import.meta.dir, "../src", folder, `${cloud}.tsv`), "utf8");
  const sources = { packages, config };
  return tableOf(cloud, sources) === written("derived") && gapsOf(cloud, sources) === written("gaps");
}

describe.skipIf(!hasPackages)("the schemas (skipped until `bun run knowledge` installs them)", () => {
  test("give Azure's table as it is", () => {
    expect(isWritten("azure", undefined)).toBe(true);
  }, 600_000);

  test("give Google's table as it is", () => {
    expect(isWritten("gcp", undefined)).toBe(true);
  }, 600_000);

  test.skipIf(!hasCorpus)(
    "and AWS Config's schemas give AWS's table as it is (skipped without them)",
    () => {
      expect(isWritten("aws", config)).toBe(true);
    },
    600_000,
  );
});
