import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { argumentsOf, EXCERPTS, resourceOf } from "./excerpts.fixture.ts";
import { excludedIn } from "./gap-lines.ts";
import { knownOf } from "./known.ts";
import { mutate, type Outcomes } from "./mutations.ts";
import { CLOUDS, PROVIDERS, type Cloud } from "./tables.ts";
import { terraformTypes } from "./terraform.ts";

const packages = join(import.meta.dir, "node_modules");
const config = hasCorpus ? join(CORPUS, "schemas/aws-config") : undefined;

/**
 * Lowest shares of settable attributes whose change must be reported, and of those with a counterpart that aren't
 * excluded; then the share of reported attributes whose removal must be reported.
 */
const LEAST: Readonly<Record<Cloud, readonly [ofSettable: number, ofKnown: number, removed: number]>> = {
  aws: [0.62, 0.98, 0.88],
  azure: [0.35, 0.98, 0.77],
  gcp: [0.61, 0.99, 0.93],
};
/** The same for the excerpts, in which a few names differ from the real ones. */
const LEAST_IN_EXCERPTS: Readonly<Record<string, number>> = { aws: 0.94, azure: 0.8, gcp: 0.75 };

/** Prints and returns the share of attributes whose change is reported. */
async function sharesOf(name: string, found: readonly Outcomes[]): Promise<readonly number[]> {
  const count = (list: keyof Outcomes): number => found.reduce((sum, one) => sum + one[list].length, 0);
  const [reported, missed, removed] = [count("reported"), count("missed"), count("removed")];
  const settable = reported + missed + count("excluded") + count("unknown");
  const shares = [reported / settable, reported / (reported + missed), removed / reported];
  const [ofSettable, ofKnown, ofReported] = shares.map((share) => `${(100 * share).toFixed(1)} %`);
  await Bun.write(
    Bun.stdout,
    `${name}: changes of ${reported} of ${settable} settable attributes are reported (${ofSettable}; ${ofKnown} of those with a counterpart that aren't excluded), and removals of ${ofReported} of these once the cloud has shown them\n`,
  );
  return shares;
}

describe("a changed value in the cloud is reported", () => {
  test.each(Object.entries(EXCERPTS))("for the attributes in the excerpts of %s", async (cloud, excerpts) => {
    const found = excerpts.map(({ type, args, members }) =>
      mutate(type, argumentsOf(args), [resourceOf(members)]),
    );
    const [share = 0] = await sharesOf(`excerpts of ${cloud}`, found);
    const missed = found.flatMap((one) => [...one.missed, ...one.unknown]);
    const isEnough = share >= (LEAST_IN_EXCERPTS[cloud] ?? 1);
    expect({ cloud, missed, isEnough }).toMatchObject({ isEnough: true });
  });

  test.skipIf(!existsSync(packages)).each(CLOUDS)(
    "for the attributes of all types of %s (skipped until `bun run knowledge` installs the schemas)",
    async (cloud) => {
      const types = terraformTypes(join(packages, `@cdktf/provider-${PROVIDERS[cloud]}/lib`));
      const find = knownOf(cloud, { packages, config });
      const found = [...types].map(([type, args]) => {
        const known = find(type);
        return mutate(type, args, known.resources, excludedIn(type, known));
      });
      const shares = await sharesOf(cloud, found);
      const isEnough = shares.map((share, index) => share >= (LEAST[cloud][index] ?? 1));
      expect({ cloud, shares, isEnough }).toMatchObject({ isEnough: [true, true, true] });
    },
    600_000,
  );
});
