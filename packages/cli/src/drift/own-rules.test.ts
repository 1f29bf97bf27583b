import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { EstateChange } from "@leeway/drift/estate/estate-drift";
import { judgeByRules, type DriftFacts } from "@leeway/rules/drift-subject";
import { ruleSet } from "@leeway/rules/rule-set";
import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";
import { RULE_SUBJECTS, type ActiveRule } from "@leeway/shared/contracts/inventory/rules";

import { run } from "../run.fixture.ts";
import { ruled } from "./own-rules.ts";

const WORDS = ["dev", "prod", "aws_s3_bucket", "module.shop", "tags", "owner", "eu-west-1", ""] as const;
const anyWord = fc.constantFrom(...WORDS);

const anyCondition = fc.oneof(
  fc.constantFrom("true", "false", 'paths.exists(p, p.startsWith("tags."))', "size(paths) > 1"),
  fc
    .tuple(
      fc.constantFrom(
        "resource.type",
        "resource.name",
        "resource.region",
        'resource.tags["env"]',
        "resource.tags.owner",
        "declared.module",
        "declared.source",
        "actor.principal",
        "change.kind",
      ),
      fc.constantFrom("==", "!="),
      anyWord,
    )
    .map(([name, operator, word]) => `${name} ${operator} "${word}"`),
);
const anyWhen = fc
  .tuple(anyCondition, fc.constantFrom("&&", "||"), anyCondition)
  .map(([one, operator, other]) => `${one} ${operator} !(${other})`);

const anyRule: fc.Arbitrary<ActiveRule> = fc.record({
  id: fc.uuid(),
  name: anyWord,
  on: fc.uniqueArray(fc.constantFrom(...RULE_SUBJECTS), { minLength: 1 }),
  when: anyWhen,
  effect: fc.oneof(
    fc.constant({ ignore: true as const }),
    fc.record({ raise_to: fc.constantFrom("critical", "high", "medium", "low") }),
    fc.record({ label: fc.constantFrom("a", "b") }),
  ),
});

const anyTags = fc.option(
  fc.dictionary(fc.constantFrom("env", "owner"), anyWord).map((tags) => JSON.stringify(tags)),
  { nil: null },
);
const anyFacts: fc.Arbitrary<DriftFacts> = fc.record({
  provider: fc.constantFrom("aws", "gcp"),
  account: fc.constant("123456789012"),
  region: fc.option(anyWord, { nil: null }),
  name: fc.option(anyWord, { nil: null }),
  tags: anyTags,
  attributes: fc.option(
    fc.record({ tags: fc.dictionary(fc.constantFrom("env"), anyWord) }).map((one) => JSON.stringify(one)),
    { nil: null },
  ),
  source: fc.option(anyWord, { nil: null }),
  actor: fc.option(fc.constant('{"principal":"dev","event":"x","source":"aws_cloudtrail","at":""}'), {
    nil: null,
  }),
});

const anyChange: fc.Arbitrary<EstateChange> = fc.record(
  {
    kind: fc.constantFrom("changed", "missing", "undeclared"),
    fingerprint: fc.uuid(),
    risk_level: fc.constantFrom(...RISK_LEVELS),
    is_noise: fc.constant(false),
    actions: fc.constant(["update"]),
    address: anyWord,
    module_address: anyWord,
    resource_type: anyWord,
    provider_name: fc.constant("aws"),
    resource_name: anyWord,
    attribute_changes: fc.array(
      fc.record({
        path: fc.array(fc.oneof(anyWord, fc.nat(3)), { minLength: 1, maxLength: 3 }),
        before: fc.constant(1),
        after: fc.constant(2),
        before_sensitive: fc.constant(false),
        after_sensitive: fc.constant(false),
        unknown: fc.constant(false),
      }),
      { maxLength: 3 },
    ),
    risk_flags: fc.constant([{ rule: "R23", flag: "update", evidence: [] }]),
  },
  {
    requiredKeys: [
      "kind",
      "fingerprint",
      "risk_level",
      "is_noise",
      "actions",
      "resource_type",
      "provider_name",
      "attribute_changes",
      "risk_flags",
    ],
  },
);

test("the command line judges changes as the server does, in 1,000 random cases", () => {
  let effects = 0;
  fc.assert(
    fc.property(
      fc.array(anyRule, { minLength: 1, maxLength: 4 }),
      anyChange,
      anyFacts,
      (rules, change, facts) => {
        const { kind, fingerprint, risk_level: level, is_noise: _, ...content } = change;
        if (kind === "pending") return;
        const row = { kind, fingerprint, level, content: JSON.stringify(content), facts };
        // The server's rules and rows have been in the database, or in a message to a thread.
        const [verdict] = judgeByRules(structuredClone(rules), structuredClone([row]));
        const local = ruled(change, facts, ruleSet(rules));
        if (verdict?.effects) effects += 1;
        expect({
          level: local.risk_level,
          hidden_by: local.hidden_by,
          raised: local.raised,
          labels: local.labels,
        }).toEqual({
          level: verdict!.level,
          hidden_by: verdict!.effects?.hidden_by,
          raised: verdict!.effects?.raised,
          labels: verdict!.effects?.labels,
        });
      },
    ),
    { numRuns: 1_000 },
  );
  expect(effects).toBeGreaterThan(100);
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-own-rules-"));
});
afterAll(() => rm(folder, { recursive: true }));

const EXAMPLES = join(import.meta.dir, "../../../../examples");
const SHOP = [
  "--listing",
  join(EXAMPLES, "aws-shop/listing.json"),
  "--state",
  join(EXAMPLES, "aws-shop/states/*"),
];

test("leeway drift --rules hides and raises changes, and counts what it hides by rule", async () => {
  const path = join(folder, "rules.yaml");
  await Bun.write(
    path,
    `
- name: Nobody declares these
  on: [undeclared]
  when: 'resource.provider == "aws"'
  then: {ignore: true}
  reason: a trial
- name: Missing
  on: [missing]
  when: 'declared.source != ""'
  then: {raise_to: critical}
  reason: a trial
- name: Over
  on: [changed, missing]
  when: "true"
  then: {ignore: true}
  reason: a trial
  expires_at: 2020-01-01T00:00:00Z
`,
  );
  const plain = JSON.parse((await run(["drift", ...SHOP, "--format", "json"])).output);
  const { code, output } = await run([
    "drift",
    ...SHOP,
    "--rules",
    path,
    "--fail-on",
    "critical",
    "--format",
    "json",
  ]);
  const report = JSON.parse(output);
  const undeclared = plain.changes.filter(({ kind }: EstateChange) => kind === "undeclared");
  expect(undeclared.length).toBeGreaterThan(0);
  expect(report.hidden).toHaveLength(undeclared.length);
  expect(report.changes.length + report.hidden.length).toBe(plain.changes.length);
  expect(report.changes.filter(({ kind }: EstateChange) => kind === "missing").length).toBeGreaterThan(0);
  for (const { kind, risk_level } of report.changes)
    if (kind === "missing") expect(risk_level).toBe("critical");
  expect(code).toBe(2);
  const table = await run(["drift", ...SHOP, "--rules", path]);
  expect(table.output).toContain(`hidden by rule "Nobody declares these"`);
});
