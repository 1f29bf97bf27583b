import { expect, test } from "bun:test";

import { TYPE_FACTS } from "@leeway/clouds/type-facts.gen";
import type { RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "../plan/mask-plan.ts";
import { RISK_LEVELS, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";
import fc from "fast-check";

import { readPlan } from "../plan/read-plan.ts";
import { resourceChange, withoutNoise, type Given } from "./change.fixture.ts";
import { changeFlags, findingsOf, neverHiddenPaths } from "./findings.ts";
import { AWS } from "./tables/aws.ts";
import { AZURE } from "./tables/azure.ts";
import { GCP } from "./tables/gcp.ts";
import { OTHER } from "./tables/other.ts";
import { names } from "./tables/table.ts";

const TABLES = [AWS, GCP, AZURE, OTHER];
const TYPES = [
  ...TABLES.flatMap((table) => [
    ...table.networkPolicy,
    ...table.iam,
    ...table.trafficPath,
    ...table.audit,
    ...table.publicAccessBlocks,
    ...table.encryptionSettings,
  ]).map((type) => type.replaceAll("*", "any")),
  ...Object.values(TYPE_FACTS.losing).flatMap(names),
  "acme_page",
];
const ATTRIBUTES = [
  ...TABLES.flatMap((table) =>
    [
      table.protections,
      table.disruptions,
      table.publicAccess,
      table.access,
      table.encryption,
      table.auditing,
    ].flatMap((signs) => signs.flatMap(({ attributes }) => attributes)),
  ).map((name) => name.split(".")[0] ?? ""),
  ...TABLES.flatMap(({ exposures }) => exposures.flatMap(({ attributes }) => attributes)).map(
    (name) => name.split(".")[0] ?? "",
  ),
  "ingress",
  "security_rule",
  "allow",
  "match",
  "policy",
  "policy_data",
  "assume_role_policy",
  "role",
  "member",
  "members",
  "desired_count",
  "tags",
  "name",
  "password",
];
const CANARY = "Canary7hunter2";

const profile = fc.constantFrom<RiskProfile>("lenient", "standard");
const actions = fc.constantFrom(
  ["create"],
  ["update"],
  ["delete"],
  ["delete", "create"],
  ["create", "delete"],
  ["forget"],
  ["no-op"],
  ["read"],
  ["something new"],
);
const statement = fc.record({
  Effect: fc.constantFrom("Allow", "Deny"),
  Principal: fc.constantFrom<Json>("*", { AWS: "*" }, { AWS: "arn:aws:iam::222222222222:root" }),
  Action: fc.constantFrom("*", "s3:Get*"),
  Resource: fc.constantFrom("*", CANARY),
});
const plain = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  1,
  22,
  443,
  "Enabled",
  "Disabled",
  "0.0.0.0/0",
  "allUsers",
  "roles/owner",
  "-1",
  "tcp",
  CANARY,
);
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: plain },
  fc.array(plain, { maxLength: 3 }),
  statement.map((one) => JSON.stringify({ Statement: [one] })),
  fc.array(
    fc.dictionary(
      fc.constantFrom(
        "from_port",
        "to_port",
        "protocol",
        "cidr_blocks",
        "enabled",
        "status",
        "ports",
        "access",
        CANARY.slice(6),
      ),
      fc.oneof(plain, fc.array(plain, { maxLength: 2 })),
    ),
    { maxLength: 2 },
  ),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it generates JSON
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);
const side = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...ATTRIBUTES), value, { maxKeys: 6 }) },
  fc.constant(null),
);
const given: fc.Arbitrary<Given> = fc.record({
  type: fc.constantFrom(...TYPES),
  actions,
  before: side,
  after: side,
  change: fc.record({ replace_paths: fc.constantFrom<Json>([], [["name"]], [["ingress", 0]], "none") }),
});
const changes = fc
  .array(given, { maxLength: 8 })
  .map((list) => list.map((one, index) => ({ ...one, address: `a.b[${index}]` })));

function judge(list: readonly Given[], how: RiskProfile): ReturnType<typeof findingsOf> {
  const plan = readPlan({ resource_changes: list.map(resourceChange) });
  return findingsOf(plan, withoutNoise(plan), how);
}

function levelOf(list: readonly Given[], how: RiskProfile): number {
  return RISK_LEVELS.indexOf(worstOf(judge(list, how).map(({ risk_level }) => risk_level)));
}

test("an additional change never lowers a plan's level", () => {
  fc.assert(
    fc.property(changes, given, profile, (list, one, how) => {
      const more = { ...one, address: "a.b[more]" };
      // Unchanged resources are listed, too, so that the total stays the same.
      const isNew = more.actions.includes("create") && !more.actions.includes("delete");
      const before = isNew ? list : [...list, { ...more, actions: ["no-op"] }];
      expect(levelOf([...list, more], how)).toBeLessThanOrEqual(levelOf(before, how));
    }),
    { numRuns: 500 },
  );
});

test("the order of changes doesn't matter", () => {
  fc.assert(
    fc.property(changes, profile, fc.infiniteStream(fc.nat()), (list, how, keys) => {
      const shuffled = list
        .map((one) => ({ one, key: keys.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one);
      expect(judge(shuffled, how)).toEqual(judge(list, how));
    }),
  );
});

const flagsAt = (list: readonly Given[], how: RiskProfile): string[] =>
  judge(list, how)
    .map(({ id: _id, address: _address, ...finding }) => JSON.stringify(finding))
    .toSorted();

test("addresses don't matter", () => {
  fc.assert(
    fc.property(changes, profile, (list, how) => {
      const renamed = list.map((one, index) => ({
        ...one,
        address: `module.prod_tfstate["${9 - index}"].x`,
      }));
      expect(flagsAt(renamed, how)).toEqual(flagsAt(list, how));
    }),
  );
});

test("standard has all findings of lenient, at the same or a higher level", () => {
  fc.assert(
    fc.property(changes, (list) => {
      const standard = new Map(judge(list, "standard").map((finding) => [finding.id, finding]));
      for (const finding of judge(list, "lenient")) {
        const other = standard.get(finding.id);
        expect(RISK_LEVELS.indexOf(other!.risk_level)).toBeLessThanOrEqual(
          RISK_LEVELS.indexOf(finding.risk_level),
        );
      }
    }),
  );
});

test("no masked value appears in a message or in evidence", () => {
  fc.assert(
    fc.property(changes, profile, (list, how) => {
      const masked = list.map((one) =>
        resourceChange({ ...one, change: { ...one.change, before_sensitive: true, after_sensitive: true } }),
      );
      const plan = readPlan(maskPlan({ format_version: "1.2", resource_changes: masked }));
      for (const { message, paths } of findingsOf(plan, withoutNoise(plan), how))
        expect(JSON.stringify([message, paths])).not.toContain(CANARY);
    }),
    { numRuns: 300 },
  );
});

test("a message is one line of at most 600 characters", () => {
  fc.assert(
    fc.property(changes, profile, (list, how) => {
      for (const { message } of judge(list, how)) expect(message).toMatch(/^[A-Z][^\n]{3,599}$/);
    }),
    { numRuns: 300 },
  );
});

test("every change except updates and reads has a finding", () => {
  fc.assert(
    fc.property(given, profile, (one, how) => {
      const isIdle = one.actions.every((action) => action === "no-op" || action === "read");
      const isComputed = one.actions.includes("update");
      fc.pre(!isIdle && !isComputed);
      expect(judge([one], how).length).toBeGreaterThan(0);
    }),
  );
});

/** A plan with arbitrary values in arbitrary places. */
const mutated: fc.Arbitrary<JsonObject> = fc
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it generates JSON
  .tuple(changes, fc.array(fc.tuple(fc.nat(), fc.jsonValue() as fc.Arbitrary<Json>), { maxLength: 6 }))
  .map(([list, mutations]) => {
    let plan: Json = { resource_changes: list.map(resourceChange), resource_drift: list.map(resourceChange) };
    for (const [seed, junk] of mutations) plan = withJunk(plan, seed, junk);
    return typeof plan === "object" && plan !== null && !Array.isArray(plan) ? plan : {};
  });

/** Replaces the part of `value` that `seed` selects. */
function withJunk(value: Json, seed: number, junk: Json): Json {
  if (typeof value !== "object" || value === null || seed % 7 === 0) return junk;
  const keys = Object.keys(value);
  const key = keys[seed % Math.max(keys.length, 1)];
  if (key === undefined) return junk;
  if (Array.isArray(value))
    return value.map((item, index) =>
      String(index) === key ? withJunk(item, Math.floor(seed / 3) + 1, junk) : item,
    );
  return { ...value, [key]: withJunk(value[key] ?? null, Math.floor(seed / 3) + 1, junk) };
}

test("no plan makes the rules throw", () => {
  fc.assert(
    fc.property(mutated, profile, (document, how) => {
      const plan = readPlan(document);
      findingsOf(plan, withoutNoise(plan), how);
      for (const change of [...plan.changes, ...plan.drift]) {
        changeFlags(change, { profile: how, outside: true });
        neverHiddenPaths(change);
      }
    }),
    { numRuns: 500 },
  );
});
