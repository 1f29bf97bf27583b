import { describe, expect, test } from "bun:test";

import { growthOf, many, repeated, STEEPEST, wide } from "@leeway/shared/testing/growth.fixture";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "./plan/mask-plan.ts";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { analyzePlan } from "./analyze.ts";
import { planComment } from "./comment/plan-comment.ts";
import { narrativePrompt } from "./narrative/prompt.ts";
import { templateNarrative } from "./narrative/template.ts";
import { planReport } from "./plan-report.ts";
import { requirePlan } from "./plan/upload.ts";

const OPTIONS = { profile: "standard" as const };
const CONTEXT = { repository: "a/b", project: { name: "p" } };

/** Runs the whole path of a plan: masking, analysis, reports and comments. */
function readWhole(json: string): void {
  const plan = requirePlan(maskPlan(JSON.parse(json)));
  const analysis = analyzePlan(plan, OPTIONS);
  planReport(plan, OPTIONS);
  narrativePrompt(analysis, CONTEXT);
  const narrative = { text: templateNarrative(analysis), source: "template" as const };
  planComment({ analysis, narrative, context: CONTEXT, limit: 65_536 });
}

interface Sides {
  before?: Json;
  after?: Json;
  [more: string]: Json;
}

function change(type: string, sides: Sides, name = "x"): JsonObject {
  const provider_name = "registry.terraform.io/hashicorp/aws";
  const change = { actions: ["update"], before: {}, after: {}, ...sides };
  return { address: `${type}.${name}`, mode: "managed", type, name, provider_name, change };
}

function plan(changes: JsonObject[], more: JsonObject = {}): JsonObject {
  return { format_version: "1.2", terraform_version: "1.9.0", resource_changes: changes, ...more };
}

/** Builds the plan of one resource with one changed attribute. */
function attribute(type: string, name: string, before: Json, after: Json): JsonObject {
  return plan([change(type, { before: { [name]: before }, after: { [name]: after } })]);
}

const rule = (port: number): JsonObject => ({
  from_port: port,
  to_port: port,
  protocol: "tcp",
  cidr_blocks: [`${port % 200}.0.0.0/2`],
});
const policy = (statements: Json[]): string => JSON.stringify({ Statement: statements });
const nested = (depth: number, inner: string): string => "[".repeat(depth) + inner + "]".repeat(depth);
const instances = (count: number, sides: (index: number) => Sides): JsonObject[] =>
  many(count, (index) => change("aws_instance", sides(index), `x${index}`));

const marked = (count: number, name: string): Json[] => many(count, (index) => ({ [name + index]: true }));
const role = (index: number): JsonObject => ({
  arn: `arn:aws:iam::1:role/r${index}`,
  unique_id: `AROA${index}`,
});

function listsInLists(count: number): Json {
  return { xs: many(count, (one) => ({ a: many(count, (other) => ({ [`m${one}_${other}`]: true })) })) };
}

/** Plans of a requested size, each stressing one part of the analysis. */
const FAMILIES: Record<string, (size: number) => Json> = {
  "many changes": (size) =>
    plan(instances(size / 200, (index) => ({ before: { ami: index }, after: { ami: "b" } }))),
  "many deletions": (size) =>
    plan(instances(size / 200, () => ({ actions: ["delete"], before: {}, after: null }))),
  "one address many times": (size) =>
    plan(many(size / 200, (index) => change("aws_instance", { before: { ami: index } }))),
  "many unknown types": (size) => plan(many(size / 200, (index) => change(`foo_bar${index}`, {}))),
  "many attributes": (size) => {
    const before = wide(size / 30, "a", String);
    return plan([change("aws_instance", { before, after: wide(size / 30, "b", String) })]);
  },
  "many names that are tokens": (size) => {
    const named = (value: number): JsonObject =>
      Object.fromEntries(many(size / 60, (index) => [`AKIA${index}`.padEnd(20, "0"), value]));
    return plan([change("aws_instance", { before: named(1), after: named(2) })]);
  },
  "many tags": (size) =>
    plan([
      change("aws_instance", {
        before: { tags: null, tags_all: wide(size / 40, "k", String) },
        after: { tags: {}, tags_all: wide(size / 40, "l", String) },
      }),
    ]),
  "a long list in another order": (size) =>
    attribute("aws_instance", "xs", many(size / 14, String), many(size / 14, String).toReversed()),
  "a long list without order": (size) =>
    attribute(
      "aws_instance",
      "security_groups",
      many(size / 14, String),
      many(size / 14, (n) => `x${n}`),
    ),
  "a long list of blocks": (size) =>
    attribute(
      "aws_instance",
      "xs",
      many(size / 24, (a) => ({ a })),
      many(size / 24, (a) => ({ a: `${a}` })),
    ),
  "many rules of a security group": (size) =>
    attribute("aws_security_group", "ingress", [], many(size / 90, rule)),
  "many networks in a rule": (size) =>
    attribute(
      "aws_security_group",
      "ingress",
      [],
      [{ ...rule(1), cidr_blocks: many(size / 14, (index) => `${index % 250}.0.0.0/3`) }],
    ),
  "many rules beside a group": (size) =>
    plan(
      many(size / 300, (index) =>
        change(
          "aws_security_group_rule",
          {
            actions: ["create"],
            before: null,
            after: { ...rule(index), type: "ingress", security_group_id: "s" },
          },
          `x${index}`,
        ),
      ),
    ),
  "many statements of a policy": (size) => {
    const statements = many(size / 120, (index) => ({
      Effect: "Allow",
      Action: [`s3:Get${index}`],
      Resource: "*",
    }));
    return attribute("aws_iam_policy", "policy", policy(statements), policy(statements.toReversed()));
  },
  "many wildcards in a policy": (size) =>
    attribute(
      "aws_iam_policy",
      "policy",
      "{}",
      policy([{ Effect: "Allow", Action: `iam:${repeated("*a", size)}`, Resource: "*" }]),
    ),
  "many containers": (size) => {
    const containers = (cpu: Json): string =>
      JSON.stringify(
        many(size / 80, (index) => ({ name: `c${index}`, environment: [{ name: "a", value: "b" }], cpu })),
      );
    return attribute("aws_ecs_task_definition", "container_definitions", containers(0), containers(null));
  },
  "deeply nested values": (size) => ({
    ...attribute("aws_instance", "a", JSON.parse(nested(Math.min(size / 40, 4_000), "1")), 1),
  }),
  "a deep mask whose last mark counts": (size) => {
    const zeros = "0,".repeat(size / 4);
    const mask: Json = JSON.parse(nested(Math.min(size / 20, 4_000), `[${zeros}true]`));
    return plan([change("aws_instance", { after_unknown: mask, before_sensitive: mask })]);
  },
  "masks of lists of different lengths": (size) => {
    const [before, after] = [marked(size / 90, "k"), marked(size / 90 + 1, "k")];
    const sensitive = {
      before_sensitive: { xs: before },
      after_sensitive: { xs: marked(size / 90 + 1, "l") },
    };
    return plan([change("aws_instance", { before: { xs: before }, after: { xs: after }, ...sensitive })]);
  },
  "masks of such lists in lists": (size) => {
    const side = Math.sqrt(size) / 6;
    const [before, after] = [listsInLists(side), listsInLists(side + 1)];
    return plan([
      change("aws_instance", { before, after, before_sensitive: before, after_sensitive: after }),
    ]);
  },
  "many paths that force a replacement": (size) =>
    plan([
      change("aws_instance", {
        actions: ["delete", "create"],
        replace_paths: many(size / 20, (n) => [`a${n}`, n]),
      }),
    ]),
  "many paths that were hidden before": (size) =>
    plan([change("aws_instance", { leeway_changed: many(size / 20, (n) => [`a${n}`, n]) })]),
  "much drift that the plan reverts": (size) => {
    const [one, other] = [{ xs: [1, 2] }, { xs: [2, 1] }];
    return plan(
      instances(size / 400, () => ({ before: other, after: one })),
      {
        resource_drift: instances(size / 400, () => ({ before: one, after: other })),
      },
    );
  },
  "many relevant attributes": (size) =>
    plan([change("aws_instance", {})], {
      relevant_attributes: many(size / 50, (index) => ({ resource: `a.b${index}`, attribute: ["a", index] })),
    }),
  "many outputs and checks": (size) =>
    plan([], {
      output_changes: wide(size / 80, "o", () => ({ actions: ["update"] })),
      checks: many(size / 80, (index) => ({ status: "fail", address: { to_display: `c${index}` } })),
    }),
  "a long address": (size) =>
    plan([{ ...change("aws_instance", {}), address: `a["${repeated("b.", size)}"]` }]),
  "a long host name": (size) =>
    attribute("aws_route53_record", "name", `${repeated("a.", size)}!`, `${repeated("A.", size)}!`),
  "a long text of JSON": (size) =>
    attribute("aws_instance", "j", `["${repeated('\\"', size / 2)}"]`, `[ "${repeated('\\"', size / 2)}"]`),
  "many roles and their unique ids": (size) => {
    const named = (of: (index: number) => string): string =>
      policy([{ Principal: { AWS: many(size / 300, of) } }]);
    const [before, after] = [named((n) => `AROA${n}`), named((n) => `arn:aws:iam::1:role/r${n}`)];
    return plan([
      ...many(size / 300, (index) =>
        change("aws_iam_role", { actions: ["no-op"], before: role(index), after: role(index) }, `r${index}`),
      ),
      change("aws_s3_bucket_policy", { before: { policy: before }, after: { policy: after } }),
    ]);
  },
};

describe("analyzing a plan takes time in proportion to its size, for", () => {
  test.each(Object.entries(FAMILIES))("%s", async (_, family) => {
    const make = (size: number): string => JSON.stringify(family(size));
    expect(await growthOf({ make, work: readWhole, size: 40_000 })).toBeLessThan(STEEPEST);
  });

  test.each(Object.entries(ONCE_QUADRATIC))("a value that is %s", async (_, text) => {
    const make = (size: number): string =>
      JSON.stringify(attribute("aws_instance", "description", text(size), text(size + 1)));
    expect(await growthOf({ make, work: readWhole, size: 20_000 })).toBeLessThan(STEEPEST);
  });
});
