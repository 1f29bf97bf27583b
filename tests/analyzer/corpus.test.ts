import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";

import { planComment } from "../../packages/analysis/src/comment/plan-comment.ts";
import { narrativePrompt } from "../../packages/analysis/src/narrative/prompt.ts";
import { templateNarrative } from "../../packages/analysis/src/narrative/template.ts";
import { KNOWN_PATTERNS } from "../../packages/analysis/src/noise/known-patterns.fixture.ts";
import { NOISE_CLASSES, type Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { bytesOf, fateOf, filesOf, hasCorpus, lineOf, markedTexts, type Fate } from "./corpus.ts";

const GOLDEN = `${import.meta.dir}/corpus.golden.tsv`;
const TEST_MS = 120_000;
const RUNS = Number(Bun.env["LEEWAY_CORPUS_RUNS"] ?? 500);
const SKIPPED = "(skipped where there are none: set LEEWAY_CORPUS)";

const plans = filesOf(".json");
const files = [...plans, ...filesOf(".tf")];
const golden = readFileSync(GOLDEN, "utf8").split("\n").filter(Boolean);

/** Returns a line of the golden file without its last column, which is written by hand. */
const withoutReason = (line: string): string => line.slice(0, line.lastIndexOf("\t"));

/** Rewrites the golden file with the current results and keeps the reasons. Runs with `LEEWAY_CORPUS_REWRITE=1`. */
function rewrite(): void {
  const reasons = new Map(golden.map((line) => [line.split("\t", 1)[0], line.split("\t").at(-1)]));
  const lines = files.map((path) => `${lineOf(path)}\t${reasons.get(path) ?? ""}`);
  writeFileSync(GOLDEN, [golden[0], ...lines, ""].join("\n"));
}

/** Returns all text of an analysis that is shown to people or sent to a model. */
function shownOf(fate: Fate): string {
  if ("refused" in fate) return fate.refused;
  const { analysis, plan } = fate;
  const context = { project: { name: "prod" }, repository: "a/b" };
  const narrative: Narrative = { text: templateNarrative(analysis), source: "template" };
  const comment = planComment({ analysis, narrative, context, limit: 65_536 });
  return JSON.stringify([analysis, plan, narrative, narrativePrompt(analysis, context), comment]);
}

describe.skipIf(!hasCorpus)(`real plans ${SKIPPED}`, () => {
  if (Bun.env["LEEWAY_CORPUS_REWRITE"]) rewrite();

  test("there are enough of them", () => expect(plans.length).toBeGreaterThan(200));

  test.each(files)("%s is analysed, or refused with the right error, as before", (path) => {
    const line = golden.find((one) => one.startsWith(`${path}\t`));
    expect(lineOf(path)).toBe(withoutReason(line ?? ""));
  });

  test("every line belongs to a file", () => {
    expect(golden.slice(1).map((line) => line.split("\t", 1)[0])).toEqual(files);
  });
});

const NOISE = "packages/analysis/src/noise";

test("each noise class appears in a real plan, or the table names the test that covers it", async () => {
  const [, ...rows] = (await Bun.file(`${import.meta.dir}/noise-classes.tsv`).text()).trimEnd().split("\n");
  const inPlans = NOISE_CLASSES.filter((name) =>
    golden.some((line) =>
      line
        .split("\t")[5]
        ?.split(", ")
        .some((cell) => cell.startsWith(`${name} `)),
    ),
  );
  expect(new Set([...inPlans, ...rows.map((row) => row.split("\t")[0])])).toEqual(new Set(NOISE_CLASSES));
  for (const [name = "", patterns, file = "", why] of rows.map((row) => row.split("\t"))) {
    const reported = KNOWN_PATTERNS.filter(({ noiseClass }) => noiseClass === name);
    expect([name, patterns]).toEqual([name, String(reported.length)]);
    expect(await Bun.file(`${import.meta.dir}/../../${NOISE}/${file}`).text()).toContain(name);
    expect(why).not.toBe("");
  }
});

/** Values to insert into plans. */
const STRANGE: Json[] = [
  null,
  true,
  -1,
  1e300,
  "",
  "\0\ud800",
  "<script>`|@all",
  [],
  [null],
  {},
  { __proto__: 1 },
  ["no-op"],
  ["delete", "create"],
];

/** Replaces one part of a value. Each number of `where` selects a member one level deeper. */
function mutated(value: Json, where: readonly number[], replace: (old: Json) => Json): Json {
  const [first, ...rest] = where;
  if (first === undefined || typeof value !== "object" || value === null) return replace(value);
  const names = Object.keys(value);
  const name = names[first % names.length];
  if (name === undefined) return replace(value);
  const inner = mutated(Reflect.get(value, name) ?? null, rest, replace);
  if (Array.isArray(value)) return value.with(Number(name), inner);
  return Object.fromEntries(names.map((one) => [one, one === name ? inner : (value[one] ?? null)]));
}

const mutation = fc.record({
  where: fc.array(fc.nat(), { minLength: 2, maxLength: 12 }),
  part: fc.oneof(
    fc.constantFrom(...STRANGE),
    fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value))),
  ),
});

describe.skipIf(!hasCorpus)(`damaged real plans ${SKIPPED}`, () => {
  const parsed = plans.flatMap((path): JsonObject[] => {
    const text = bytesOf(path).toString("utf8");
    if ("refused" in fateOf(Buffer.from(text)) || text.length > 200_000) return [];
    const plan: Json = JSON.parse(text);
    return isObject(plan) ? [plan] : [];
  });
  const damaged = fc
    .tuple(
      fc.constantFrom(...(parsed.length > 0 ? parsed : [{}])),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
    )
    .map(([plan, mutations]) =>
      mutations.reduce<Json>((value, { where, part }) => mutated(value, where, () => part), plan),
    );

  test(
    "are analysed or refused without a crash",
    () => {
      fc.assert(
        fc.property(damaged, (plan) => void shownOf(fateOf(Buffer.from(JSON.stringify(plan))))),
        { numRuns: RUNS },
      );
    },
    TEST_MS,
  );

  const secret = fc.nat().map((seed) => `canary ${seed.toString(36)} of nobody else's`);
  const marking = fc.record({
    resource: fc.nat(),
    name: fc.nat(),
    secret,
    side: fc.constantFrom("before", "after"),
  });

  /** Returns `plan` with a secret in an attribute that its mask covers, or undefined if it has no such attribute. */
  function withSecret(plan: JsonObject, { resource, name, secret, side }: Marking): JsonObject | undefined {
    const copy: JsonObject = structuredClone(plan);
    const changes = [copy["resource_changes"], copy["resource_drift"]].flatMap((list) =>
      Array.isArray(list) ? list : [],
    );
    const chosen = changes[resource % changes.length];
    const change = isObject(chosen) ? chosen["change"] : undefined;
    const values = isObject(change) ? change[side] : undefined;
    if (!isObject(change) || !isObject(values)) return undefined;
    const names = Object.keys(values);
    const attribute = names[name % names.length];
    if (attribute === undefined) return undefined;
    values[attribute] = secret;
    const mask = change[`${side}_sensitive`];
    change[`${side}_sensitive`] = { ...(isObject(mask) && mask), [attribute]: true };
    return copy;
  }
  type Marking = typeof marking extends fc.Arbitrary<infer M> ? M : never;

  test(
    "never reveal a value marked as sensitive, wherever it appears",
    () => {
      fc.assert(
        fc.property(fc.constantFrom(...(parsed.length > 0 ? parsed : [{}])), marking, (plan, chosen) => {
          const marked = withSecret(plan, chosen);
          fc.pre(marked !== undefined);
          const shown = shownOf(fateOf(Buffer.from(JSON.stringify(marked))));
          expect(shown).not.toContain(chosen.secret);
        }),
        { numRuns: RUNS },
      );
    },
    TEST_MS,
  );

  test("never reveal values that were already marked", () => {
    for (const plan of parsed) {
      const shown = shownOf(fateOf(Buffer.from(JSON.stringify(plan))));
      for (const text of markedTexts(plan)) expect(shown).not.toContain(text);
    }
  });
});
