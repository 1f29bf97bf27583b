import { describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import type { Plan, ResourceChange } from "../plan/model.ts";
import { corpusPlan, corpusRows, liveDrift } from "./corpus.fixture.ts";
import { HIDDEN_FROM } from "./confidence.ts";
import { KNOWN_PATTERNS, NOT_DETECTED } from "./known-patterns.fixture.ts";
import { noiseIn, type Noise } from "./noise-in.ts";
import { noiseOf } from "./noise.fixture.ts";

/*
 * The tables class each differing attribute mechanically, by its two values only. They map to our classes like this:
 * - json-same is json_policy_normalization.
 * - empty-forms, absent-in-live and absent-in-state are number_string_bool if one side is null and the other empty.
 *   If the other side is false, that is the default: default_materialized.
 * - All others (changed, set, unset, json-changed, unknown-after) aren't noise, except for those reviewed by hand
 *   below. These are blocks that differ in empty forms only, defaults other than false, counts that the cloud keeps,
 *   and declarations by another resource of the plan.
 * Arguments that reads never return (`force_destroy`, `filename`) have no class.
 */
const JUDGED: Readonly<Record<string, string>> = {
  "aws_cloudfront_distribution.default_cache_behavior": "number_string_bool",
  "aws_cloudfront_distribution.restrictions": "number_string_bool",
  "aws_cloudfront_distribution.wait_for_deployment": "default_materialized",
  "aws_db_instance.delete_automated_backups": "default_materialized",
  "aws_instance.ebs_block_device": "inline_vs_standalone",
  "aws_lambda_function.package_type": "default_materialized",
  "aws_launch_template.network_interfaces": "number_string_bool",
  "aws_launch_template.placement": "number_string_bool",
  "aws_s3_bucket.acl": "default_materialized",
  "aws_s3_bucket.logging": "inline_vs_standalone",
  "aws_s3_bucket.policy": "inline_vs_standalone",
  "aws_sns_topic_subscription.confirmation_timeout_in_minutes": "default_materialized",
  "azurerm_private_dns_zone.number_of_record_sets": "computed_only",
  "google_storage_bucket_iam_member.etag": "computed_only",
};
const NONE = "no noise";

const CLASS_OF_OTHER_THAN_NULL: Readonly<Record<string, string>> = {
  false: "default_materialized",
  '""': "number_string_bool",
  "[]": "number_string_bool",
  "{}": "number_string_bool",
};

function expected(name: string, [mechanical, before = "", after = ""]: readonly string[]): string {
  if (mechanical === "json-same") return "json_policy_normalization";
  const judged = JUDGED[name];
  if (judged !== undefined) return judged;
  if (before !== "null" && after !== "null") return NONE;
  return CLASS_OF_OTHER_THAN_NULL[before === "null" ? after : before] ?? NONE;
}

/** Returns the class that explains every difference of an attribute with enough confidence to hide it. */
function found(change: ResourceChange | undefined, attribute: string, noise: readonly Noise[]): string {
  const differences = change?.differences.filter(({ path }) => {
    const [first = "", ...rest] = path;
    const text = rest.reduce<string>(
      (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${step}`),
      `${first}`,
    );
    return text === attribute || text.startsWith(`${attribute}.`) || text.startsWith(`${attribute}[`);
  });
  const classes = differences?.map(
    ({ path }) =>
      noise.find((one) => one.change === change && one.confidence >= HIDDEN_FROM && one.paths.includes(path))
        ?.class,
  );
  if (classes === undefined || classes.length === 0) return "no difference";
  if (classes.includes(undefined)) return NONE;
  return [...new Set(classes)].join(" + ");
}

interface Verdict {
  row: string;
  expected: string;
  found: string;
}

function judge(
  plan: Plan,
  change: ResourceChange | undefined,
  [attribute = "", ...cells]: readonly string[],
): Verdict {
  const type = change?.type ?? "";
  const wanted = expected(`${type}.${attribute}`, cells);
  return {
    row: `${change?.address} ${attribute}`,
    expected: wanted,
    found: found(change, attribute, noiseIn(plan)),
  };
}

function planVerdicts(): Verdict[] {
  return corpusRows("noise/plan-diffs.tsv").map(([path = "", source, address, , ...cells]) => {
    const plan = corpusPlan(path);
    const changes = source === "drift" ? plan.drift : plan.changes;
    return judge(
      plan,
      changes.find((change) => change.address === address),
      cells,
    );
  });
}

function liveVerdicts(): Verdict[] {
  return corpusRows("noise/state-live-diffs.tsv").map((row) => {
    const plan = liveDrift(row);
    return judge(plan, plan.drift[0], row.slice(4));
  });
}

/** Returns precision and recall by class, as table rows. */
function scores(verdicts: readonly Verdict[]): Record<string, [precision: number, recall: number]> {
  const classes = new Set(verdicts.flatMap(({ expected, found }) => [expected, found]));
  return Object.fromEntries(
    [...classes].toSorted().map((name): [string, [number, number]] => {
      const right = verdicts.filter(({ expected, found }) => expected === name && found === name).length;
      const detected = verdicts.filter(({ found }) => found === name).length;
      const there = verdicts.filter(({ expected }) => expected === name).length;
      process.stdout.write(`  ${name}: ${right} right of ${detected} found and ${there} there\n`);
      return [name, [right / detected, right / there]];
    }),
  );
}

function expectAllFound(verdicts: readonly Verdict[]): void {
  const table = scores(verdicts);
  expect(verdicts.filter(({ expected, found }) => expected !== found)).toEqual([]);
  expect(Object.values(table)).toEqual(Object.values(table).map(() => [1, 1]));
}

describe.skipIf(!hasCorpus)("real differences (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test("of plans: exactly the expected noise is found", () => {
    const verdicts = planVerdicts();
    expect(verdicts.length).toBeGreaterThan(25);
    expectAllFound(verdicts);
  });

  test("of states and live resources: exactly the expected noise is found", () => {
    const verdicts = liveVerdicts();
    expect(verdicts.length).toBeGreaterThan(150);
    expectAllFound(verdicts);
  });

  test("of known patterns: each is found or listed with a reason", () => {
    const rows = corpusRows("noise/known-noise-patterns.tsv");
    const detected = [...KNOWN_PATTERNS.map(({ thread }) => thread), ...Object.keys(NOT_DETECTED)];
    const unknown = rows.filter(
      ([, , , , , url = ""]) => !detected.some((thread) => url.endsWith(`/${thread}`)),
    );
    expect(unknown).toEqual([]);
    expect(KNOWN_PATTERNS.length / rows.length).toBeGreaterThan(0.55);
  });
});

describe("a reported pattern", () => {
  test.each(KNOWN_PATTERNS.map(({ thread, ...rest }) => [thread, rest] as const))(
    "in %s is found",
    (_, { plan, noiseClass }) => {
      expect(noiseOf(plan).map((noise) => noise.class)).toEqual([noiseClass]);
    },
  );
});
