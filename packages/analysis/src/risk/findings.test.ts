import { describe, expect, test } from "bun:test";

import { REDACTED } from "@leeway/shared/redaction/redact";
import { worstOf } from "@leeway/shared/risk-levels";

import {
  create,
  CREATE_FIRST,
  DESTROY_FIRST,
  findings,
  planWith,
  remove,
  replace,
  update,
  withoutNoise,
  type Given,
} from "./change.fixture.ts";
import { changeFlags, findingsOf, NEVER_HIDDEN, neverHiddenPaths } from "./findings.ts";

const levelOf = (given: readonly Given[], profile: "baseline" | "strict" = "baseline"): string =>
  worstOf(findings(given, profile).map(({ risk_level }) => risk_level));

const many = (count: number, type = "aws_subnet"): Given[] =>
  Array.from({ length: count }, (_, index) => ({ ...remove(type), address: `${type}.n[${index}]` }));
const idle = (count: number): Given[] =>
  many(count).map((given, index) => ({
    ...given,
    actions: ["no-op"],
    address: `aws_subnet.idle[${index}]`,
  }));
const said = (given: readonly Given[], profile: "baseline" | "strict" = "strict"): unknown =>
  findings(given, profile).find(({ rule }) => rule === "R19");
const asJson = ({ type, actions, before = null, after = null, change = {} }: Given) => ({
  address: `${type}.main`,
  type,
  change: { actions: [...actions], before, after, ...change },
});
const paths = (given: Given): unknown => neverHiddenPaths(planWith([given]).changes[0]!);

const flags = (given: Given, profile: "baseline" | "strict" = "baseline"): ReturnType<typeof changeFlags> => {
  const { drift } = planWith([], { resource_drift: [asJson(given)] });
  return changeFlags(drift[0]!, { profile, outside: true });
};

describe("the three examples", () => {
  test("destroying a stateful resource gives critical", () => {
    for (const type of ["aws_db_instance", "google_storage_bucket", "azurerm_mssql_database"]) {
      expect(levelOf([remove(type)])).toBe("critical");
      expect(levelOf([replace(type, DESTROY_FIRST)])).toBe("critical");
    }
  });

  test("replacement causing downtime gives high", () => {
    for (const type of [
      "aws_instance",
      "aws_lb",
      "google_compute_instance",
      "azurerm_linux_virtual_machine",
    ]) {
      expect(levelOf([replace(type, DESTROY_FIRST)])).toBe("high");
    }
  });

  test("a security-group change gives medium, also one that opens it to the world", () => {
    const ingress = [{ from_port: 22, to_port: 22, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] }];
    for (const type of ["aws_security_group", "aws_vpc_security_group_ingress_rule"]) {
      expect(levelOf([update(type, { a: 1 }, { a: 2 })])).toBe("medium");
      expect(levelOf([create(type, { ingress })])).toBe("medium");
      expect(levelOf([remove(type)])).toBe("medium");
    }
  });
});

describe("R19, many that go", () => {
  test("25 are many, 24 of more than 48 are not", () => {
    expect(said([...many(25), ...idle(100)])).toMatchObject({
      risk_level: "critical",
      flag: "mass_destroy",
      address: "",
    });
    expect(said([...many(24), ...idle(25)])).toBeUndefined();
    expect(said([...many(25), ...idle(100)], "baseline")).toMatchObject({ risk_level: "medium" });
  });

  test("new revisions, as each release makes, are no destruction", () => {
    const released = many(25).map((given) => ({
      ...given,
      type: "aws_ecs_task_definition",
      actions: ["delete", "create"],
    }));
    expect(findings(released, "strict").map(({ rule }) => rule)).toEqual(Array(25).fill("R20"));
  });

  test("half of what exists is many, replacements included, and what is created doesn't exist yet", () => {
    const created = many(9).map((given) => ({
      ...given,
      actions: ["create"],
      address: `${given.address}.new`,
    }));
    expect(said([...many(2), ...idle(2), ...created])).toBeDefined();
    expect(said([...many(2), ...idle(3)])).toBeUndefined();
    expect(said([...many(1), replace("aws_route", CREATE_FIRST), ...idle(2)])).toBeDefined();
  });

  test("the only resource of a plan isn't many", () => {
    expect(said(many(1))).toBeUndefined();
  });

  test("what was left out of a plan exists all the same", () => {
    const plan = planWith(many(2), { leeway_pruned: [{ step: "unchanged_resources", count: 10 }] });
    expect(findingsOf(plan, withoutNoise(plan), "strict").map(({ rule }) => rule)).toEqual(["R18", "R18"]);
  });
});

test("findings come worst first, then by address and rule, with an id each", () => {
  const given: Given[] = [
    { ...create("aws_instance"), address: "b" },
    { ...remove("aws_kms_key"), address: "z" },
    { ...create("aws_instance"), address: "a" },
    { ...create("aws_security_group"), address: "c" },
  ];
  expect(findings(given).map(({ id }) => id)).toEqual(["R01:z", "R03:z", "R08:c", "R20:a", "R20:b"]);
});

test("findings of one level come in the order in which people count", () => {
  const given = [10, 2, 1].map((index) => ({ ...create("aws_instance"), address: `web[${index}]` }));
  expect(findings(given).map(({ address }) => address)).toEqual(["web[1]", "web[2]", "web[10]"]);
});

/** What is said of a resource that is deleted with what a replacement left behind of it. */
function withDeposed(type: string): ReturnType<typeof findingsOf> {
  const plan = planWith([remove(type), remove(type)]);
  const [first, second] = withoutNoise(plan);
  return findingsOf(plan, [first!, { ...second!, deposed: "ab12" }], "baseline");
}

test("a deposed object is told apart from the one that took its place", () => {
  const found = withDeposed("aws_db_instance");
  expect(found.map(({ id }) => id)).toEqual([
    "R01:aws_db_instance.main",
    "R01:aws_db_instance.main (deposed ab12)",
  ]);
  expect(found.map(({ message }) => message.includes("deposed object"))).toEqual([false, true]);
});

test.each([
  "aws_acm_certificate",
  "aws_lb",
  "aws_eks_node_group",
  "aws_cloudtrail",
  "aws_s3_bucket_versioning",
  "aws_s3_bucket_public_access_block",
])("a deposed %s serves and guards nothing any more: another took its place", (type) => {
  const deposed = withDeposed(type).filter(({ id }) => id.endsWith("(deposed ab12)"));
  expect(deposed.map(({ rule, risk_level }) => [rule, risk_level])).toEqual([["R18", "medium"]]);
});

test("a change whose differences are all noise is no finding", () => {
  const plan = planWith([update("aws_ecs_service", { task_definition: "a" }, { task_definition: "b" })]);
  const quiet = withoutNoise(plan).map((change) => ({ ...change, differences: [] }));
  expect(findingsOf(plan, quiet, "baseline")).toEqual([]);
});

describe("drift", () => {
  test("a stateful resource that was deleted outside is critical", () => {
    expect(flags(remove("aws_db_instance"))).toEqual({
      risk_level: "critical",
      risk_flags: [{ rule: "R01", flag: "deleted_outside", evidence: [] }],
    });
  });

  test("a security group that was opened outside is flagged, by both rules", () => {
    const open = { ingress: [{ from_port: 22, to_port: 22, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] }] };
    const given = update("aws_security_group", { ingress: [] }, open);
    expect(flags(given).risk_level).toBe("medium");
    expect(flags(given, "strict")).toMatchObject({
      risk_level: "critical",
      risk_flags: [{ rule: "R08" }, { rule: "R09" }],
    });
  });

  test("what was deleted outside and holds no data has the level of its deletion", () => {
    expect(flags(remove("aws_lb"))).toMatchObject({ risk_level: "high", risk_flags: [{ rule: "R17" }] });
    expect(flags(remove("acme_page"))).toMatchObject({ risk_level: "medium", risk_flags: [{ rule: "R18" }] });
  });

  test("tags that were changed outside are none", () => {
    expect(flags(update("aws_vpc", { tags: {} }, { tags: { a: "b" } }))).toMatchObject({
      risk_level: "none",
    });
  });

  test("what didn't change has no flags", () => {
    expect(flags({ type: "aws_vpc", actions: ["no-op"] })).toEqual({ risk_level: "none", risk_flags: [] });
  });
});

describe("what noise never hides", () => {
  test("are R01 to R05, R07, R09 to R11, R16 and R17", () => {
    expect([...NEVER_HIDDEN]).toEqual("R01 R02 R03 R04 R05 R07 R09 R10 R11 R16 R17".split(" "));
  });

  test("are the attributes that such a rule goes by", () => {
    expect(
      paths(
        update("aws_ecs_service", { desired_count: 4, tags: {} }, { desired_count: 0, tags: { a: "b" } }),
      ),
    ).toEqual([["desired_count"]]);
    expect(paths(update("aws_ecs_service", { desired_count: 4 }, { desired_count: 1 }))).toEqual([]);
    expect(
      paths(update("aws_db_instance", { deletion_protection: true }, { deletion_protection: false })),
    ).toEqual([["deletion_protection"]]);
    expect(paths(replace("aws_lb", DESTROY_FIRST))).toEqual([["name"]]);
    expect(
      paths(
        update(
          "aws_security_group",
          { ingress: [] },
          { ingress: [{ protocol: "-1", cidr_blocks: ["10.0.0.0/8"] }] },
        ),
      ),
    ).toEqual([]);
  });
});

test("the worst of no levels is none", () => {
  expect(worstOf([])).toBe("none");
  expect(worstOf(["low", "critical", "none"])).toBe("critical");
});

test("a masked value isn't taken for one that was turned off", () => {
  const given = update("aws_db_instance", { deletion_protection: true }, { deletion_protection: REDACTED });
  expect(findings([given]).map(({ rule }) => rule)).toEqual(["R25"]);
});
