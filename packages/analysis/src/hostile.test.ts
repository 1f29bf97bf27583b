import { describe, expect, test } from "bun:test";

import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { analyzePlan } from "./analyze.ts";
import { resourceChange, update, type Given } from "./risk/change.fixture.ts";

const MANY = 8_000;
const LONGEST_TEXT = 1_000_000;

function analysed(changes: readonly Given[], drift: readonly Given[] = []): Analysis {
  const plan = {
    format_version: "1.2",
    resource_changes: changes.map(resourceChange),
    resource_drift: drift.map(resourceChange),
  };
  return analyzePlan(plan, { profile: "lenient" });
}

function many(item: (index: number) => Json): Json[] {
  return Array.from({ length: MANY }, (_, index) => item(index));
}

function members(name: string, value: Json): JsonObject {
  return Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`${name}${index}`, value]));
}

const firewall = (after: JsonObject): Given =>
  update("google_compute_firewall", {}, { direction: "INGRESS", ...after });

const OPEN = { source_ranges: ["0.0.0.0/0"] };
const TCP = { protocol: "tcp", ports: many(String) };
const COLONS = ":".repeat(60_000);
const SWAPPED = [members("list", ["a", "b"]), members("list", ["b", "a"])] as const;
const TAGGED = [{ tags: members("eks:", null) }, { tags: members("eks:", "a") }] as const;
const MANY_MORE = 50_000;
const expiring = (days: number): JsonObject => ({
  lifecycle_rule: Array.from({ length: MANY_MORE }, (_, index) => ({
    enabled: true,
    prefix: `${index}`,
    expiration: [{ days }],
  })),
});
const hidden = Array.from({ length: 1_000 }, (_, index) => [`password${index}`]);
const wide = (value: Json): JsonObject =>
  Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`a${index}`, value]));
const ROTATED = [members("token", null), members("token", "a")] as const;
const MARKS = { before_sensitive: members("token", true), after_sensitive: members("token", true) };
const RULE = { protocol: "tcp", cidr_blocks: ["10.0.0.0/8"] };
const LONG_POLICY = JSON.stringify({ Statement: many((index) => ({ Sid: `${index}`, Effect: "Allow" })) });
const inline = many((index) => ({ ...RULE, from_port: index }));

const NETWORKS = many((index) => `10.${index >> 8}.${index % 256}.0/24`);
const ruleOf = (network: Json): JsonObject => ({ ...RULE, cidr_blocks: [network] });

/** Builds a security group rule declared as its own resource. */
function existing(rule: JsonObject): Given {
  const attributes = { ...rule, type: "ingress", security_group_id: "sg" };
  return { type: "aws_security_group_rule", actions: ["no-op"], before: attributes, after: attributes };
}

describe("no plan makes its analysis slow", () => {
  test.each<[string, Given[], Given[]]>([
    [
      "many kinds of noise in one resource",
      [update("aws_db_instance", members("a_cidr", "10.0.0.1/8"), members("a_cidr", "10.0.0.2/8"))],
      [],
    ],
    [
      "many tags that a plan reverts",
      [update("aws_lb", TAGGED[1], TAGGED[0])],
      [update("aws_lb", TAGGED[0], TAGGED[1])],
    ],
    [
      "many tags that are default tags",
      [
        update(
          "aws_lb",
          { tags: members("a", "b"), tags_all: members("a", "b") },
          { tags: members("a", null), tags_all: members("a", "b") },
        ),
      ],
      [],
    ],
    [
      "many lists whose order a plan reverts",
      [update("aws_lb", SWAPPED[1], SWAPPED[0])],
      [update("aws_lb", SWAPPED[0], SWAPPED[1])],
    ],
    [
      "many secrets that a plan reverts",
      [update("aws_lb", ROTATED[1], ROTATED[0], MARKS)],
      [update("aws_lb", ROTATED[0], ROTATED[1], MARKS)],
    ],
    ["many lifecycle rules of a bucket", [update("aws_s3_bucket", expiring(10), expiring(5))], []],
    [
      "many attributes beside many masked ones",
      [update("acme_page", wide(1), wide(2), { leeway_changed: hidden })],
      [],
    ],
    [
      "many ports with many protocols",
      [
        firewall({
          ...OPEN,
          allow: [{ protocol: many((index) => `p${index}`), ports: many(String) }],
        }),
      ],
      [],
    ],
    [
      "many parts of the internet at many ports",
      [
        firewall({ source_ranges: many((index) => `${index % 256}.0.0.0/8`), allow: [TCP] }),
        firewall({ source_ranges: many((index) => `${index % 128}.0.0.0/8`), allow: [TCP] }),
      ],
      [],
    ],
    [
      "many rules below many ports, protocols or sources",
      [
        firewall({ ...OPEN, ports: many(String), allow: many(() => ({ protocol: "tcp" })) }),
        firewall({ ...OPEN, protocol: many(String), allow: many(() => ({ ports: ["1"] })) }),
        firewall({
          source_ranges: many((index) => `10.0.0.${index}`),
          allow: many(() => ({ ports: ["1"] })),
        }),
        firewall({ ...OPEN, direction: many(String), allow: many(() => ({ ports: ["1"] })) }),
      ],
      [],
    ],
    [
      "many rules, inline and as separate resources",
      [
        update("aws_security_group", { id: "sg", ingress: inline }, { id: "sg", ingress: [] }),
        ...Array.from({ length: MANY }, (_, from_port): Given => {
          const rule = { ...RULE, type: "ingress", security_group_id: "sg", from_port };
          return { type: "aws_security_group_rule", actions: ["no-op"], before: rule, after: rule };
        }),
      ],
      [],
    ],
    [
      "many resources and many that may declare their blocks",
      [
        ...Array.from({ length: MANY }, (_, index) =>
          update("aws_security_group", { id: `${index}`, ingress: [RULE] }, { id: `${index}`, ingress: [] }),
        ),
        ...Array.from({ length: MANY }, (): Given => {
          const rule = { ...RULE, type: "ingress", security_group_id: "sg" };
          return { type: "aws_security_group_rule", actions: ["no-op"], before: rule, after: rule };
        }),
      ],
      [],
    ],
    [
      "many resources and many that may declare any of their blocks",
      [
        ...Array.from({ length: MANY / 2 }, (_, port): Given => {
          const group = { id: "sg", ingress: [{ ...RULE, from_port: MANY + port }] };
          return update("aws_security_group", group, { id: "sg", ingress: [] });
        }),
        ...Array.from({ length: MANY / 2 }, (_, from_port): Given => {
          const rule = { ...RULE, type: "ingress", security_group_id: "sg", from_port };
          return { type: "aws_security_group_rule", actions: ["no-op"], before: rule, after: rule };
        }),
      ],
      [],
    ],
    [
      "many rules of which some are declared inline",
      [
        update("aws_security_group", { id: "sg", ingress: inline }, { id: "sg", ingress: inline.slice(1) }),
        existing({ ...RULE, from_port: 0 }),
      ],
      [],
    ],
    [
      "a rule with many networks and many rules with one network",
      [
        update("aws_security_group", { id: "sg", ingress: NETWORKS.map(ruleOf) }, { id: "sg", ingress: [] }),
        existing({ ...RULE, cidr_blocks: NETWORKS }),
      ],
      [],
    ],
    [
      "a rule of many attributes and many networks",
      [
        update(
          "aws_security_group",
          { id: "sg", ingress: [{ ...members("a", 1), cidr_blocks: NETWORKS }] },
          { id: "sg", ingress: [] },
        ),
        existing(RULE),
      ],
      [],
    ],
    [
      "a long policy and many that may declare it",
      [
        update("aws_s3_bucket", { id: "b", policy: LONG_POLICY }, { id: "b", policy: "" }),
        ...Array.from({ length: MANY }, (_, index): Given => {
          const policy = { bucket: "b", policy: JSON.stringify({ Statement: [{ Sid: `${index}` }] }) };
          return { type: "aws_s3_bucket_policy", actions: ["no-op"], before: policy, after: policy };
        }),
      ],
      [],
    ],
    [
      "a long text that is almost an address",
      [update("aws_lb", { cidr: COLONS }, { cidr: `${COLONS}/` })],
      [],
    ],
    [
      "a long text that is almost an image",
      [update("aws_lb", { image: `image${"1".repeat(200_000)}` }, { image: `image${"2".repeat(200_000)}` })],
      [],
    ],
  ])("%s", (_, changes, drift) => void analysed(changes, drift));
});

test.each([1_000, 16_000, 200_000])("a policy may be nested %d levels deep", (depth) => {
  const nested = `${"[".repeat(depth)}"a"${"]".repeat(depth)}`;
  const after = { policy_data: `{"bindings":[{"role":"roles/owner","members":${nested}}]}` };
  expect(analysed([{ type: "google_project_iam_policy", actions: ["create"], after }]).findings).toHaveLength(
    1,
  );
});

test("a long name isn't repeated for each difference below it", () => {
  const name = "a".repeat(100_000);
  const change = update("aws_lb", { [name]: members("k", 1) }, { [name]: members("k", 2) });
  expect(JSON.stringify(analysed([change], [change])).length).toBeLessThan(LONGEST_TEXT);
});
