import { describe, expect, test } from "bun:test";

import { classesOf } from "./noise.fixture.ts";
import { expectNone, expectOnly, type Case } from "./same.fixture.ts";

describe("set_order", () => {
  test.each<Case>([
    [
      "security groups",
      "aws_instance",
      { vpc_security_group_ids: ["sg-1", "sg-2"] },
      { vpc_security_group_ids: ["sg-2", "sg-1"] },
    ],
    [
      "tags as a list",
      "awscc_ec2_vpc",
      {
        tags: [
          { key: "a", value: "1" },
          { key: "b", value: "2" },
        ],
      },
      {
        tags: [
          { key: "b", value: "2" },
          { key: "a", value: "1" },
        ],
      },
    ],
    [
      "sources in a rule",
      "aws_security_group",
      { ingress: [{ cidr_blocks: ["10.0.0.0/8", "10.1.0.0/16"] }] },
      { ingress: [{ cidr_blocks: ["10.1.0.0/16", "10.0.0.0/8"] }] },
    ],
    [
      "rules of a security group",
      "aws_security_group",
      { ingress: [{ from_port: 1 }, { from_port: 2 }] },
      { ingress: [{ from_port: 2 }, { from_port: 1 }] },
    ],
  ])("the order of %s is noise", (_, type, before, after) => {
    expectOnly("set_order 1", type, before, after);
  });

  test.each<Case>([
    ["a command", "kubernetes_pod", { command: ["a", "b"] }, { command: ["b", "a"] }],
    [
      "DNS servers",
      "azurerm_virtual_network",
      { dns_servers: ["10.0.0.1", "10.0.0.2"] },
      { dns_servers: ["10.0.0.2", "10.0.0.1"] },
    ],
    [
      "cache behaviours",
      "aws_cloudfront_distribution",
      { ordered_cache_behavior: [{ path_pattern: "a" }, { path_pattern: "b" }] },
      { ordered_cache_behavior: [{ path_pattern: "b" }, { path_pattern: "a" }] },
    ],
  ])("the order of %s may be significant", (_, type, before, after) => {
    expectNone(type, before, after);
  });

  test("a list with a duplicate differs from one without", () => {
    expectNone("aws_instance", { subnet_ids: ["a", "a", "b"] }, { subnet_ids: ["a", "b", "b"] });
  });

  test("partly unknown or masked items aren't proven equal", () => {
    const type = "aws_instance";
    const [before, after] = [{ subnet_ids: ["a", "b"] }, { subnet_ids: ["b", "a"] }];
    expect(classesOf({ changes: [{ type, before, after, sensitive: { subnet_ids: true } }] })).toEqual([]);
    expect(classesOf({ changes: [{ type, before, after, unknown: { subnet_ids: [false, true] } }] })).toEqual(
      [],
    );
  });

  test("an order that the plan only reverts is only likely noise", () => {
    const [before, after] = [{ dns_servers: ["a", "b"] }, { dns_servers: ["b", "a"] }];
    const type = "azurerm_virtual_network";
    const plan = { changes: [{ type, before: after, after: before }], drift: [{ type, before, after }] };
    expect(classesOf(plan)).toEqual(["set_order 0.75"]);
  });
});
