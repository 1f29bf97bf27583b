import { describe, expect, test } from "bun:test";

import { REDACTED } from "@leeway/shared/security/redaction/redact";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import {
  create,
  DESTROY_FIRST,
  findings,
  planWith,
  remove,
  replace,
  update,
  withoutNoise,
  type Given,
} from "./change.fixture.ts";
import { changeFlags, findingsOf, neverHiddenPaths } from "./findings.ts";

const levelOf = (given: readonly Given[], profile: "lenient" | "standard" = "lenient"): string =>
  worstOf(findings(given, profile).map(({ risk_level }) => risk_level));
const asJson = ({ type, actions, before = null, after = null, change = {} }: Given) => ({
  address: `${type}.main`,
  type,
  change: { actions: [...actions], before, after, ...change },
});
const paths = (given: Given): unknown => neverHiddenPaths(planWith([given]).changes[0]!);

const flags = (given: Given, profile: "lenient" | "standard" = "lenient"): ReturnType<typeof changeFlags> => {
  const { drift } = planWith([], { resource_drift: [asJson(given)] });
  return changeFlags(drift[0]!, { profile, outside: true });
};

describe("the three examples", () => {
  test("destroying a stateful resource is critical", () => {
    for (const type of ["aws_db_instance", "google_storage_bucket", "azurerm_mssql_database"]) {
      expect(levelOf([remove(type)])).toBe("critical");
      expect(levelOf([replace(type, DESTROY_FIRST)])).toBe("critical");
    }
  });

  test("a replacement with downtime is high", () => {
    for (const type of [
      "aws_instance",
      "aws_lb",
      "google_compute_instance",
      "azurerm_linux_virtual_machine",
    ]) {
      expect(levelOf([replace(type, DESTROY_FIRST)])).toBe("high");
    }
  });

  test("a security group change is medium, even if it opens it to the world", () => {
    const ingress = [{ from_port: 22, to_port: 22, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] }];
    for (const type of ["aws_security_group", "aws_vpc_security_group_ingress_rule"]) {
      expect(levelOf([update(type, { a: 1 }, { a: 2 })])).toBe("medium");
      expect(levelOf([create(type, { ingress })])).toBe("medium");
      expect(levelOf([remove(type)])).toBe("medium");
    }
  });
});

test("findings are sorted by risk, rule and address, with unique ids", () => {
  const given: Given[] = [
    { ...create("aws_instance"), address: "b" },
    { ...remove("aws_kms_key"), address: "z" },
    { ...create("aws_instance"), address: "a" },
    { ...create("aws_security_group"), address: "c" },
  ];
  expect(findings(given).map(({ id }) => id)).toEqual(["R03:z", "R08:c", "R20:a", "R20:b"]);
});

test("findings of one level are sorted naturally by address", () => {
  const given = [10, 2, 1].map((index) => ({ ...create("aws_instance"), address: `web[${index}]` }));
  expect(findings(given).map(({ address }) => address)).toEqual(["web[1]", "web[2]", "web[10]"]);
});

/** Returns the findings on a deleted resource that also has a deposed object. */
function withDeposed(type: string): ReturnType<typeof findingsOf> {
  const plan = planWith([remove(type), remove(type)]);
  const [first, second] = withoutNoise(plan);
  return findingsOf(plan, [first!, { ...second!, deposed: "ab12" }], "lenient");
}

test("a deposed object has its own finding", () => {
  const found = withDeposed("aws_db_instance");
  expect(found.map(({ id }) => id)).toEqual([
    "R01:aws_db_instance.main",
    "R01:aws_db_instance.main (deposed ab12)",
  ]);
  expect(found.map(({ message }) => message.includes("deposed"))).toEqual([false, true]);
});

test.each([
  "aws_acm_certificate",
  "aws_lb",
  "aws_eks_node_group",
  "aws_cloudtrail",
  "aws_s3_bucket_versioning",
  "aws_s3_bucket_public_access_block",
])("a deposed %s no longer serves or protects anything", (type) => {
  const deposed = withDeposed(type).filter(({ id }) => id.endsWith("(deposed ab12)"));
  expect(deposed.map(({ rule, risk_level }) => [rule, risk_level])).toEqual([["R18", "medium"]]);
});

test("a change with only noise has no finding", () => {
  const plan = planWith([update("aws_ecs_service", { task_definition: "a" }, { task_definition: "b" })]);
  const quiet = withoutNoise(plan).map((change) => ({ ...change, differences: [] }));
  expect(findingsOf(plan, quiet, "lenient")).toEqual([]);
});

describe("drift", () => {
  test("a stateful resource deleted outside code is critical", () => {
    expect(flags(remove("aws_db_instance"))).toEqual({
      risk_level: "critical",
      risk_flags: [
        {
          rule: "R01",
          flag: "deleted_outside",
          evidence: [],
          message: "Deleted outside code: all data in it is lost",
        },
      ],
    });
  });

  test("a security group opened outside code has one flag with port and source", () => {
    const open = { ingress: [{ from_port: 22, to_port: 22, protocol: "tcp", cidr_blocks: ["0.0.0.0/0"] }] };
    const given = update("aws_security_group", { ingress: [] }, open);
    expect(flags(given).risk_level).toBe("medium");
    expect(flags(given, "standard")).toMatchObject({
      risk_level: "critical",
      risk_flags: [{ rule: "R09", message: "Opens port 22 to 0.0.0.0/0" }],
    });
  });

  test("a resource without data deleted outside code has the level of its deletion", () => {
    expect(flags(remove("aws_lb"))).toMatchObject({ risk_level: "high", risk_flags: [{ rule: "R17" }] });
    expect(flags(remove("acme_page"))).toMatchObject({ risk_level: "medium", risk_flags: [{ rule: "R18" }] });
  });

  test("tags changed outside code have no risk", () => {
    expect(flags(update("aws_vpc", { tags: {} }, { tags: { a: "b" } }))).toMatchObject({
      risk_level: "none",
    });
  });

  test("an unchanged resource has no flags", () => {
    expect(flags({ type: "aws_vpc", actions: ["no-op"] })).toEqual({ risk_level: "none", risk_flags: [] });
  });
});

describe("cases that noise never hides", () => {
  test("protect the attributes that they report", () => {
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

test("the worst level of an empty list is none", () => {
  expect(worstOf([])).toBe("none");
  expect(worstOf(["low", "critical", "none"])).toBe("critical");
});

test("a masked value isn't taken for a setting that was turned off", () => {
  const given = update("aws_db_instance", { deletion_protection: true }, { deletion_protection: REDACTED });
  expect(findings([given]).map(({ rule }) => rule)).toEqual(["R25"]);
});
