import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { change, classesOf, unchanged, type Case } from "./noise.fixture.ts";

const item = (cidr: string): JsonObject => ({
  from_port: 443,
  to_port: 443,
  protocol: "tcp",
  cidr_blocks: [cidr],
  description: "",
  self: false,
});

describe("inline_vs_standalone", () => {
  const group = (...cidrs: string[]): JsonObject => ({ id: "sg-1", ingress: cidrs.map(item) });
  const rule = unchanged("aws_security_group_rule", {
    ...item("10.0.0.0/8"),
    security_group_id: "sg-1",
    type: "ingress",
  });

  test("a rule declared by a separate resource is noise in its group", () => {
    const [none, one] = [group(), group("10.0.0.0/8")];
    expect(classesOf({ drift: [change("aws_security_group", none, one)], changes: [rule] })).toEqual([
      "inline_vs_standalone 0.9",
    ]);
    expect(classesOf({ changes: [change("aws_security_group", one, none), rule] })).toEqual([
      "inline_vs_standalone 0.9",
    ]);
  });

  test("an undeclared rule isn't taken for a declared one", () => {
    const plan = {
      drift: [change("aws_security_group", group(), group("10.0.0.0/8", "203.0.113.7/32"))],
      changes: [rule],
    };
    expect(classesOf(plan)).toEqual(["inline_vs_standalone 0.75"]);
  });

  test("a block that combines several separate resources is noise", () => {
    const both = {
      id: "sg-1",
      ingress: [{ ...item("10.0.0.0/8"), cidr_blocks: ["10.0.0.0/8", "10.9.0.0/16"] }],
    };
    const other = unchanged("aws_vpc_security_group_ingress_rule", {
      from_port: 443,
      to_port: 443,
      ip_protocol: "tcp",
      cidr_ipv4: "10.9.0.0/16",
      security_group_id: "sg-1",
    });
    expect(
      classesOf({ drift: [change("aws_security_group", group(), both)], changes: [rule, other] }),
    ).toEqual(["inline_vs_standalone 0.9"]);
  });

  test("a bucket policy is noise if a separate resource attaches the same one", () => {
    const policy = JSON.stringify({
      Statement: [{ Effect: "Deny", Action: "s3:*", Resource: "*", Principal: "*" }],
    });
    const attached = unchanged("aws_s3_bucket_policy", { bucket: "b", policy: policy.replace(":[", ": [") });
    const drift = [change("aws_s3_bucket", { id: "b", policy: "" }, { id: "b", policy })];
    expect(classesOf({ drift, changes: [attached] })).toEqual(["inline_vs_standalone 0.9"]);
    const another = unchanged("aws_s3_bucket_policy", {
      bucket: "b",
      policy: policy.replace("Deny", "Allow"),
    });
    expect(classesOf({ drift, changes: [another] })).toEqual(["inline_vs_standalone 0.75"]);
  });

  test.each<Case>([
    [
      "of another group",
      {
        drift: [change("aws_security_group", group(), group("10.0.0.0/8"))],
        changes: [
          unchanged("aws_security_group_rule", {
            ...item("10.0.0.0/8"),
            security_group_id: "sg-2",
            type: "ingress",
          }),
        ],
      },
    ],
    [
      "of the other direction",
      {
        drift: [change("aws_security_group", group(), group("10.0.0.0/8"))],
        changes: [
          unchanged("aws_security_group_rule", {
            ...item("10.0.0.0/8"),
            security_group_id: "sg-1",
            type: "egress",
          }),
        ],
      },
    ],
    [
      "that was removed from the cloud",
      { drift: [change("aws_security_group", group("10.0.0.0/8"), group())], changes: [rule] },
    ],
  ])("a rule %s is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});
