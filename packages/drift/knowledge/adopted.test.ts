import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { adopt } from "../src/adopt/adopt.ts";
import { live } from "../src/adopt/adopt.fixture.ts";
import { argumentsOf, type Argument } from "../src/adopt/arguments.ts";
import { offeredTypes } from "../src/adopt/offered-types.ts";
import { adoptionTables } from "./adopted.ts";
import { measuredTable, measuredTypes } from "./measured.ts";
import { CLOUDS, PROVIDERS } from "./tables.ts";
import { terraformTypes } from "./terraform.ts";

const packages = join(import.meta.dir, "node_modules");
const hasSources = hasCorpus && existsSync(join(packages, "@pulumi/aws"));
const sources = { packages, config: join(CORPUS, "schemas/aws-config") };
const written = (path: string): string => readFileSync(join(import.meta.dir, "../..", path), "utf8");

describe.skipIf(!hasSources)("the schemas (skipped until `bun run knowledge` installs them)", () => {
  test.each(CLOUDS)(
    "give the import ids, arguments and measures of %s as they are",
    (cloud) => {
      const { imports, args } = adoptionTables(cloud, sources);
      expect(imports === written(`clouds/src/imports/${cloud}.tsv`)).toBe(true);
      expect(args === written(`drift/src/adopt/arguments/${cloud}.tsv`)).toBe(true);
      const measured = measuredTypes(cloud, sources);
      expect(measuredTable(measured) === written(`drift/src/adopt/measured/${cloud}.tsv`)).toBe(true);
      const count = (list: "right" | "wrong"): number =>
        [...measured.values()].reduce((sum, found) => sum + found[list].length, 0);
      expect(count("right") / (count("right") + count("wrong"))).toBeGreaterThanOrEqual(0.998);
    },
    600_000,
  );

  test.each(CLOUDS)("have each argument of the tables of %s", (cloud) => {
    const types = terraformTypes(join(packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
    const own = offeredTypes().filter((type) => types.has(type));
    expect(own.length).toBeGreaterThanOrEqual({ aws: 350, azure: 80, gcp: 300 }[cloud]);
    for (const type of own) {
      const known = new Map((types.get(type) ?? []).map((one) => [one.name, one]));
      const unknown = argumentsOf(type).filter(({ name }: Argument) => !known.has(name));
      const required = [...known.values()].filter(
        ({ isRequired, isStruct }) => isRequired === true && isStruct !== true,
      );
      const missing = required.filter(
        ({ name }) => !argumentsOf(type).some((one) => one.name === name && one.isRequired),
      );
      expect({ type, unknown, missing }).toEqual({ type, unknown: [], missing: [] });
    }
  });
});

test.skipIf(!existsSync(join(packages, "@cdktf/hcl2json")))(
  "HashiCorp's parser reads adopted code (skipped until `bun run knowledge` installs it)",
  async () => {
    const { parse }: { parse: (name: string, code: string) => Promise<unknown> } = await import(
      join(packages, "@cdktf/hcl2json")
    );
    const queue = live("AWS::SQS::Queue", "sqs:orders", {
      QueueName: 'a"b\\${c}%{d}\n',
      RedrivePolicy: { deadLetterTargetArn: "arn:aws:sqs:eu-west-1:1:dead", maxReceiveCount: 4 },
    });
    const [file] = adopt([{ ...queue, tags: { 'quote"${x}': "%{ if }", for: "1" } }]).files;
    const read = await parse("adopted.tf", file?.content ?? "");
    expect(read).toMatchObject({
      resource: { aws_sqs_queue: { orders: [{ tags: { 'quote"$${x}': "%%{ if }", for: "1" } }] } },
    });
  },
);
